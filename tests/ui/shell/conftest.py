"""The window over a client in memory, in the real theme."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

import pytest
import qasync
import shiboken6
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from fakes.client import FakeClient
from fakes.window import WindowLog, build_window, dress
from fireside.core.errors import FiresideError
from fireside.settings.state import WindowState
from fireside.ui.main_window import MainWindow
from fireside.ui.tasks import TaskRunner
from fireside.ui.theme import Theme, ThemeChoice
from fireside.ui.theme.theme import BASE_PX


@pytest.fixture(scope="session")
def _dressed(qapp: QApplication) -> Theme:
    return dress(qapp)


@pytest.fixture
def theme(qapp: QApplication, _dressed: Theme) -> Theme:
    """The look of the program, light and at its usual size. One for all: a style sheet takes a while."""
    _dressed.set_choice(ThemeChoice.LIGHT)
    _dressed.set_text_size(BASE_PX)
    if _dressed.tokens.side not in qapp.styleSheet():
        # Another suite's theme has dressed the application since; this one does not know.
        _dressed.set_choice(ThemeChoice.DARK)
        _dressed.set_choice(ThemeChoice.LIGHT)
    return _dressed


@pytest.fixture
def loop(qapp: QApplication) -> Iterator[asyncio.AbstractEventLoop]:
    """The loop that runs while Qt does."""
    made = qasync.QEventLoop(qapp, already_running=True)
    yield made
    asyncio.events._set_running_loop(None)
    # stop() would also end the application that all tests share.
    made._QEventLoop__is_running = False
    made.close()


@pytest.fixture
def errors() -> list[FiresideError]:
    """Errors that no part of the window took."""
    return []


@pytest.fixture
def tasks(loop: asyncio.AbstractEventLoop, errors: list[FiresideError]) -> Iterator[TaskRunner]:
    bugs: list[BaseException] = []
    made = TaskRunner(loop, on_error=errors.append, on_bug=bugs.append)
    yield made
    made.cancel_all()
    assert not bugs


@pytest.fixture
def client() -> FakeClient:
    return FakeClient()


@pytest.fixture
def log() -> WindowLog:
    return WindowLog()


ShowWindow = Callable[..., MainWindow]


@pytest.fixture
def show_window(
    qtbot: QtBot, client: FakeClient, tasks: TaskRunner, theme: Theme, log: WindowLog
) -> Iterator[ShowWindow]:
    """Return a shown window that has heard everything from its client."""

    shown: list[MainWindow] = []

    def show(*, state: WindowState | None = None) -> MainWindow:
        window = build_window(client, tasks=tasks, theme=theme, state=state, log=log)
        qtbot.addWidget(window)
        window.resize(1180, 800)
        window.show()
        qtbot.waitExposed(window)
        settle(qtbot, tasks)
        shown.append(window)
        return window

    yield show
    # Now, not when Qt comes to it: timers of a window must not outlive the loop.
    for window in shown:
        if shiboken6.isValid(window):
            shiboken6.delete(window)


@pytest.fixture
def window(show_window: ShowWindow) -> MainWindow:
    return show_window()


def settle(qtbot: QtBot, tasks: TaskRunner) -> None:
    """Return when everything that was asked has been answered."""
    qtbot.waitUntil(lambda: tasks.n_running == 0)


@pytest.fixture
def settled(qtbot: QtBot, tasks: TaskRunner) -> Callable[[], None]:
    return lambda: settle(qtbot, tasks)
