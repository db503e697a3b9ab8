"""The checkout's Python environment."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from provision.console import Console
from provision.environment import compile_sources, is_usable, link_checkout, make_environment, remove
from provision.failure import SetupFailure
from provision.layout import Layout, cache_folder, find_layout


def test_this_environment_is_usable() -> None:
    assert is_usable(Path(sys.executable))


def test_an_environment_whose_python_is_gone_is_not_usable(tmp_path: Path) -> None:
    assert not is_usable(tmp_path / "bin" / "python")


def test_a_folder_of_somebody_elses_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "letters.txt").write_text("dear")
    console = Console(stream=io.StringIO())
    with pytest.raises(SetupFailure), console.task("") as task:
        make_environment(tmp_path, task=task, log=tmp_path.parent / "log")
    assert (tmp_path / "letters.txt").read_text() == "dear"


@pytest.mark.skipif(sys.platform == "win32", reason="the launcher there is another one")
def test_the_command_hands_its_words_on_untouched_from_a_path_with_spaces(tmp_path: Path) -> None:
    layout = Layout(root=tmp_path / "my own fireside", cache=tmp_path)
    layout.scripts.mkdir(parents=True)
    layout.site_packages.mkdir(parents=True)
    layout.python.write_text('#!/bin/sh\nprintf "%s|" "$@"\n')
    layout.python.chmod(0o755)
    link_checkout(layout)
    result = subprocess.run(
        [layout.scripts / "fireside", "run", "two words", ""], capture_output=True, text=True, check=True
    )
    assert result.stdout == "-P|-m|fireside|run|two words||"
    assert (layout.site_packages / "fireside-checkout.pth").read_text("utf-8") == f"{layout.app}\n"


@pytest.mark.skipif(sys.platform == "win32", reason="an environment's interpreter is no link there")
def test_the_program_is_compiled_also_where_python_was_told_to_write_no_byte_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.delenv("PYTHONPYCACHEPREFIX", raising=False)
    layout = Layout(root=tmp_path, cache=tmp_path)
    layout.scripts.mkdir(parents=True)
    layout.python.symlink_to(sys.executable)
    source = layout.app / "fireside" / "part.py"
    source.parent.mkdir(parents=True)
    source.write_text("VALUE = 1\n", encoding="utf-8")
    with Console(stream=io.StringIO()).task("") as task:
        compile_sources(layout, task=task, log=tmp_path / "log")
    assert [path.name.partition(".")[0] for path in source.parent.glob("__pycache__/*.pyc")] == ["part"]


def test_removing_takes_a_link_and_leaves_what_it_points_to(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    try:
        (tmp_path / "link").symlink_to(tmp_path / "kept")
    except OSError:
        pytest.skip("links are not allowed here")
    assert remove(tmp_path / "link")
    assert (tmp_path / "kept").is_dir()
    assert not remove(tmp_path / "link")


def test_the_layout_is_that_of_this_checkout() -> None:
    assert (find_layout().app / "fireside" / "core").is_dir()


@pytest.mark.parametrize(
    ("platform", "environ", "folder"),
    [
        ("linux", {}, "home/.cache/fireside/setup"),
        ("linux", {"XDG_CACHE_HOME": "elsewhere"}, "elsewhere/fireside/setup"),
        ("darwin", {}, "home/Library/Caches/fireside/setup"),
        ("win32", {"LOCALAPPDATA": "local"}, "local/fireside/setup"),
    ],
)
def test_the_cache_is_where_each_system_keeps_such_things(
    platform: str, environ: dict[str, str], folder: str
) -> None:
    assert cache_folder(environ=environ, home=Path("home"), platform=platform) == Path(folder)
