"""Time and size limits around uvicorn's HTTP protocol, which has none for a request."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

import h11
import msgspec

from fireside.api.access import MAX_HEAD_BYTES

if TYPE_CHECKING:
    from uvicorn.protocols.http.h11_impl import H11Protocol

H11_MAX_HEAD_BYTES: Final = 64 * 1024
"""uvicorn's limit of an incomplete head. Above ``MAX_HEAD_BYTES``, whose error says what is wrong."""
_MANY_CHUNKS: Final = 4096
_TINY_CHUNK_BYTES: Final = 64
"""More than that many chunks of a body are on average at least this long."""


class ConnectionLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits of the connections. Times in seconds."""

    head_s: float = 10.0
    """From a connection's start or a later request's first byte to the end of the request's head."""
    body_s: float = 60.0
    """For the whole body of a request."""
    keep_alive_s: float = 75.0
    """Between two requests."""
    max_connections: int = 256
    """Open at the same time."""


class BoundedReader(h11.Connection):
    """h11's connection, which parses no body of very many tiny chunks: that would hold up the loop."""

    def __init__(self) -> None:
        super().__init__(h11.SERVER, H11_MAX_HEAD_BYTES)
        self.has_tiny_chunks = False
        self._n_chunks = 0
        self._n_chunk_bytes = 0

    def next_event(self) -> Any:
        if self.has_tiny_chunks:
            return h11.NEED_DATA
        event = super().next_event()
        if isinstance(event, h11.Data):
            self._n_chunks += event.chunk_end
            self._n_chunk_bytes += len(event.data)
            self.has_tiny_chunks = (
                self._n_chunks > _MANY_CHUNKS and self._n_chunk_bytes < self._n_chunks * _TINY_CHUNK_BYTES
            )
        elif isinstance(event, h11.EndOfMessage):
            self._n_chunks = self._n_chunk_bytes = 0
        return event


class Connections:
    """The open connections of one server."""

    def __init__(self, limits: ConnectionLimits, make_http: Callable[[BoundedReader], H11Protocol]) -> None:
        self.limits = limits
        self.make_http = make_http
        self.open: set[ClientConnection] = set()
        self.all_closed = asyncio.Event()
        self.all_closed.set()

    def add(self, connection: ClientConnection) -> bool:
        """Add a connection. Returns whether there was room for it."""
        if len(self.open) >= self.limits.max_connections:
            return False
        self.open.add(connection)
        self.all_closed.clear()
        return True

    def remove(self, connection: ClientConnection) -> None:
        """Remove a closed connection."""
        self.open.discard(connection)
        if not self.open:
            self.all_closed.set()


class ClientConnection(asyncio.Protocol):
    """Passes bytes between the transport and uvicorn, and closes the connection at a deadline."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._limits = connections.limits
        self._http: H11Protocol | None = None
        self._reader = BoundedReader()
        self._transport: asyncio.Transport | None = None
        self._deadline: asyncio.TimerHandle | None = None
        self._awaited: object = None
        """The part of a request that the deadline is for, as a state of h11."""
        self._n_head_bytes = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        if not self._connections.add(self):
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE)
            return
        self._http = self._connections.make_http(self._reader)
        self._http.connection_made(transport)
        self._await_part(h11.IDLE, self._limits.head_s)

    def data_received(self, data: bytes) -> None:
        if self._http is None:
            return
        if self._reader.their_state is h11.IDLE:
            self._n_head_bytes += len(data)
            self._await_part(h11.IDLE, self._limits.head_s)
        self._http.data_received(data)
        state = self._reader.their_state
        if self._reader.has_tiny_chunks:
            self._refuse(HTTPStatus.BAD_REQUEST)
        elif state is h11.IDLE and self._n_head_bytes > MAX_HEAD_BYTES:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        elif state is h11.SEND_BODY:
            self._await_part(h11.SEND_BODY, self._limits.body_s)
        elif state is not h11.IDLE:
            self._clear_deadline()

    def eof_received(self) -> None:
        if self._http is not None:
            self._http.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        self._clear_deadline()
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
        """Close after the current response."""
        if self._http is not None:
            self._http.shutdown()

    def abort(self) -> None:
        """Close at once."""
        if self._transport is not None:
            self._transport.abort()

    def _await_part(self, part: object, limit_s: float) -> None:
        if self._awaited is part:
            return
        self._clear_deadline()
        self._awaited = part
        loop = asyncio.get_running_loop()
        self._deadline = loop.call_later(limit_s, self._refuse, HTTPStatus.REQUEST_TIMEOUT)

    def _clear_deadline(self) -> None:
        self._awaited = None
        self._n_head_bytes = 0
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _refuse(self, status: HTTPStatus) -> None:
        """Close with a bare status; a response that has begun is cut off."""
        assert self._transport is not None
        if self._http is None or self._reader.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            head = (
                f"HTTP/1.1 {status.value} {status.phrase}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
            )
            self._transport.write(head.encode())
        self._transport.close()
