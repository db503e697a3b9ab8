"""Turn SIGTERM and Ctrl+C into a Qt signal, so that the program closes in order."""

from __future__ import annotations

import signal
import socket
from types import FrameType

from PySide6.QtCore import QObject, QSocketNotifier, Signal


class ProcessSignals(QObject):
    """Emits ``quit_requested`` on the GUI thread for each signal that asks the program to end.

    Python's signal handlers do not run while Qt's loop is idle, so the interpreter writes the signal's number
    to a socket that Qt watches. On Windows only Ctrl+C and Ctrl+Break exist.
    """

    quit_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._read, self._write = socket.socketpair()
        self._read.setblocking(False)
        self._write.setblocking(False)
        self._old_fd = signal.set_wakeup_fd(self._write.fileno(), warn_on_full_buffer=False)
        names = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
        numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
        self._old_handlers = {number: signal.signal(number, _ignore) for number in numbers}
        self._notifier = QSocketNotifier(self._read.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_activated)

    def close(self) -> None:
        """Restore the previous handlers."""
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(self._old_fd)
        for number, handler in self._old_handlers.items():
            signal.signal(number, handler)
        self._read.close()
        self._write.close()

    def _on_activated(self) -> None:
        self._read.recv(64)
        self.quit_requested.emit()


def _ignore(_number: int, _frame: FrameType | None) -> None:
    """Qt is notified through the socket."""
