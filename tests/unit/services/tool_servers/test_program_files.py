"""The files of a server's own program, which it reads without a grant."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fireside.services.tool_servers.program_files import content_hash, program_files


def test_a_script_of_a_package_reads_the_packages_beside_it_and_nothing_above(tmp_path: Path) -> None:
    modules = tmp_path / "app" / "node_modules"
    script = modules / "server" / "node_modules" / "inner" / "index.js"
    script.parent.mkdir(parents=True)
    script.touch()
    alone = tmp_path / "home" / "server.py"
    alone.parent.mkdir()
    alone.touch()
    found = program_files((sys.executable, str(script), str(alone), "--flag", str(tmp_path / "none.py")))
    assert {str(script), str(modules), str(alone)} <= set(found)
    assert not {str(tmp_path), str(tmp_path / "app"), str(alone.parent)} & set(found)


def test_a_command_that_npm_installed_reads_its_packages(tmp_path: Path) -> None:
    """``node_modules/.bin/server`` is a link to a file of its package."""
    modules = tmp_path / "node_modules"
    script = modules / "@scope" / "server" / "dist" / "index.js"
    script.parent.mkdir(parents=True)
    script.write_text("#!/usr/bin/env node\n")
    command = modules / ".bin" / "server"
    command.parent.mkdir()
    command.symlink_to("../@scope/server/dist/index.js")
    assert str(modules) in program_files((str(command),))


def test_a_changed_script_is_another_program_and_changed_data_is_not(tmp_path: Path) -> None:
    """The usual server is a script of an interpreter, which never changes."""
    script, data = tmp_path / "server.py", tmp_path / "notes.db"
    commands = {(sys.executable, str(script), str(data)): "", (sys.executable, "server.py"): str(tmp_path)}
    for command, cwd in commands.items():
        script.write_text("print(1)")
        data.write_text("a")
        before = content_hash(command, cwd=cwd)
        data.write_text("b")
        assert content_hash(command, cwd=cwd) == before
        script.write_text("print(2)")
        assert content_hash(command, cwd=cwd) != before


def test_relative_arguments_are_files_of_the_folder_that_a_server_runs_in(tmp_path: Path) -> None:
    script = tmp_path / "build" / "index.js"
    script.parent.mkdir()
    script.touch()
    assert str(script) in program_files((sys.executable, "build/index.js"), cwd=str(tmp_path))


def test_a_script_reads_the_project_that_it_belongs_to_and_never_the_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    project = home / "projects" / "mine"
    script, alone = project / "build" / "index.js", home / "scripts" / "a.py"
    for file in (script, alone, project / "package.json", home / "package.json", tmp_path / "pyproject.toml"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    for command in ((sys.executable, "build/index.js"), (sys.executable, str(script))):
        assert str(project) in program_files(command, cwd=str(project))
    found = program_files((sys.executable, str(alone)))
    assert not {str(home), str(tmp_path), str(alone.parent)} & set(found)
