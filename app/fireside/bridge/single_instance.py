"""Single-instance lock for a data folder; a second process passes its files to the first and exits."""

from __future__ import annotations

import ctypes
import logging
import os
import socket
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from PySide6.QtCore import QElapsedTimer, QLockFile, QObject, QThread, QTimer, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from fireside.bridge.runtime_folder import runtime_folder, runtime_name
from fireside.files.socket_peer import is_own_user
from fireside.wire.frames import FrameSplitter, FrameTooLarge, encode_frame

log = logging.getLogger(__name__)

_CONNECT_TIMEOUT_MS: Final = 3000
"""The owner may hold the lock and not be listening yet."""
_ANSWER_TIMEOUT_MS: Final = 10_000
"""The owner may still be creating its window."""
_MESSAGE_TIMEOUT_MS: Final = 5000
_READ_BYTES: Final = 64 * 1024
_MAX_CONNECTIONS: Final = 32
"""Concurrent connections: a file manager that opens many files starts as many processes."""
MAX_PATHS: Final = 1000
MAX_PATH_BYTES: Final = 32_767
"""The limit of Windows, the largest of any system."""
MAX_MESSAGE_BYTES: Final = 4 * 1024 * 1024
"""A command line cannot be longer."""
ACKNOWLEDGEMENT: Final = b"taken\n"
"""What the running instance replies."""


class SingleInstance(QObject):
    """The lock of one data folder, and the local socket through which other processes reach its owner.

    Both are in the user's runtime folder, so the data folder may be read-only. GUI thread only.
    """

    activation_requested = Signal(object)
    """Another process asks for the window; carries a tuple of the absolute paths to open."""
    quick_question_requested = Signal()
    """Another process asks for a quick question instead of the window."""

    def __init__(self, *, data_folder: Path) -> None:
        super().__init__()
        key = runtime_name(data_folder)
        folder = runtime_folder(fallback=data_folder / "run")
        self._server_name = f"fireside-{key}" if sys.platform == "win32" else str(folder / f"{key}.socket")
        self._lock = QLockFile(str(folder / f"{key}.lock"))
        self._lock.setStaleLockTime(0)  # not by age: a dead owner is recognised by its process id
        self._server: QLocalServer | None = None
        self._connections: set[_Connection] = set()

    def acquire(self) -> bool:
        """Take the lock and listen. Return ``False`` if another process owns it; then ``hand_over``."""
        if not self._lock.tryLock(0):
            return False
        QLocalServer.removeServer(self._server_name)  # left by an owner that was killed
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._on_connection)
        if not self._server.listen(self._server_name):
            log.error("other starts cannot reach this one: it cannot listen (%s)", self._server.errorString())
        return True

    def hand_over(
        self, paths: Sequence[str] = (), *, quick_question: bool = False, timeout_ms: int = _ANSWER_TIMEOUT_MS
    ) -> bool:
        """Ask the owner to show its window and open ``paths``, or to open a quick question.

        Block until it acknowledges, at most for the timeouts; return whether it did.
        """
        _allow_owner_to_raise_window()
        socket = self._connect(within_ms=_CONNECT_TIMEOUT_MS)
        return socket is not None and _send(
            socket, encode_message(paths, quick_question=quick_question), timeout_ms=timeout_ms
        )

    def _connect(self, *, within_ms: int) -> QLocalSocket | None:
        clock = QElapsedTimer()
        clock.start()
        while clock.elapsed() < within_ms:
            socket = QLocalSocket()
            socket.connectToServer(self._server_name)
            if socket.waitForConnected(500):
                return socket
            QThread.msleep(50)
        return None

    def release(self) -> None:
        """Close the socket and release the lock."""
        for connection in tuple(self._connections):
            connection.close()
        if self._server is not None:
            self._server.close()
            self._server = None
        self._lock.unlock()

    def _on_connection(self) -> None:
        while self._server is not None and self._server.hasPendingConnections():
            socket = self._server.nextPendingConnection()
            if len(self._connections) >= _MAX_CONNECTIONS or not is_same_user(socket):
                log.warning("a connection that is no second start of Fireside was refused")
                socket.abort()
                socket.deleteLater()
            else:
                connection = _Connection(
                    socket,
                    on_paths=self.activation_requested.emit,
                    on_quick=self.quick_question_requested.emit,
                    on_end=self._connections.discard,
                )
                self._connections.add(connection)
                connection.start()


