"""Detects when a window is painted for the first time."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

_TIMEOUT_MS: Final = 500


class FirstPaint(QObject):
    """Emits ``painted`` once ``window`` has been painted. GUI thread only."""

    painted = Signal()
    """Emitted once; after ``_TIMEOUT_MS`` also for a window that opened minimised and is not painted."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._timer = QTimer(self, singleShot=True, interval=_TIMEOUT_MS)
        self._timer.timeout.connect(self._on_painted)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show:
            self._timer.start()
        elif event.type() == QEvent.Type.Paint:
            # The next turn of the event loop: by then all child widgets are painted too.
            self._timer.start(0)
            watched.removeEventFilter(self)
        return False

    def _on_painted(self) -> None:
        self._window.removeEventFilter(self)
        self.painted.emit()
