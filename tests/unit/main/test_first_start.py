"""The tour is shown at the first start and never again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

APP = Path(__file__).resolve().parents[3] / "app"
STARTED = """
import sys
from fireside.main import import_qt, run

import_qt()
import fireside.main.window as program
from fireside.ui.shell.command_controller import CommandController
from PySide6.QtCore import Qt, QTimer

make_windows, n_shown = program.make_windows, 0

def show(_controller):
    global n_shown
    n_shown += 1

def watched(*arguments, **named):
    windows = make_windows(*arguments, **named)
    windows.front.conversations.subject_changed.connect(
        lambda: QTimer.singleShot(0, windows.quit), Qt.ConnectionType.SingleShotConnection
    )
    return windows

CommandController.show_tour = show
program.make_windows = watched
status = run([])
print(n_shown)
sys.exit(status)
"""


def n_tours(home: Path) -> int:
    """Start the window, end it once it knows its chats, and return how often the tour was shown."""
    finished = subprocess.run(
        [sys.executable, "-P", "-c", STARTED],
        env={
            **os.environ,
            "FIRESIDE_HOME": str(home),
            "PYTHONPATH": str(APP),
            "QT_QPA_PLATFORM": "offscreen",
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    return int(finished.stdout.splitlines()[-1])


@pytest.mark.timeout(300)
def test_the_tour_is_for_the_first_start_alone(tmp_path: Path) -> None:
    assert n_tours(tmp_path) == 1
    assert n_tours(tmp_path) == 0
    # What the window remembers may get lost; the chats are those of a user who knows the program.
    (tmp_path / "config" / "state.json").unlink()
    assert n_tours(tmp_path) == 0
