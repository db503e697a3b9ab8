"""Handle the system's requests to open files in the running program (macOS)."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

_TOGETHER_MS: Final = 100
"""Files that are opened together arrive as one event each within this time."""


class FileOpening(QObject):
    """Emits ``opened`` with a tuple of paths, after ``start`` has been called. GUI thread only."""

    opened = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._paths: list[str] = []
        self._has_started = False
        self._timer = QTimer(self, singleShot=True, interval=_TOGETHER_MS)
        self._timer.timeout.connect(self._emit)

    def start(self) -> None:
        """Emit the files recorded so far, and later ones as they arrive."""
        self._has_started = True
        if self._paths:
            self._timer.start()

    def record(self, event: QFileOpenEvent) -> None:
        """Record the file of an event; ignore a web address."""
        if path := event.file():
            self._paths.append(path)
            if self._has_started:
                self._timer.start()

    def _emit(self) -> None:
        paths, self._paths = tuple(self._paths), []
        self.opened.emit(paths)


class FiresideApplication(QApplication):
    """The ``QApplication`` of the process, which handles ``QFileOpenEvent``."""

    def __init__(self, argv: list[str]) -> None:
        super().__init__(argv)
        self.opening = FileOpening(self)

    def event(self, event: QEvent) -> bool:
        # Not an event filter: it would see every event of every widget.
        if isinstance(event, QFileOpenEvent):
            self.opening.record(event)
            return True
        return super().event(event)
