"""The ASGI application: checks a request, calls its handler, and sends the response, whole or streamed."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import time
import zlib
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, MutableMapping, Sequence
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import parse_qsl

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
from fireside.api.http_error import HttpError, http_error_of, invalid
from fireside.api.http_messages import (
    JSON,
    MAX_BODY_BYTES,
    Dialect,
    HttpRequest,
    HttpResponse,
    RoutedRequest,
    StreamingResponse,
    too_large,
)
from fireside.api.routes import Routes
from fireside.core.errors import EngineStopped, FiresideError, QueueFull
from fireside.settings.api_tokens import ApiTokens, Client
from fireside.speech_host.speech_messages import MAX_AUDIO_BYTES

log = logging.getLogger(__name__)

MAX_MEDIA_BYTES: Final = MAX_AUDIO_BYTES
"""Of a body with files in base64, which beside them is as short as any other; also of a sound file."""
MAX_READ_BYTES: Final = 64 * 1024 * 1024
"""A body that is too large is read up to here before it is refused."""
_ENCODINGS: Final = ("gzip", "x-gzip", "deflate")
_MAX_MEMBERS: Final = 64
_DETECT_HEADER: Final = 32
"""Of zlib: take the header of gzip and that of zlib."""
HEARTBEAT_S: Final = 10.0
SILENCE_S: Final = 20.0
"""How long the head of a whole response waits for its body. Then it is sent with spaces, which JSON allows
before a value, so that clients do not time out."""
_SPACE: Final = b" "
_CLOSE: Final = (("connection", "close"),)

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class ApiAccess(msgspec.Struct, frozen=True, kw_only=True):
    """Who may send requests, and how many."""

    policy: Callable[[], AccessPolicy]
    """Called for each request: the port is known only once the server listens."""
    tokens: ApiTokens
    max_requests_per_client: int
    """Requests of one client at the same time."""
    is_network: bool = False
    """Whether other devices ask: each needs a token of a device."""
    on_refused: Callable[[str], None] = lambda _: None
    """Called with the address of who was refused before it was known."""


class HttpApp:
    """Handles each request by its route, and formats each error in the dialect of its path."""

    def __init__(
        self, routes: Routes, access: ApiAccess, activity: ApiActivity, *, heartbeat_s: float = HEARTBEAT_S
    ) -> None:
        self._routes = routes
        self._access = access
        self._activity = activity
        self._heartbeat_s = heartbeat_s
        self._n_by_client: Counter[str] = Counter()
        self._decoding = asyncio.Lock()
        self._tasks: dict[asyncio.Task[None], str] = {}
        """Running requests, with the id of their client."""
        self._ended: dict[asyncio.Task[None], HttpError] = {}
        """Why requests are ended before their time."""

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        authority, path = _target(str(scope["path"]))
        method = str(scope["method"])
        raw_path = bytes(scope["raw_path"]).decode("ascii")  # for the log: ``path`` may contain line breaks
        dialect = self._routes.dialect_of(path)
        started = time.monotonic()
        address = str((scope.get("client") or ("local", 0))[0])
        out = _Output(send, dialect, client=address)
        try:
            head = parse_head(method, path, scope["headers"])
            if authority not in ("", head.headers["host"].lower()):
                raise HttpError(
                    HTTPStatus.BAD_REQUEST, "The address and Host name two hosts.", headers=_CLOSE
                )
            query = dict(parse_qsl(bytes(scope["query_string"]).decode("ascii", "replace")))
            await self._answer(head, out, receive, address=address, query=query)
        except HttpError as http_error:
            if out.client == address:
                self._access.on_refused(address)
            await out.send_error(http_error)
            self._activity.record_error(out.client, raw_path, http_error.message)
        except _ClientDisconnected:
            pass
        except Exception:
            log.exception("a request to %s failed", raw_path)
            await out.send_error(
                HttpError(HTTPStatus.INTERNAL_SERVER_ERROR, "Fireside has a defect. Its log says where.")
            )
        finally:
            duration_ms = (time.monotonic() - started) * 1000
            log.info("%s %s %s %s %.0f ms", address, method, raw_path, out.status or "-", duration_ms)

    def close(self) -> None:
        """End all running requests: streams with an error chunk, the others with an error response."""
        for client_id in self.clients:
            self.end_client(client_id, http_error_of(EngineStopped()))

    @property
    def clients(self) -> frozenset[str]:
        """The ids of the clients with running requests."""
        return frozenset(self._tasks.values())

    def end_client(self, client_id: str, error: HttpError) -> None:
        """End the running requests of a client: streams with an error chunk, the others with an error
        response."""
        for task in [task for task, owner in self._tasks.items() if owner == client_id]:
            self._ended[task] = error
            task.cancel()

    async def _answer(
        self,
        head: RequestHead,
        out: _Output,
        receive: Receive,
        *,
        address: str,
        query: Mapping[str, str],
    ) -> None:
        policy = self._access.policy()
        check_host_and_origin(head, policy)
        out.headers = cors_headers(head, policy)
        if head.method == "OPTIONS":
            await out.reply(HttpResponse(status=HTTPStatus.NO_CONTENT))
            return
        route = self._routes.find(head.method, head.path)
        if route.is_public:
            client = Client(id=address, name=address, scopes=frozenset())
        else:
            client = authenticate(
                head, policy, self._access.tokens, address=address, is_device=self._access.is_network
            )
            out.client = client.name
            if self._access.is_network:
                self._access.tokens.note_seen(client.id, at=time.time(), address=address)
            check_scope(client, route.scope)
        if head.method == "POST":
            check_content_type(head)
        body = await _read_body(head, receive)
        limit = self._access.max_requests_per_client
        if self._n_by_client[client.id] >= limit:
            raise http_error_of(QueueFull(limit=limit))
        self._n_by_client[client.id] += 1
        running = self._activity.start_request(client.name, head.path)
        request = HttpRequest(
            path=head.path,
            headers=head.headers,
            body=body,
            client=client,
            running=running,
            decoding=self._decoding,
            query=query,
        )
        out.added_headers = request.added_headers
        try:
            await self._until_disconnect(self._serve(route, request, out), receive, client_id=client.id)
        finally:
            self._n_by_client[client.id] -= 1
            self._activity.end_request(running)

    async def _until_disconnect(
        self, work: Coroutine[Any, Any, None], receive: Receive, *, client_id: str
    ) -> None:
        """Run ``work``, and cancel it as soon as the client closes its connection."""
        working = asyncio.create_task(work)
        disconnected = asyncio.create_task(_wait_for_disconnect(receive))
        self._tasks[working] = client_id
        try:
            await asyncio.wait({working, disconnected}, return_when=asyncio.FIRST_COMPLETED)
            working.cancel()  # no effect on a task that is done
            with contextlib.suppress(asyncio.CancelledError):
                await working
        finally:
            self._tasks.pop(working, None)
            self._ended.pop(working, None)
            working.cancel()
            disconnected.cancel()

    async def _serve(self, route: RoutedRequest, request: HttpRequest, out: _Output) -> None:
        try:
            response = await self._wait_for_response(route.handler(request), out)
            if isinstance(response, HttpResponse):
                await out.reply(response)
            else:
                await self._stream(response, out)
        except FiresideError as exc:
            raise http_error_of(exc) from exc
        except asyncio.CancelledError:
            error = self._ended.get(_current_task())
            if error is None:
                raise
            await out.send_error(error)

    async def _stream(self, stream: StreamingResponse, out: _Output) -> None:
        await out.start_stream(stream)
        heartbeat = asyncio.create_task(self._send_heartbeats(stream, out)) if stream.heartbeat else None
        try:
            async for chunk in stream.chunks:
                await out.write(chunk)
        finally:
            if heartbeat is not None:
                heartbeat.cancel()
            await _close(stream.chunks)
        await out.end()

    async def _wait_for_response(
        self, pending: Awaitable[HttpResponse | StreamingResponse], out: _Output
    ) -> HttpResponse | StreamingResponse:
        """Wait for the handler; a client that waits long receives spaces meanwhile."""
        filling = asyncio.create_task(self._fill_silence(out))
        try:
            return await pending
        finally:
            filling.cancel()

    async def _fill_silence(self, out: _Output) -> None:
        await asyncio.sleep(SILENCE_S)
        await out.start_pending()
        while True:
            await out.write(_SPACE)
            await asyncio.sleep(self._heartbeat_s)

    async def _send_heartbeats(self, stream: StreamingResponse, out: _Output) -> None:
        loop = asyncio.get_running_loop()
        while True:
            silence_s = loop.time() - out.wrote_at
            if silence_s < self._heartbeat_s:
                await asyncio.sleep(self._heartbeat_s - silence_s)
            else:
                await out.write(stream.heartbeat)


def _current_task() -> asyncio.Task[Any]:
    task = asyncio.current_task()
    assert task is not None
    return task


class _ClientDisconnected(Exception):
    """The connection was closed before the request was complete."""


def _target(target: str) -> tuple[str, str]:
    """Return the host of a request's target, which clients of proxies send, and its path: without the slashes
    too many that a base address with a slash at its end makes."""
    absolute = re.match("https?://([^/]*)", target, re.IGNORECASE)
    authority = absolute[1].lower() if absolute else ""
    path = target[absolute.end() :] if absolute else target
    return authority, re.sub("/{2,}", "/", path).rstrip("/") or "/"


class _Output:
    """Sends one response. An error after the head is sent as a chunk of the stream."""

    def __init__(self, send: Send, dialect: Dialect, *, client: str) -> None:
        self.client = client
        """The client's address, or the name of its token once that is known."""
        self._send = send
        self._dialect = dialect
        self._stream: StreamingResponse | None = None
        self._body_pending = False
        """Only the head of a whole response is sent so far, and spaces."""
        self.status: int | None = None
        self.headers: tuple[tuple[str, str], ...] = ()
        self.added_headers: Sequence[tuple[str, str]] = ()
        self.wrote_at = 0.0

    async def reply(self, response: HttpResponse) -> None:
        """Send a whole response, or its body if the head is sent."""
        if self.status is not None:
            await self.write(response.body)
            await self.end()
            return
        await self._send_head(
            response.status,
            (
                *((("content-type", response.content_type),) if response.body else ()),
                ("content-length", str(len(response.body))),
                *response.headers,
            ),
        )
        await self._send({"type": "http.response.body", "body": response.body})

    async def start_stream(self, stream: StreamingResponse) -> None:
        """Send the head of a stream."""
        self._stream = stream
        if self.status is not None:
            await self.write(b"\n")
            return
        await self._send_head(
            HTTPStatus.OK,
            (
                ("content-type", stream.content_type),
                ("cache-control", "no-cache"),
                ("x-accel-buffering", "no"),
            ),
        )

    async def start_pending(self) -> None:
        """Send the head of a whole response whose body is not ready."""
        await self._send_head(HTTPStatus.OK, (("content-type", JSON), ("cache-control", "no-cache")))
        self._body_pending = True

    async def write(self, chunk: bytes) -> None:
        """Send a chunk of the body; waits while the client reads too slowly."""
        if chunk:
            self.wrote_at = asyncio.get_running_loop().time()
            await self._send({"type": "http.response.body", "body": chunk, "more_body": True})

    async def end(self) -> None:
        """End the stream."""
        await self._send({"type": "http.response.body", "body": b""})

    async def send_error(self, http_error: HttpError) -> None:
        """Send an error: as a response, in the pending body, or as a chunk of the stream."""
        if self._stream is not None:
            await self.write(self._stream.error_chunk(http_error))
            await self.end()
            return
        if self.status is not None and not self._body_pending:
            return
        is_busy = http_error.status == HTTPStatus.SERVICE_UNAVAILABLE
        status = self._dialect.busy_status if is_busy else http_error.status
        body = msgspec.json.encode(self._dialect.error(http_error))
        headers = http_error.headers
        if http_error.status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            # Whoever may not ask does not keep a connection from those who may.
            headers = (*headers, ("connection", "close"))
        await self.reply(HttpResponse(body=body, status=status, headers=headers))

    async def _send_head(self, status: int, headers: tuple[tuple[str, str], ...]) -> None:
        self.status = status
        self.wrote_at = asyncio.get_running_loop().time()
        raw = [
            (name.encode("latin-1"), value.encode("latin-1"))
            for name, value in (*headers, *self.headers, *self.added_headers)
        ]
        await self._send({"type": "http.response.start", "status": int(status), "headers": raw})


