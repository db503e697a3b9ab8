"""One client's connection: uvicorn speaks HTTP, here is how long and how large a request may be."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from http import HTTPStatus
from typing import Protocol

import h11
import msgspec

from fireside.api.access import MAX_HEAD_BYTES


class ConnectionLimits(msgspec.Struct, frozen=True, kw_only=True):
    """What a client may take. Times in seconds."""

    head_s: float = 10.0
    """For a request's head, from its first byte, and for the first byte of a connection."""
    body_s: float = 60.0
    """For a request's body, all of it."""
    keep_alive_s: float = 75.0
    """Between two requests."""
    most: int = 32
    """Connections at once."""


class HttpProtocol(Protocol):
    """What is used of uvicorn's ``H11Protocol``."""

    conn: h11.Connection

    def connection_made(self, transport: asyncio.Transport) -> None: ...

    def data_received(self, data: bytes) -> None: ...

    def eof_received(self) -> None: ...

    def connection_lost(self, exc: Exception | None) -> None: ...

    def pause_writing(self) -> None: ...

    def resume_writing(self) -> None: ...

    def shutdown(self) -> None: ...


class Connections:
    """All connections of one server."""

    def __init__(self, limits: ConnectionLimits, make_http: Callable[[], HttpProtocol]) -> None:
        self.limits = limits
        self.make_http = make_http
        self.open: set[Connection] = set()
        self.all_closed = asyncio.Event()
        self.all_closed.set()

    def add(self, connection: Connection) -> bool:
        """Take a connection in. False where there are too many."""
        if len(self.open) >= self.limits.most:
            return False
        self.open.add(connection)
        self.all_closed.clear()
        return True

    def remove(self, connection: Connection) -> None:
        """A connection is closed."""
        self.open.discard(connection)
        if not self.open:
            self.all_closed.set()


class Connection(asyncio.Protocol):
    """Passes on what comes and goes, and ends what takes too long. uvicorn sets no time for a request."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._limits = connections.limits
        self._http: HttpProtocol | None = None
        self._transport: asyncio.Transport | None = None
        self._deadline: asyncio.TimerHandle | None = None
        self._awaited: object = None
        """Which part of a request the deadline is for: h11's name of a state."""
        self._n_head_bytes = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        if not self._connections.add(self):
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE)
            return
        self._http = self._connections.make_http()
        self._http.connection_made(transport)
        self._await_part(h11.IDLE, self._limits.head_s)

    def data_received(self, data: bytes) -> None:
        if self._http is None:
            return
        if self._http.conn.their_state is h11.IDLE:
            self._n_head_bytes += len(data)
            self._await_part(h11.IDLE, self._limits.head_s)
        self._http.data_received(data)
        state = self._http.conn.their_state
        if state is h11.IDLE and self._n_head_bytes > MAX_HEAD_BYTES:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        elif state is h11.SEND_BODY:
            self._await_part(h11.SEND_BODY, self._limits.body_s)
        elif state is not h11.IDLE:
            self._await_nothing()

    def eof_received(self) -> None:
        if self._http is not None:
            self._http.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        self._await_nothing()
        self._connections.remove(self)
        if self._http is not None:
            self._http.connection_lost(exc)

    def pause_writing(self) -> None:
        if self._http is not None:
            self._http.pause_writing()

    def resume_writing(self) -> None:
        if self._http is not None:
            self._http.resume_writing()

    def shutdown(self) -> None:
        """Close once what is being answered is answered."""
        if self._http is not None:
            self._http.shutdown()

    def abort(self) -> None:
        """Close now."""
        if self._transport is not None:
            self._transport.abort()

    def _await_part(self, part: object, limit_s: float) -> None:
        if self._awaited is part:
            return
        self._await_nothing()
        self._awaited = part
        loop = asyncio.get_running_loop()
        self._deadline = loop.call_later(limit_s, self._refuse, HTTPStatus.REQUEST_TIMEOUT)

    def _await_nothing(self) -> None:
        self._awaited = None
        self._n_head_bytes = 0
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _refuse(self, status: HTTPStatus) -> None:
        """Close with a bare status. Where an answer has begun already, it is cut off."""
        assert self._transport is not None
        if self._http is None or self._http.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            head = (
                f"HTTP/1.1 {status.value} {status.phrase}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
            )
            self._transport.write(head.encode())
        self._transport.close()
