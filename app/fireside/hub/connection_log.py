"""Which connections were opened since the start: kept in memory alone, for the user."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Final, Protocol

import msgspec

from fireside.core.remote import Connection

_MOST: Final = 2000
"""Of more, the oldest are forgotten."""


class Received(Protocol):
    """A response that counts the bytes of its body."""

    @property
    def num_bytes_downloaded(self) -> int: ...


class OpenConnection:
    """One request while it runs and afterwards."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._response: Received | None = None

    def follow(self, response: Received) -> None:
        """Count what ``response`` receives from now on."""
        self._response = response

    def was_refused(self) -> None:
        """There was no connection, so nothing was sent."""
        self._connection = msgspec.structs.replace(self._connection, n_sent=0)

    def end(self) -> None:
        """Keep the number and forget the response."""
        self._connection, self._response = self.snapshot(), None

    def snapshot(self) -> Connection:
        """Return how things stand."""
        if self._response is None:
            return self._connection
        return msgspec.structs.replace(self._connection, n_received=self._response.num_bytes_downloaded)


class ConnectionLog:
    """Written by what opens connections (``http_client``). Any thread."""

    def __init__(self, *, now: Callable[[], float] = time.time) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._entries: deque[OpenConnection] = deque(maxlen=_MOST)

    def start(self, *, host: str, why: str, n_sent: int = 0) -> OpenConnection:
        """Note a request before it leaves: one that fails was tried all the same."""
        entry = OpenConnection(Connection(at_s=self._now(), host=host, why=why, n_sent=n_sent, n_received=0))
        with self._lock:
            self._entries.append(entry)
        return entry

    def all(self) -> tuple[Connection, ...]:
        """Return what there was, the newest first."""
        with self._lock:
            entries = tuple(self._entries)
        return tuple(entry.snapshot() for entry in reversed(entries))

    def clear(self) -> None:
        """Forget all of it."""
        with self._lock:
            self._entries.clear()
