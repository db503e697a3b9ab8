"""Fixtures for all suites of real widgets: theme, the event loop that Qt and asyncio share, tasks."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from functools import partialmethod

import pytest
import qasync
import shiboken6
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, close_clients, settling
from fakes.fake_hub import FakeHub, fake_hub
from fakes.widgets import child
from fakes.window import dress
from fireside.core.errors import FiresideError
from fireside.ui.chat.answer import block_column
from fireside.ui.tasks import TaskRunner
from fireside.ui.theme import BASE_PX, Accent, ColumnWidth, Contrast, Density, Theme, ThemeChoice, use_theme
from fireside.ui.widgets.focus_ring import FocusRing

_PATIENCE_MS = 30_000
"""Long, since a busy machine must not fail a test."""


class PatientBot(QtBot):
    waitUntil = partialmethod(QtBot.waitUntil, timeout=_PATIENCE_MS)  # noqa: N815 - as pytest-qt calls it
    waitSignal = partialmethod(QtBot.waitSignal, timeout=_PATIENCE_MS)  # noqa: N815
    waitSignals = partialmethod(QtBot.waitSignals, timeout=_PATIENCE_MS)  # noqa: N815
    waitExposed = partialmethod(QtBot.waitExposed, timeout=_PATIENCE_MS)  # noqa: N815


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """pytest-qt's bot with a longer timeout."""
    return PatientBot(request)


@pytest.fixture(scope="session")
def _dressed(qapp: QApplication) -> Theme:
    return dress(qapp)


@pytest.fixture(autouse=True)
def theme(qapp: QApplication, _dressed: Theme) -> Theme:
    """The light theme at the normal size, in use. One for all tests, since setting a style sheet is slow."""
    use_theme(_dressed)
    _dressed.set_choice(ThemeChoice.LIGHT)
    _dressed.set_accent(Accent.EMBER)
    _dressed.set_contrast(Contrast.NORMAL)
    _dressed.set_density(Density.COMFORTABLE)
    _dressed.set_chat_layout(column_width=ColumnWidth.NARROW, shows_statistics=False)
    _dressed.set_text_size(BASE_PX)
    if _dressed.tokens.side not in qapp.styleSheet():
        # Another theme has styled the application since, and this one does not know.
        _dressed.set_choice(ThemeChoice.DARK)
        _dressed.set_choice(ThemeChoice.LIGHT)
    # The initial state of a program, whatever the previous test did.
    child(_dressed, FocusRing)._set_input(by_keys=True)
    return _dressed


@pytest.fixture(autouse=True)
def _no_window_left(qapp: QApplication) -> Iterator[None]:
    """Fail a test that leaves a window: it would slow each change of the look for all tests behind it."""
    yield
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    remaining = [widget for widget in qapp.topLevelWidgets() if shiboken6.isValid(widget)]
    names = [
        f"{widget.metaObject().className()} “{widget.objectName() or widget.windowTitle()}”"
        for widget in remaining
    ]
    for widget in remaining:
        widget.deleteLater()
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    if remaining:
        pytest.fail("The test left open: " + ", ".join(names), pytrace=False)


@pytest.fixture(autouse=True)
def _parked_pointer(qapp: QApplication) -> None:
    """Move the pointer away: it stays where the last test left it, and a window that opens there is hovered.
    Release the buttons: one that is still pressed would make each move a drag."""
    QCursor.setPos(qapp.primaryScreen().geometry().bottomRight())
    for button in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton):
        if button in qapp.mouseButtons():
            QTest.mouseRelease(QWidget(), button, pos=QPoint(1, 1))


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lay messages out in one turn, however busy the machine is. Tests about the turns set their own time."""
    monkeypatch.setattr(block_column, "_BUILD_S", 20.0)


@pytest.fixture
def loop(qapp: QApplication) -> Iterator[asyncio.AbstractEventLoop]:
    """The loop that runs while Qt does."""
    event_loop = qasync.QEventLoop(qapp, already_running=True)
    yield event_loop
    close_clients()
    remaining = asyncio.all_tasks(event_loop)
    for task in remaining:
        task.cancel()
    deadline = time.monotonic() + _PATIENCE_MS / 1000
    while not all(task.done() for task in remaining) and time.monotonic() < deadline:
        qapp.processEvents()
    assert all(task.done() for task in remaining), "a task goes on though it was cancelled"
    asyncio.events._set_running_loop(None)
    # stop() would also end the application that all tests share.
    event_loop._QEventLoop__is_running = False
    event_loop.close()


@pytest.fixture
def client(loop: asyncio.AbstractEventLoop) -> AppClient:
    """The app in memory, with one model."""
    return AppClient()


@pytest.fixture(scope="session", autouse=True)
def _no_power_cut() -> Iterator[None]:
    """Skip ``fsync``: test data need not survive a power cut, and a busy disk takes seconds for it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        yield


@pytest.fixture
def hub() -> Iterator[FakeHub]:
    """A hub on loopback with nothing in it yet, which no request of an earlier test can reach."""
    with fake_hub() as server:
        yield server


@pytest.fixture
def errors() -> list[FiresideError]:
    """Errors that no part of the window handled."""
    return []


@pytest.fixture
def tasks(qtbot: QtBot, loop: asyncio.AbstractEventLoop, errors: list[FiresideError]) -> Iterator[TaskRunner]:
    """What ``fakes.client.settled`` waits for."""
    bugs: list[BaseException] = []
    runner = TaskRunner(loop, on_error=errors.append, on_bug=bugs.append)
    with settling(lambda: qtbot.waitUntil(lambda: runner.n_running == 0)):
        yield runner
    runner.cancel_all()
    assert not bugs
