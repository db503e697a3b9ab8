"""Tools that read folders reach nothing outside of them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from fakes.tool_calls import text_of
from fireside.tools.folder_files import folder_tools
from fireside.tools.tool import InvalidArguments, ToolFailed


def call(folders: list[Path], name: str, arguments: str) -> str:
    async def run() -> str:
        (tool,) = (tool for tool in folder_tools(folders) if tool.name == name)
        given: Any = tool.read(arguments)
        return await text_of(tool, given)

    return asyncio.run(run())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    granted = tmp_path / "granted"
    (granted / "inner").mkdir(parents=True)
    (granted / "notes.txt").write_text("One\nThe kettle is blue\n", encoding="utf-8")
    (granted / "inner" / "more.md").write_text("blue KETTLE here", encoding="utf-8")
    (granted / "picture.png").write_bytes(b"\x89PNG\0\0")
    (tmp_path / "secret.txt").write_text("kettle secret", encoding="utf-8")
    return granted


def test_a_folder_is_listed_and_its_files_are_read(folder: Path) -> None:
    assert call([folder], "list_folder", "{}") == str(folder)
    assert call([folder], "list_folder", '{"path": "."}') == "inner/\nnotes.txt\npicture.png"
    assert "kettle is blue" in call([folder], "read_file", '{"path": "notes.txt"}')
    assert (
        call([folder], "read_file", f'{{"path": "{folder.as_posix()}/inner/more.md"}}') == "blue KETTLE here"
    )


def test_words_are_found_in_all_files(folder: Path) -> None:
    result = call([folder], "search_files", '{"words": "Blue kettle"}')
    assert "notes.txt:2: The kettle is blue" in result
    assert "more.md:1: blue KETTLE here" in result
    assert "secret" not in result
    assert call([folder], "search_files", '{"words": "nowhere"}') == "Nothing was found."


@pytest.mark.parametrize(
    "path", ["../secret.txt", "inner/../../secret.txt", "link.txt", "linked/secret.txt", "~"]
)
def test_nothing_outside_is_read(folder: Path, path: str) -> None:
    (folder / "link.txt").symlink_to(folder.parent / "secret.txt")
    (folder / "linked").symlink_to(folder.parent, target_is_directory=True)
    for name in ("read_file", "list_folder"):
        with pytest.raises(ToolFailed, match="not in a folder that may be read"):
            call([folder], name, f'{{"path": "{path}"}}')
    with pytest.raises(ToolFailed):
        call([folder], "read_file", f'{{"path": "{(folder.parent / "secret.txt").as_posix()}"}}')
    assert "secret" not in call([folder], "search_files", '{"words": "kettle"}')


def test_without_folders_there_is_nothing(folder: Path) -> None:
    assert call([], "list_folder", "{}") == "No folder may be read."
    with pytest.raises(ToolFailed):
        call([], "read_file", f'{{"path": "{(folder / "notes.txt").as_posix()}"}}')


def test_a_binary_file_gives_a_reason(folder: Path) -> None:
    with pytest.raises(ToolFailed, match="not a text file"):
        call([folder], "read_file", '{"path": "picture.png"}')
    with pytest.raises(ToolFailed, match="is not a file"):
        call([folder], "read_file", '{"path": "inner"}')


def test_arguments_that_do_not_fit_name_the_field() -> None:
    (tool,) = (tool for tool in folder_tools([]) if tool.name == "search_files")
    with pytest.raises(InvalidArguments, match="words"):
        tool.read('{"words": 3}')
    with pytest.raises(InvalidArguments, match="words"):
        tool.read("{}")
    with pytest.raises(InvalidArguments, match="other"):
        tool.read('{"words": "a", "other": 1}')
