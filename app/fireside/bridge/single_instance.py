"""One Fireside a data folder: the second start raises the first and ends."""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from pathlib import Path

from PySide6.QtCore import QElapsedTimer, QLockFile, QObject, QThread, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

_RAISE = b"raise\n"
_CONNECT_TIMEOUT_MS = 3000
"""The owner may have taken the lock and not be listening yet."""


class SingleInstance(QObject):
    """Hold the lock of one data folder, or tell its owner to come to the front.

    The lock file lies in the user's own run-time folder, so that a data folder which cannot be written does
    not matter. ``raised`` is emitted when another start asked for the window.
    """

    raised = Signal()

    def __init__(self, *, data_folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        key = hashlib.sha256(str(data_folder.absolute()).encode(errors="surrogateescape")).hexdigest()[:16]
        folder = _runtime_folder()
        self._server_name = f"fireside-{key}" if sys.platform == "win32" else str(folder / f"{key}.socket")
        self._lock = QLockFile(str(folder / f"{key}.lock"))
        self._lock.setStaleLockTime(0)  # never by age; a dead owner is recognised by its process id
        self._server: QLocalServer | None = None

    def acquire(self) -> bool:
        """Become the owner and listen. ``False`` if another process is; see ``raise_owner``."""
        if not self._lock.tryLock(0):
            return False
        QLocalServer.removeServer(self._server_name)  # left by an owner that was killed
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._on_connection)
        self._server.listen(self._server_name)
        return True

    def raise_owner(self) -> bool:
        """Ask the owner to show its window. Blocks up to 3 s; returns whether it was told."""
        clock = QElapsedTimer()
        clock.start()
        while clock.elapsed() < _CONNECT_TIMEOUT_MS:
            socket = QLocalSocket()
            socket.connectToServer(self._server_name)
            if socket.waitForConnected(500):
                socket.write(_RAISE)
                told = socket.waitForBytesWritten(1000)
                socket.disconnectFromServer()
                return told
            QThread.msleep(50)
        return False

    def release(self) -> None:
        """Stop listening and give the lock back."""
        if self._server is not None:
            self._server.close()
            self._server = None
        self._lock.unlock()

    def _on_connection(self) -> None:
        if self._server is None:
            return
        socket = self._server.nextPendingConnection()
        socket.disconnected.connect(socket.deleteLater)
        self.raised.emit()


def _runtime_folder() -> Path:
    """Return a folder of this user alone that is always writable, made if need be."""
    if sys.platform == "win32":
        folder = Path(tempfile.gettempdir()) / "fireside"  # each user has a temporary folder of their own
    else:
        given = os.environ.get("XDG_RUNTIME_DIR")
        folder = Path(given or f"{tempfile.gettempdir()}/fireside-{os.getuid()}") / "fireside"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder
