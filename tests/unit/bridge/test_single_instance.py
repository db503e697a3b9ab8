"""One Fireside a data folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from pytestqt.qtbot import QtBot

from fireside.bridge.single_instance import SingleInstance

OWNER = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from fireside.bridge.single_instance import SingleInstance
app = QCoreApplication([])
instance = SingleInstance(data_folder=Path(sys.argv[1]))
print("owner" if instance.acquire() else ("told" if instance.raise_owner() else "refused"), flush=True)
sys.stdin.readline()
"""


def start_another(folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", OWNER, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


def test_the_second_start_raises_the_first(qtbot: QtBot, tmp_path: Path) -> None:
    first = SingleInstance(data_folder=tmp_path)
    assert first.acquire()
    with qtbot.waitSignal(first.raised, timeout=20_000):
        second = start_another(tmp_path)
    assert said(second) == "told"
    end(second)
    first.release()


def test_another_data_folder_is_another_instance(qtbot: QtBot, tmp_path: Path) -> None:
    first = SingleInstance(data_folder=tmp_path / "a")
    second = SingleInstance(data_folder=tmp_path / "b")
    assert first.acquire()
    assert second.acquire()
    first.release()
    second.release()


def test_the_lock_of_a_killed_owner_is_taken_over(qtbot: QtBot, tmp_path: Path) -> None:
    owner = start_another(tmp_path)
    assert said(owner) == "owner"
    end(owner)
    second = SingleInstance(data_folder=tmp_path)
    assert second.acquire()
    second.release()


def test_of_many_started_together_one_is_the_owner(qtbot: QtBot, tmp_path: Path) -> None:
    started = [start_another(tmp_path) for _ in range(4)]
    answers = [said(process) for process in started]
    for process in started:
        end(process)
    assert answers.count("owner") == 1
