"""The files that have the local API run as a service of each system."""

from __future__ import annotations

import configparser
import plistlib
import shlex
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

FOLDER = Path(__file__).parents[3] / "installer/services"
PROGRAM = "/home/a user/fireside/.venv/bin/fireside"
SERVE = [PROGRAM, "serve"]
TASK = "{http://schemas.microsoft.com/windows/2004/02/mit/task}"


def filled_in(name: str, *, program: str = PROGRAM) -> str:
    """Return a file as the README has it filled in."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    assert "@PROGRAM@" in text
    return text.replace("@PROGRAM@", program).replace("@USER@", "me")


def test_systemd_starts_the_server_and_ends_it_in_time() -> None:
    unit = configparser.ConfigParser(strict=True)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read_string(filled_in("fireside.service"))
    assert shlex.split(unit["Service"]["ExecStart"]) == SERVE
    assert int(unit["Service"]["TimeoutStopSec"]) > 5
    assert unit["Install"]["WantedBy"] == "default.target"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_systemd_finds_nothing_wrong_with_it(tmp_path: Path) -> None:
    program = tmp_path / "a folder" / "fireside"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    unit = tmp_path / "fireside.service"
    unit.write_text(filled_in("fireside.service", program=str(program)), encoding="utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--user", "--man=no", unit],
        env={"HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    about_it = [line for line in done.stderr.splitlines() if "fireside" in line]
    assert (done.returncode, about_it) == (0, [])


def test_launchd_starts_the_server_and_again_if_it_crashed() -> None:
    agent = plistlib.loads(filled_in("org.fireside.serve.plist").encode())
    assert agent["ProgramArguments"] == SERVE
    assert agent["Label"] == "org.fireside.serve"
    assert agent["KeepAlive"] == {"SuccessfulExit": False}
    assert agent["Umask"] == 0o077


def test_windows_starts_the_server_when_the_user_signs_in_without_an_administrator_or_a_console() -> None:
    program = r"C:\Users\me\a folder\.venv\Scripts\pythonw.exe"
    task = ElementTree.fromstring(filled_in("fireside-task.xml", program=program))
    texts = {each.tag.removeprefix(TASK): each.text for each in task.iter()}
    assert [texts["Command"], texts["Arguments"]] == [program, "-P -m fireside serve"]
    readme = (FOLDER.parents[1] / "README.md").read_text(encoding="utf-8")
    assert r"""Replace('@PROGRAM@', "$PWD\.venv\Scripts\pythonw.exe")""" in readme
    assert texts["RunLevel"] == "LeastPrivilege"
    assert texts["ExecutionTimeLimit"] == "PT0S"
    assert task.find(f"{TASK}Triggers/{TASK}LogonTrigger") is not None
