"""A network between a program and a server that can be cut and mended."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_PIECE = 16 * 1024


class Relay:
    """Passes bytes on between one port of its own and another. Methods may be called from any thread."""

    def __init__(self, *, port: int) -> None:
        self._target = ("127.0.0.1", port)
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._listener = self._listen(0)
        self.port: int = self._listener.getsockname()[1]

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def cut(self) -> None:
        """End every connection and refuse new ones."""
        self._close(self._listener)
        with self._lock:
            still_open, self._open = self._open, set()
        for each in still_open:
            self._close(each)

    def mend(self) -> None:
        """Take connections again, on the same port."""
        self._listener = self._listen(self.port)

    def _listen(self, port: int) -> socket.socket:
        listener = socket.create_server(("127.0.0.1", port))
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()
        return listener

    def _accept(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = listener.accept()
                server = socket.create_connection(self._target)
                with self._lock:
                    self._open |= {client, server}
                for source, sink in ((client, server), (server, client)):
                    threading.Thread(target=self._pass_on, args=(source, sink), daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while piece := source.recv(_PIECE):
                sink.sendall(piece)
        for each in (source, sink):
            self._close(each)
            with self._lock:
                self._open.discard(each)

    @staticmethod
    def _close(each: socket.socket) -> None:
        with contextlib.suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)  # wakes the thread that waits for it
        each.close()


@contextmanager
def relay(*, port: int) -> Iterator[Relay]:
    """Start a relay and cut it for good at the end."""
    made = Relay(port=port)
    try:
        yield made
    finally:
        made.cut()
