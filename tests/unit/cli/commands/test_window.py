"""Model files on the command line open the window; commands stay commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from fireside.cli import run
from fireside.cli.command_line import parse
from fireside.cli.commands.list_models import list_models
from fireside.cli.commands.window import open_window


@pytest.mark.parametrize(
    ("argv", "files"),
    [
        (["model.gguf"], ("model.gguf",)),
        (["MODEL.GGUF"], ("MODEL.GGUF",)),
        (["/models/a.gguf", "b.gguf"], ("/models/a.gguf", "b.gguf")),
        (["./models"], ("./models",)),
        (["C:\\models\\a.bin"], ("C:\\models\\a.bin",)),
        (["--", "-odd.gguf"], ("-odd.gguf",)),
        (["--set", "run=1", "a.gguf"], ("a.gguf",)),
        (["--set=ui.theme=dark", "a.gguf", "--set", "b=c"], ("a.gguf",)),
    ],
)
def test_files_open_the_window(argv: list[str], files: tuple[str, ...]) -> None:
    invocation = parse(argv)
    assert (invocation.run, tuple(invocation.arguments["files"])) == (open_window, files)


def test_settings_hold_for_a_window_with_files_too() -> None:
    assert parse(["--set", "ui.theme=dark", "a.gguf"]).settings == {"ui.theme": "dark"}


def test_an_existing_folder_is_opened_whatever_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "models").mkdir()
    monkeypatch.chdir(tmp_path)
    assert parse(["models"]).arguments["files"] == ["models"]


def test_a_command_wins_over_a_file_of_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "list").mkdir()
    monkeypatch.chdir(tmp_path)
    assert parse(["list"]).run is list_models


@pytest.mark.parametrize("argv", [["lsit"], ["Why is the sky blue?"], ["x" * 5000], ["nul\0byte"], ["--no"]])
def test_a_word_that_is_neither_file_nor_command_is_refused(
    argv: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        parse(argv)
    assert "fireside" in capsys.readouterr().err


def test_too_many_files_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run(["a.gguf"] * 1001)
    assert "folder" in capsys.readouterr().err
