"""The window over a client in memory, as in the shell's suite."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
import shiboken6
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.window import WindowLog, build_window
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.tasks import TaskRunner


@pytest.fixture
def client(loop: asyncio.AbstractEventLoop, tmp_path: Path) -> AppClient:
    made = AppClient(database=tmp_path / "fireside.db")
    made.add_conversation("Bread", turns=("How?", "Like this."))
    made.add_conversation("Rope", turns=("Why?", "So."))
    return made


@pytest.fixture
def log() -> WindowLog:
    return WindowLog()


@pytest.fixture
def window(qtbot: QtBot, client: AppClient, tasks: TaskRunner, log: WindowLog) -> Iterator[MainWindow]:
    """A shown window that has heard everything from its client."""
    made = build_window(client, tasks=tasks, log=log)
    qtbot.addWidget(made)
    made.resize(1180, 800)
    made.show()
    qtbot.waitExposed(made)
    settled()
    yield made
    # Now, not when Qt comes to it: timers of a window must not outlive the loop.
    if shiboken6.isValid(made):
        shiboken6.delete(made)
