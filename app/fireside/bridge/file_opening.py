"""Files that the system asks this running program to open, as macOS does."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

_TOGETHER_MS: Final = 100
"""Files that were opened together come one by one."""


class FileOpening(QObject):
    """Emit ``opened`` with a tuple of paths. What comes before ``start`` waits for it. GUI thread only."""

    opened = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._paths: list[str] = []
        self._has_started = False
        self._timer = QTimer(self, singleShot=True, interval=_TOGETHER_MS)
        self._timer.timeout.connect(self._emit)

    def start(self) -> None:
        """Report files from now on, those that came before first."""
        self._has_started = True
        if self._paths:
            self._timer.start()

    def take(self, event: QFileOpenEvent) -> None:
        """Note the file that an event names; an address of the web is none."""
        if path := event.file():
            self._paths.append(path)
            if self._has_started:
                self._timer.start()

    def _emit(self) -> None:
        paths, self._paths = tuple(self._paths), []
        self.opened.emit(paths)


class Application(QApplication):
    """The one application of the process, which hears what the system wants opened."""

    def __init__(self, argv: list[str]) -> None:
        super().__init__(argv)
        self.opening = FileOpening(self)

    def event(self, event: QEvent) -> bool:
        # Not an event filter: it would see every event of every widget.
        if isinstance(event, QFileOpenEvent):
            self.opening.take(event)
            return True
        return super().event(event)