async def _read_body(head: RequestHead, receive: Receive) -> bytes:
    """Return the body. Raises ``HttpError`` for one that is too large, whatever the head announces.

    Such a body is read to its end if that is near: a client that still writes would get a closed connection
    in place of the answer.
    """
    encoding = head.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("identity", *_ENCODINGS):
        raise HttpError(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
            "Send the body as it is, or with the Content-Encoding gzip or deflate.",
            headers=_CLOSE,
        )
    announced = head.headers.get("content-length", "0")
    if announced.isdecimal() and int(announced) > MAX_READ_BYTES:
        raise too_large()
    most = MAX_MEDIA_BYTES if encoding == "identity" else MAX_BODY_BYTES
    parts, n_bytes = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _ClientDisconnected
        part = message.get("body", b"")
        n_bytes += len(part)
        if n_bytes <= most:
            parts.append(part)
        if n_bytes > MAX_READ_BYTES or not message.get("more_body", False):
            break
    if n_bytes > most:
        raise too_large(most)
    body = b"".join(parts)
    return body if encoding == "identity" else await asyncio.to_thread(_decompressed, body)


def _decompressed(body: bytes) -> bytes:
    """Return a body without its gzip or zlib compression. Raises ``HttpError``."""
    parts: list[bytes] = []
    n_bytes = 0
    while body:
        if len(parts) == _MAX_MEMBERS:  # each copies what follows it
            raise invalid(f"The compressed body has more than {_MAX_MEMBERS} parts.")
        decompressor = zlib.decompressobj(zlib.MAX_WBITS | _DETECT_HEADER)
        try:
            parts.append(decompressor.decompress(body, MAX_BODY_BYTES + 1 - n_bytes))
        except zlib.error as exc:
            raise invalid(f"The body is not compressed as Content-Encoding says: {exc}.") from exc
        n_bytes += len(parts[-1])
        if n_bytes > MAX_BODY_BYTES:
            raise too_large()
        if not decompressor.eof:
            raise invalid("The compressed body is not complete.")
        body = decompressor.unused_data  # a further member of gzip
    return b"".join(parts)


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _close(chunks: AsyncIterator[bytes]) -> None:
    close = getattr(chunks, "aclose", None)
    if close is not None:
        await close()
