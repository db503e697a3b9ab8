"""Lock the data on demand and after a while without input."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject, QTimer, Slot
from PySide6.QtGui import QWindow
from PySide6.QtWidgets import QApplication

from fireside.bridge.client import EngineClient
from fireside.core.i18n import tr
from fireside.settings.values import Group
from fireside.ui.privacy.passphrase_sheets import LockWhileAnsweringSheet
from fireside.ui.tasks import TaskRunner, task
from fireside.ui.window_context import WindowContext

_POLL_MS: Final = 1000
_INPUT: Final = frozenset(
    {
        QEvent.Type.KeyPress,
        QEvent.Type.ShortcutOverride,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.MouseMove,
        QEvent.Type.Wheel,
        QEvent.Type.TouchBegin,
    }
)
"""What a window gets; what an input method composes moves the cursor."""


class LockController(QObject):
    """Locks the data, after asking where an answer is being written. GUI thread only."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context.window)
        self._context = context
        self._client, self._tasks = context.client, context.tasks
        self._on_error = context.show_error
        self.sheet: LockWhileAnsweringSheet | None = None
        self._waiting = QTimer(self, interval=_POLL_MS)
        self._waiting.timeout.connect(self._lock_when_done)

    @task
    async def lock(self) -> None:
        """Lock now, or say how to set a passphrase."""
        router = self._context.router
        if not (await self._client.passphrase.state()).has_passphrase:
            router.show_settings_section(Group.PRIVACY)
            self._context.toast.show_message(tr("Set a passphrase first; then you can lock your chats."))
        elif await self._client.passphrase.is_answering():
            self._ask()
        else:
            router.lock_now()

    def _ask(self) -> None:
        if self.sheet is not None:
            return
        self.sheet = LockWhileAnsweringSheet(
            parent=self._context.window, on_now=self._lock_now, on_later=self._lock_later
        )
        self.sheet.finished.connect(self._on_closed)
        self.sheet.open()

    def _on_closed(self) -> None:
        self.sheet = None

    def _lock_now(self) -> None:
        self._context.router.lock_now()

    def _lock_later(self) -> None:
        if self.sheet is not None:
            self.sheet.accept()
        self._context.toast.show_message(tr("Fireside locks when the answer is done."))
        self._waiting.start()

    @task
    async def _lock_when_done(self) -> None:
        if not await self._client.passphrase.is_answering():
            self._waiting.stop()
            self._context.router.lock_now()


class IdleLock(QObject):
    """Calls ``lock`` once there was no input for a while, and no answer is being written. GUI thread only."""

    def __init__(
        self,
        application: QApplication,
        client: EngineClient,
        tasks: TaskRunner,
        *,
        limit_s: Callable[[], float],
        lock: Callable[[], None],
        clock: Callable[[], float] = time.time,
    ) -> None:
        """``limit_s`` returns the seconds without input, 0 for never. The clock goes on while the computer
        sleeps."""
        super().__init__(application)
        self._client, self._tasks = client, tasks
        self._limit_s, self._lock, self._clock = limit_s, lock, clock
        self._last = clock()
        self._timer = QTimer(self, interval=_POLL_MS)
        self._timer.timeout.connect(self.check)
        self._timer.start()
        application.inputMethod().cursorRectangleChanged.connect(self._on_input)
        application.focusWindowChanged.connect(self._on_window_changed)
        self._on_window_changed(application.focusWindow())

    @Slot(QWindow)
    def _on_window_changed(self, window: QWindow | None) -> None:
        self._on_input()
        if window is not None:
            # On the window, which gets only input events: a filter of the application would see every event.
            window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _INPUT:
            self._on_input()
        return super().eventFilter(watched, event)

    @Slot()
    def _on_input(self) -> None:
        self._last = self._clock()

    def check(self) -> None:
        """Lock if it is time."""
        limit_s = self._limit_s()
        if limit_s and self._clock() - self._last >= limit_s:
            self._tasks.run(self._lock_if_idle(), on_error=lambda _: None)

    async def _lock_if_idle(self) -> None:
        passphrase = self._client.passphrase
        if (await passphrase.state()).has_passphrase and not await passphrase.is_answering():
            self._timer.stop()
            self._lock()
        else:
            self._last = self._clock()

    def close(self) -> None:
        """Watch no longer."""
        self._timer.stop()
        self.deleteLater()
