"""The ASGI application: checks a request, has it answered, and sends what comes, whole or in pieces."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from http import HTTPStatus
from typing import Any, Final

import msgspec

from fireside.api.access import (
    AccessPolicy,
    RequestHead,
    authenticate,
    check_content_type,
    check_host_and_origin,
    check_scope,
    cors_headers,
    parse_head,
)
from fireside.api.activity import ApiActivity
from fireside.api.http_error import HttpError, http_error_of
from fireside.api.http_messages import JSON, Dialect, HttpRequest, HttpResponse, Route, StreamingResponse
from fireside.api.routes import Routes
from fireside.core.errors import EngineStopped, FiresideError, QueueFull
from fireside.settings.api_tokens import Client, Tokens

log = logging.getLogger(__name__)

MAX_BODY_BYTES: Final = 8 * 1024 * 1024
HEARTBEAT_S: Final = 10.0
SILENCE_S: Final = 20.0
"""So long the status of a whole answer waits for it; then it is sent, and spaces, which JSON may have."""
_SPACE: Final = b" "
_CLOSE: Final = (("connection", "close"),)

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class Access(msgspec.Struct, frozen=True, kw_only=True):
    """Who is let in, looked at anew for each request."""

    policy: Callable[[], AccessPolicy]
    tokens: Tokens
    max_requests_per_client: Callable[[], int]
    """Requests that one client may have at once."""


class HttpApp:
    """Answers every request with what its route says, and every error in its dialect's own shape."""

    def __init__(
        self, routes: Routes, access: Access, activity: ApiActivity, *, heartbeat_s: float = HEARTBEAT_S
    ) -> None:
        self._routes = routes
        self._access = access
        self._activity = activity
        self._heartbeat_s = heartbeat_s
        self._n_by_client: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closing = False

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        path, method = str(scope["path"]), str(scope["method"])
        sent = bytes(scope["raw_path"]).decode("ascii")  # without line ends, which ``path`` may have
        dialect = self._routes.dialect_of(path)
        began = time.monotonic()
        address = str((scope.get("client") or ("local", 0))[0])
        out = _Output(send, dialect, client=address)
        try:
            await self._answer(parse_head(method, path, scope["headers"]), out, receive, address=address)
        except HttpError as http_error:
            await out.send_error(http_error)
            self._activity.record_error(out.client, sent, http_error.message)
        except _ClientGone:
            pass
        except Exception:
            log.exception("a request to %s failed", sent)
            await out.send_error(
                HttpError(HTTPStatus.INTERNAL_SERVER_ERROR, "Fireside has a defect. Its log says where.")
            )
        finally:
            took_ms = (time.monotonic() - began) * 1000
            log.info("%s %s %s %s %.0f ms", address, method, sent, out.status or "-", took_ms)

    def close(self) -> None:
        """End what runs: streams with an error, the rest with a status."""
        self._is_closing = True
        for task in self._tasks:
            task.cancel()

    async def _answer(self, head: RequestHead, out: _Output, receive: Receive, *, address: str) -> None:
        policy = self._access.policy()
        check_host_and_origin(head, policy)
        out.headers = cors_headers(head, policy)
        if head.method == "OPTIONS":
            await out.reply(HttpResponse(status=HTTPStatus.NO_CONTENT))
            return
        route = self._routes.find(head.method, head.path)
        client = self._client(head, route, policy, address=address)
        out.client = client.name
        if not route.is_public:
            check_scope(client, route.scope)
        if head.method == "POST":
            check_content_type(head)
        body = await _read_body(head, receive)
        most = self._access.max_requests_per_client()
        if self._n_by_client[client.id] >= most:
            raise http_error_of(QueueFull(limit=most))
        self._n_by_client[client.id] += 1
        running = self._activity.start_request(client.name, head.path)
        call = HttpRequest(path=head.path, headers=head.headers, body=body, client=client, running=running)
        try:
            await self._until_gone(self._serve(route, call, out), receive)
        finally:
            self._n_by_client[client.id] -= 1
            self._activity.end_request(running)

    def _client(self, head: RequestHead, route: Route, policy: AccessPolicy, *, address: str) -> Client:
        if route.is_public:
            return Client(id=address, name=address, scopes=frozenset())
        return authenticate(head, policy, self._access.tokens, address=address)

    async def _until_gone(self, work: Awaitable[None], receive: Receive) -> None:
        """Do ``work``, and let it go as soon as the client closes its connection."""
        working: asyncio.Task[None] = asyncio.ensure_future(work)
        gone = asyncio.ensure_future(_closed(receive))
        self._tasks.add(working)
        try:
            await asyncio.wait({working, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not working.done():
                working.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await working
        finally:
            self._tasks.discard(working)
            working.cancel()
            gone.cancel()

    async def _serve(self, route: Route, request: HttpRequest, out: _Output) -> None:
        try:
            answer = await self._awaited(route.handler(request), out)
            if isinstance(answer, HttpResponse):
                await out.reply(answer)
            else:
                await self._stream(answer, out)
        except FiresideError as exc:
            raise http_error_of(exc) from exc
        except asyncio.CancelledError:
            if not self._is_closing:
                raise
            await out.send_error(http_error_of(EngineStopped()))

    async def _stream(self, stream: StreamingResponse, out: _Output) -> None:
        await out.start_stream(stream)
        beating = asyncio.create_task(self._beat(stream, out))
        try:
            async for piece in stream.chunks:
                await out.write(piece)
        except FiresideError as exc:
            raise http_error_of(exc) from exc
        finally:
            beating.cancel()
            await _close(stream.chunks)
        await out.end()

    async def _awaited(
        self, completion: Awaitable[HttpResponse | StreamingResponse], out: _Output
    ) -> HttpResponse | StreamingResponse:
        """Return what is answered; meanwhile the client of one that takes long hears something."""
        filling = asyncio.create_task(self._fill_silence(out))
        try:
            return await completion
        finally:
            filling.cancel()

    async def _fill_silence(self, out: _Output) -> None:
        await asyncio.sleep(SILENCE_S)
        await out.start_pending()
        while True:
            await out.write(_SPACE)
            await asyncio.sleep(self._heartbeat_s)

    async def _beat(self, stream: StreamingResponse, out: _Output) -> None:
        loop = asyncio.get_running_loop()
        while True:
            silence_s = loop.time() - out.wrote_at
            if silence_s < self._heartbeat_s:
                await asyncio.sleep(self._heartbeat_s - silence_s)
            else:
                await out.write(stream.heartbeat)


class _ClientGone(Exception):
    """The connection was closed before the request was whole."""


class _Output:
    """What is sent of one reply. An error after the beginning is a piece of the stream."""

    def __init__(self, send: Send, dialect: Dialect, *, client: str) -> None:
        self.client = client
        """Who asked: an address, or the name of a token once that is known."""
        self._send = send
        self._dialect = dialect
        self._stream: StreamingResponse | None = None
        self._is_awaited = False
        """The head of a whole reply is sent, and no more."""
        self.status: int | None = None
        self.headers: tuple[tuple[str, str], ...] = ()
        self.wrote_at = 0.0

    async def reply(self, reply: HttpResponse) -> None:
        """Send a whole reply."""
        if self.status is not None:
            await self.write(reply.body)
            await self.end()
            return
        await self._head(
            reply.status,
            (
                *((("content-type", reply.content_type),) if reply.body else ()),
                ("content-length", str(len(reply.body))),
                *reply.headers,
            ),
        )
        await self._send({"type": "http.response.body", "body": reply.body})

    async def start_stream(self, stream: StreamingResponse) -> None:
        """Send the head of a stream."""
        self._stream = stream
        if self.status is not None:
            await self.write(b"\n")
            return
        await self._head(
            HTTPStatus.OK,
            (
                ("content-type", stream.content_type),
                ("cache-control", "no-cache"),
                ("x-accel-buffering", "no"),
            ),
        )

    async def start_pending(self) -> None:
        """Send the head of a whole reply before there is one."""
        await self._head(HTTPStatus.OK, (("content-type", JSON), ("cache-control", "no-cache")))
        self._is_awaited = True

    async def write(self, piece: bytes) -> None:
        """Send a piece; waits while the client is far behind."""
        if piece:
            self.wrote_at = asyncio.get_running_loop().time()
            await self._send({"type": "http.response.body", "body": piece, "more_body": True})

    async def end(self) -> None:
        """End the stream."""
        await self._send({"type": "http.response.body", "body": b""})

    async def send_error(self, http_error: HttpError) -> None:
        """Say what went wrong, wherever the reply is."""
        if self._stream is not None:
            await self.write(self._stream.error_chunk(http_error))
            await self.end()
            return
        if self.status is not None and not self._is_awaited:
            return
        is_busy = http_error.status == HTTPStatus.SERVICE_UNAVAILABLE
        status = self._dialect.busy_status if is_busy else http_error.status
        body = msgspec.json.encode(self._dialect.error(http_error))
        await self.reply(HttpResponse(body=body, status=status, headers=http_error.headers))

    async def _head(self, status: int, headers: tuple[tuple[str, str], ...]) -> None:
        self.status = status
        self.wrote_at = asyncio.get_running_loop().time()
        raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in (*headers, *self.headers)]
        await self._send({"type": "http.response.start", "status": int(status), "headers": raw})


async def _read_body(head: RequestHead, receive: Receive) -> bytes:
    """Return the body. Raises ``HttpError`` as soon as it is too large, whatever its head says."""
    too_large = HttpError(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        f"The body is larger than {MAX_BODY_BYTES // 2**20} MiB.",
        headers=_CLOSE,
    )
    told = head.headers.get("content-length", "0")
    if told.isdecimal() and int(told) > MAX_BODY_BYTES:
        raise too_large
    parts, n_bytes = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _ClientGone
        parts.append(message.get("body", b""))
        n_bytes += len(parts[-1])
        if n_bytes > MAX_BODY_BYTES:
            raise too_large
        if not message.get("more_body", False):
            return b"".join(parts)


async def _closed(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _close(pieces: AsyncIterator[bytes]) -> None:
    close = getattr(pieces, "aclose", None)
    if close is not None:
        await close()
