"""Exporting and importing on the command line, with a real database."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fakes.transcripts import open_webui_chat
from fireside.cli import run
from fireside.cli.command_line import parse
from fireside.cli.commands.transfer import conversation_of, format_of
from fireside.core.transfer import ExportFormat


@pytest.fixture
def chats(tmp_path: Path) -> Path:
    path = tmp_path / "chats.json"
    path.write_text(json.dumps([open_webui_chat()]))
    return path


def test_what_is_imported_can_be_listed_and_exported(
    chats: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["import", str(chats)]) == 0
    assert "1 imported, 0 already existed." in capsys.readouterr().out
    assert run(["import", str(chats)]) == 0
    assert "0 imported, 1 already existed." in capsys.readouterr().out
    assert run(["export"]) == 0
    assert capsys.readouterr().out == "1\tColours\n"
    assert run(["export", "all", str(tmp_path / "out.json")]) == 0
    assert json.loads((tmp_path / "out.json").read_bytes())["conversations"][0]["title"] == "Colours"
    assert run(["export", "1", str(tmp_path / "out.md")]) == 0
    assert "Because." in (tmp_path / "out.md").read_text()
    assert run(["export", "1", str(tmp_path / "out.docx")]) == 0
    assert (tmp_path / "out.docx").read_bytes().startswith(b"PK")
    assert run(["export", "1", "-", "--format", "docx"]) == 2


@pytest.mark.parametrize("target", ["-", "/dev/stdout"])
def test_a_chat_is_written_to_the_output(
    target: str,
    chats: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    run(["import", str(chats)])
    capsys.readouterr()
    assert run(["export", "1", target]) == 0
    assert "Because." in capsys.readouterr().out
    assert run(["export", "all", target, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["conversations"][0]["title"] == "Colours"
    assert run(["export", "all", target]) == 2
    assert "--format json" in capsys.readouterr().err
    assert not (tmp_path / "-").exists()


@pytest.mark.parametrize("argv", [["export", "7", "x.md"], ["import", "missing.json"]])
def test_a_missing_chat_is_reported(
    argv: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(argv) == 1
    assert capsys.readouterr().err.startswith("fireside: ")


def test_a_name_is_no_number(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["export", "bread", "x.md"]) == 2
    assert "not a chat number" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("form", "target", "expected"),
    [
        ("", "a.HTML", ExportFormat.HTML),
        ("", "a.json", ExportFormat.JSON),
        ("", "folder", ExportFormat.MARKDOWN),
        ("md", "a.html", ExportFormat.MARKDOWN),
    ],
)
def test_the_format_is_the_option_else_that_of_the_file_name(
    form: str, target: str, expected: ExportFormat
) -> None:
    assert format_of(form, target=target) is expected


def test_numbers_are_numbers_of_a_sane_length() -> None:
    assert [conversation_of(name) for name in ("7", "²", "-1", "9" * 30, "")] == [7, None, None, None, None]


def test_the_arguments_of_transfer_are_parsed() -> None:
    arguments = parse(["export", "3", "x", "--format", "html"]).arguments
    assert arguments == {"name": "3", "target": "x", "form": "html", "project": None}
    assert parse(["import", "a", "b"]).arguments == {"files": ["a", "b"]}


def test_a_project_is_exported_by_its_name_and_imported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    claude = tmp_path / "claude"
    claude.mkdir()
    project = {"uuid": "p", "name": "Garden", "prompt_template": "Be brief.", "docs": [], "description": ""}
    (claude / "projects.json").write_text(json.dumps([project]))
    assert run(["import", str(claude)]) == 0
    assert "Project “Garden” imported." in capsys.readouterr().out
    target = tmp_path / "garden.zip"
    assert run(["export", "--project", "garden", str(target)]) == 0
    assert capsys.readouterr().out == f"{target}\n"
    assert run(["import", str(target)]) == 0
    assert "Project “Garden” was here already." in capsys.readouterr().out
    assert run(["export", "--project", "House", str(target)]) == 2
    assert "“House” is no project." in capsys.readouterr().err
    assert run(["export", "--project", "Garden"]) == 2