class _Connection:
    """A connection from another process: reads its message and acknowledges. Times out in seconds."""

    def __init__(
        self,
        socket: QLocalSocket,
        *,
        on_paths: Callable[[tuple[str, ...]], None],
        on_quick: Callable[[], None],
        on_end: Callable[[_Connection], None],
    ) -> None:
        self._socket = socket
        self._on_paths = on_paths
        self._on_quick = on_quick
        self._on_end = on_end
        self._splitter = FrameSplitter(limit_bytes=MAX_MESSAGE_BYTES)
        self._is_over = False

    def start(self) -> None:
        """Start to read the message."""
        self._socket.setReadBufferSize(_READ_BYTES)
        self._socket.readyRead.connect(self._on_ready)
        self._socket.disconnected.connect(self.close)
        QTimer.singleShot(_MESSAGE_TIMEOUT_MS, self._socket, self.close)
        self._on_ready()  # data that came with the connection is not signalled

    def close(self) -> None:
        """Close the connection; ``on_end`` is called once."""
        if not self._is_over:
            self._is_over = True
            self._on_end(self)
            self._socket.disconnectFromServer()  # after pending data has been written
            self._socket.deleteLater()

    def _on_ready(self) -> None:
        try:
            body = next(self._splitter.feed(bytes(self._socket.readAll().data())), None)
        except FrameTooLarge:
            body = b""
        if body is None or self._is_over:
            return
        request = decode_message(body)
        if request is None:
            log.warning("a message of another process was malformed")
        else:
            self._socket.write(ACKNOWLEDGEMENT)
            self._socket.flush()
        self.close()
        if request is not None and request.is_quick_question:
            self._on_quick()
        elif request is not None:
            self._on_paths(request.paths)


def _was_written(socket: QLocalSocket, message: bytes, *, timeout_ms: int) -> bool:
    socket.write(message)
    while socket.bytesToWrite():
        if not socket.waitForBytesWritten(timeout_ms):
            return False
    return True


def _send(socket: QLocalSocket, message: bytes, *, timeout_ms: int) -> bool:
    if not _was_written(socket, message, timeout_ms=timeout_ms):
        return False
    while socket.bytesAvailable() < len(ACKNOWLEDGEMENT):
        if not socket.waitForReadyRead(timeout_ms):
            return False
    return bool(socket.readAll().data() == ACKNOWLEDGEMENT)


def _allow_owner_to_raise_window() -> None:
    """Let the owner raise its window, which Windows permits only with the foreground program's consent."""
    if sys.platform == "win32":
        any_process = -1
        ctypes.windll.user32.AllowSetForegroundWindow(any_process)


class _Message(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    paths: tuple[bytes, ...]
    """As bytes of the file system, since a name need not be valid text."""
    asks: bool = False
    """Whether to open a quick question instead of the window."""


class InstanceRequest(NamedTuple):
    """What another process asks for: to open ``paths``, which are absolute, or a quick question."""

    paths: tuple[str, ...]
    is_quick_question: bool


def encode_message(paths: Sequence[str], *, quick_question: bool = False) -> bytes:
    """Return the message that asks to open ``paths``, or a quick question instead of the window.

    Paths are made absolute, since the running instance has another working directory.
    """
    # Not resolve(): it would replace the name of a link, which is what the user chose.
    absolute = tuple(os.fsencode(os.path.abspath(path)) for path in paths)  # noqa: PTH100
    return encode_frame(_Message(paths=absolute, asks=quick_question))


def decode_message(body: bytes) -> InstanceRequest | None:
    """Return what a message asks for; ``None`` if it is malformed or over the limits."""
    try:
        decoded = msgspec.msgpack.decode(body, type=_Message)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return None
    if len(decoded.paths) > MAX_PATHS:
        return None
    paths = tuple(os.fsdecode(path) for path in decoded.paths if len(path) <= MAX_PATH_BYTES)
    are_paths = all("\0" not in path and os.path.isabs(path) for path in paths)  # noqa: PTH117, not a Path yet
    if not are_paths or len(paths) != len(decoded.paths):
        return None
    return InstanceRequest(paths, decoded.asks)


def is_same_user(connection: QLocalSocket) -> bool:
    """Return whether the peer belongs to this user. On Windows the pipe itself admits no other user."""
    if sys.platform == "win32":
        return True
    try:
        with socket.socket(fileno=os.dup(int(connection.socketDescriptor()))) as duplicate:
            return is_own_user(duplicate)
    except OSError:
        return False
