"""Files in granted folders are changed as the diff said, and nothing else is."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from fakes.tool_calls import text_of
from fireside.tools.file_changes import change_tools
from fireside.tools.tool import RunnableTool, ToolFailed


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    granted = tmp_path / "granted"
    (granted / "notes").mkdir(parents=True)
    (granted / "notes" / "a.txt").write_bytes(b"one\ntwo\nthree\n")
    return granted


def call(folder: Path, name: str, *, preview_only: bool = False, **arguments: str) -> str:
    tools: dict[str, RunnableTool[Any]] = {tool.name: tool for tool in change_tools([folder])}
    tool = tools[name]
    assert tool.prompts_each_time
    read = tool.read(json.dumps(arguments))
    return asyncio.run(tool.preview(read) if preview_only else text_of(tool, read))


def test_a_preview_shows_the_change_and_writes_nothing(folder: Path) -> None:
    diff = call(folder, "edit_file", preview_only=True, path="notes/a.txt", old="two", new="2")
    assert "\n-two\n+2\n" in diff
    assert str(folder / "notes" / "a.txt") in diff
    new = call(folder, "write_file", preview_only=True, path="b.txt", text="x\n")
    assert new.startswith("--- (new file)")
    assert "\n+x\n" in new
    assert (folder / "notes" / "a.txt").read_bytes() == b"one\ntwo\nthree\n"
    assert not (folder / "b.txt").exists()


def test_a_change_keeps_line_ends_and_mode(folder: Path) -> None:
    file = folder / "notes" / "a.txt"
    file.write_bytes(b"one\r\ntwo\r\n")
    file.chmod(0o640)
    mode = file.stat().st_mode
    call(folder, "edit_file", path="notes/a.txt", old="one\ntwo", new="1\n2")
    assert file.read_bytes() == b"1\r\n2\r\n"
    assert file.stat().st_mode == mode
    call(folder, "write_file", path=str(folder / "b.txt"), text="new\n")
    assert (folder / "b.txt").read_bytes() == b"new\n"
    assert [each.name for each in folder.iterdir() if each.name.startswith(".")] == []


def test_the_end_of_the_last_line_is_a_change_too(folder: Path) -> None:
    diff = call(folder, "write_file", preview_only=True, path="notes/a.txt", text="one\ntwo\nthree")
    assert diff.splitlines()[-1] == "-"


@pytest.mark.parametrize(
    ("name", "arguments", "word"),
    [
        ("write_file", {"path": "../b.txt", "text": "x"}, "path"),
        ("write_file", {"path": "/etc/passwd", "text": "x"}, "path"),
        ("write_file", {"path": "", "text": "x"}, "path"),
        ("write_file", {"path": "notes", "text": "x"}, "path"),
        ("write_file", {"path": "no/such/b.txt", "text": "x"}, "path"),
        ("write_file", {"path": ".bashrc", "text": "x"}, "hidden"),
        ("write_file", {"path": "notes/a.txt", "text": "one\ntwo\nthree\n"}, "like that"),
        ("write_file", {"path": "b.txt", "text": "x" * 400_001}, "too long"),
        ("write_file", {"path": "b.txt", "text": "\n" * 3_001}, "too long"),
        ("edit_file", {"path": "b.txt", "old": "x", "new": "y"}, "no file"),
        ("edit_file", {"path": "notes/a.txt", "old": "four", "new": "y"}, "0 times"),
        ("edit_file", {"path": "notes/a.txt", "old": "t", "new": "y"}, "2 times"),
        ("edit_file", {"path": "notes/a.txt", "old": "", "new": "y"}, "0 times"),
    ],
)
def test_protected_paths_are_refused(folder: Path, name: str, arguments: dict[str, str], word: str) -> None:
    for preview_only in (True, False):
        with pytest.raises(ToolFailed, match=word):
            call(folder, name, preview_only=preview_only, **arguments)
    assert (folder / "notes" / "a.txt").read_bytes() == b"one\ntwo\nthree\n"


@pytest.mark.parametrize("content", [b"\xff\xfe\x00x", b"a\0b", b"x" * 400_001])
def test_binary_files_are_not_changed(folder: Path, content: bytes) -> None:
    (folder / "b").write_bytes(content)
    with pytest.raises(ToolFailed, match="no text file"):
        call(folder, "write_file", path="b", text="x")
    assert (folder / "b").read_bytes() == content


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_links_out_of_the_folder_and_to_hidden_files_are_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (folder / "out").symlink_to(tmp_path / "secret")
    (folder / ".git").mkdir()
    (folder / "hooks").symlink_to(folder / ".git")
    for path in ("out/b.txt", "hooks/pre-commit"):
        with pytest.raises(ToolFailed):
            call(folder, "write_file", path=path, text="x")
    assert list((tmp_path / "secret").iterdir()) == []
    assert list((folder / ".git").iterdir()) == []
