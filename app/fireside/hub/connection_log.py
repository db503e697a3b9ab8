"""Record which connections were opened since the start, in memory, for the user."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Final, Protocol

import msgspec

from fireside.core.remote import Connection

_MAX_ENTRIES: Final = 2000
"""Beyond this the oldest are dropped."""


class CountingResponse(Protocol):
    """A response that counts the bytes of its body."""

    @property
    def num_bytes_downloaded(self) -> int: ...


class OpenConnection:
    """One request, while it runs and afterwards."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._response: CountingResponse | None = None

    def follow(self, response: CountingResponse) -> None:
        """Count the bytes of ``response`` from now on."""
        self._response = response

    def was_refused(self) -> None:
        """Record that there was no connection, so that nothing was sent."""
        self._connection = msgspec.structs.replace(self._connection, n_sent=0)

    def end(self) -> None:
        """Keep the byte count and drop the response."""
        self._connection, self._response = self.snapshot(), None

    def snapshot(self) -> Connection:
        if self._response is None:
            return self._connection
        return msgspec.structs.replace(self._connection, n_received=self._response.num_bytes_downloaded)


class ConnectionLog:
    """Written by the HTTP clients (``http_client``). Thread-safe."""

    def __init__(self, *, now: Callable[[], float] = time.time) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._entries: deque[OpenConnection] = deque(maxlen=_MAX_ENTRIES)

    def start(self, *, host: str, why: str, n_sent: int = 0) -> OpenConnection:
        """Record a request before it is sent: one that fails was tried nevertheless."""
        entry = OpenConnection(Connection(at_s=self._now(), host=host, why=why, n_sent=n_sent, n_received=0))
        with self._lock:
            self._entries.append(entry)
        return entry

    def all(self) -> tuple[Connection, ...]:
        """Return all connections, newest first."""
        with self._lock:
            entries = tuple(self._entries)
        return tuple(entry.snapshot() for entry in reversed(entries))

    def clear(self) -> None:
        """Delete all entries."""
        with self._lock:
            self._entries.clear()
