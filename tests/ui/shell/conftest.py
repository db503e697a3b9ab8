"""The window over a client in memory, in the real theme."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
import shiboken6
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.window import WindowLog, build_window
from fireside.core.ids import ConversationId
from fireside.settings.window_state import WindowState
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.tasks import TaskRunner


@pytest.fixture
def log() -> WindowLog:
    return WindowLog()


ShowWindow = Callable[..., MainWindow]


@pytest.fixture
def show_window(qtbot: QtBot, client: AppClient, tasks: TaskRunner, log: WindowLog) -> Iterator[ShowWindow]:
    """Return a shown window that has heard everything from its client."""

    shown: list[MainWindow] = []

    def show(*, state: WindowState | None = None) -> MainWindow:
        window = build_window(client, tasks=tasks, state=state, log=log)
        qtbot.addWidget(window)
        window.resize(1180, 800)
        window.show()
        qtbot.waitExposed(window)
        settled()
        shown.append(window)
        return window

    yield show
    tasks.cancel_all()
    settled()
    # Now, not when Qt comes to it: timers of a window must not outlive the loop.
    for window in shown:
        if shiboken6.isValid(window):
            shiboken6.delete(window)


@pytest.fixture
def window(show_window: ShowWindow) -> MainWindow:
    return show_window()


@pytest.fixture
def chat(client: AppClient, window: MainWindow) -> ConversationId:
    """A conversation in front."""
    made = client.add_conversation("A chat", turns=("Why?", "Because."))
    window.conversations.open(made)
    settled()
    return made
