"""Know when a window can be seen."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

_PATIENCE_MS: Final = 500


class FirstPaint(QObject):
    """Waits until ``window`` is painted for the first time. GUI thread only."""

    seen = Signal()
    """The window is painted, or opens minimised and is not painted for now. Emitted once."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._patience = QTimer(self, singleShot=True, interval=_PATIENCE_MS)
        self._patience.timeout.connect(self._on_seen)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show:
            self._patience.start()
        elif event.type() == QEvent.Type.Paint:
            # Emitted once the window and everything on it is painted.
            self._patience.start(0)
            watched.removeEventFilter(self)
        return False

    def _on_seen(self) -> None:
        self._window.removeEventFilter(self)
        self.seen.emit()
