"""What every suite of real widgets needs: the theme, a loop that Qt and asyncio share, tasks."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterator

import pytest
import qasync
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from fakes.client import close_clients
from fakes.window import dress
from fireside.core.errors import FiresideError
from fireside.ui.tasks import TaskRunner
from fireside.ui.theme import Accent, Contrast, Density, Theme, ThemeChoice
from fireside.ui.theme.theme import BASE_PX


@pytest.fixture(scope="session")
def _dressed(qapp: QApplication) -> Theme:
    return dress(qapp)


@pytest.fixture
def theme(qapp: QApplication, _dressed: Theme) -> Theme:
    """The look of the program, light and at its usual size. One for all: a style sheet takes a while."""
    _dressed.set_choice(ThemeChoice.LIGHT)
    _dressed.set_accent(Accent.INDIGO)
    _dressed.set_contrast(Contrast.NORMAL)
    _dressed.set_density(Density.COMFORTABLE)
    _dressed.set_text_size(BASE_PX)
    if _dressed.tokens.side not in qapp.styleSheet():
        # Another suite's theme has dressed the application since; this one does not know.
        _dressed.set_choice(ThemeChoice.DARK)
        _dressed.set_choice(ThemeChoice.LIGHT)
    return _dressed


@pytest.fixture(autouse=True)
def _garbage_of_this_thread() -> Iterator[None]:
    """Cycles are collected in this thread alone, as in the program: a widget must not end in another one."""
    gc.disable()
    yield
    gc.collect(1)
    gc.enable()


@pytest.fixture(autouse=True)
def _no_window_left(qapp: QApplication) -> Iterator[None]:
    """What a test leaves open would make every change of the look slower for all tests behind it."""
    yield
    for widget in qapp.topLevelWidgets():
        if shiboken6.isValid(widget):
            widget.deleteLater()
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture(autouse=True)
def _parked_pointer(qapp: QApplication) -> None:
    """The pointer stays where the last test left it, and a window that opens there is pointed at."""
    QCursor.setPos(qapp.primaryScreen().geometry().bottomRight())


def end_tasks(loop: asyncio.AbstractEventLoop) -> None:
    """Cancel what still runs and let it end: a loop that is closed before its tasks warns of each."""
    for task in asyncio.all_tasks(loop):
        task.cancel()
    while asyncio.all_tasks(loop):
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)


@pytest.fixture
def loop(qapp: QApplication) -> Iterator[asyncio.AbstractEventLoop]:
    """The loop that runs while Qt does."""
    made = qasync.QEventLoop(qapp, already_running=True)
    yield made
    close_clients()
    end_tasks(made)
    asyncio.events._set_running_loop(None)
    # stop() would also end the application that all tests share.
    made._QEventLoop__is_running = False
    made.close()


_PATIENCE_MS = 30_000
"""A machine that does much else at once is no fault of the window."""


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
def settled(qtbot: QtBot, tasks: TaskRunner) -> Callable[[], None]:
    """Return when everything that was asked has been answered."""
    return lambda: qtbot.waitUntil(lambda: tasks.n_running == 0, timeout=_PATIENCE_MS)
