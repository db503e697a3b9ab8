"""The HTTP client of one remote engine, over the connections of ``hub/http_client.py``."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing, asynccontextmanager
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urljoin, urlsplit

import msgspec

from fireside import __version__
from fireside.core.errors import (
    FiresideError,
    RemoteAnswerInvalid,
    RemoteError,
    RemoteInterrupted,
    RemoteUnreachable,
    RemoteUntrusted,
)
from fireside.core.i18n import tr, tr_noop
from fireside.core.loopback import is_loopback
from fireside.core.remote import RemoteEngine, ServerKind
from fireside.gguf.header import printable
from fireside.hub.connection_log import ConnectionLog
from fireside.hub.http_client import Route, Timeouts, error_text, is_untrusted, make_async_client
from fireside.remote.address import host_of
from fireside.remote.error_response import is_page, page_text, parse_error_response
from fireside.settings.secret import Secret

if TYPE_CHECKING:  # Slow to import, and only needed for requests.
    import httpx2

_ANTHROPIC_VERSION: Final = "2023-06-01"
_READ_TIMEOUT_S: Final = 600.0
"""Read timeout: a server may load a model first, or read a long prompt."""
_MAX_BYTES: Final = 8 * 1024 * 1024
_MAX_CHUNKS: Final = 64
_MAX_ERROR_BYTES: Final = 64 * 1024
_MAX_SHOWN_HOST: Final = 200


class RemoteClient:
    """Sends requests to one engine. On one loop.

    The key is sent to the engine's own address only: no redirect is followed. Methods raise ``RemoteError``,
    or ``ErrorResponse`` for an HTTP error.
    """

    def __init__(
        self,
        engine: RemoteEngine,
        *,
        key: Secret | None,
        route: Callable[[], Route],
        log: ConnectionLog,
    ) -> None:
        self.engine = engine
        self.host = host_of(engine.address)
        self.has_key = key is not None
        self.unsupported = set(engine.refused)
        """Parameters that the engine rejected, which are left out of requests."""
        self._key = key
        self._route = route
        self._log = log
        self._n_users = 0
        self._is_retired = False
        self._clients: dict[Route, httpx2.AsyncClient] = {}
        """One for each network route in the settings so far; running requests keep theirs."""

    async def fetch(self, path: str, *, why: str, body: object = None, limit_s: float) -> bytes:
        """Send a short request and return the response body, at most 8 MiB."""
        try:
            async with asyncio.timeout(limit_s), self.open(path, why=why, body=body) as response:
                return await self._read_bounded(response, n=_MAX_BYTES)
        except TimeoutError as exc:
            raise RemoteUnreachable(host=self.host, reason=tr_noop("the response took too long.")) from exc

    @asynccontextmanager
    async def open(
        self, path: str, *, why: str, body: object = None, headers: Mapping[str, str] | None = None
    ) -> AsyncIterator[httpx2.Response]:
        """Send a request and yield its response after a successful status.

        Leaving the block closes the connection unless the body was read, which ends the server's work.
        """
        import httpx2

        route = self._route()
        if route.is_offline and not is_loopback(urlsplit(self.engine.address).hostname or ""):
            raise RemoteError.of("remote_offline", host=self.host)
        content = None if body is None else msgspec.json.encode(body)
        all_headers = {
            "Accept-Encoding": "identity",
            "User-Agent": f"fireside/{__version__}",
            **(headers or {}),
        }
        if content is not None:
            all_headers["Content-Type"] = "application/json"
        all_headers |= self._authorization()
        method = "GET" if content is None else "POST"
        entry = self._log.start(host=self.host, why=why, n_sent=len(content or b""))
        try:
            client = self._client(route)
            request = client.build_request(
                method, self.engine.address + path, headers=all_headers, content=content
            )
            response = await _send(client, request)
        except httpx2.ReadTimeout as exc:  # the server has the request, and may be processing it
            raise RemoteInterrupted(host=self.host, reason=error_text(exc)) from exc
        except httpx2.HTTPError as exc:
            if isinstance(exc, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.PoolTimeout):
                entry.was_refused()
            kind = RemoteUntrusted if is_untrusted(exc) else RemoteUnreachable
            raise kind(host=self.host, reason=error_text(exc)) from exc
        except (httpx2.InvalidURL, ValueError, UnicodeError) as exc:
            raise RemoteUnreachable(host=self.host, reason=tr_noop("its address is invalid.")) from exc
        entry.follow(response)
        try:
            await self._check(response)
            yield response
        finally:
            entry.end()
            with contextlib.suppress(httpx2.HTTPError, OSError):
                await response.aclose()

    async def chunks(self, response: httpx2.Response) -> AsyncGenerator[bytes, None]:
        """Yield the body of a response as it arrives. Close the generator if it is not read to its end.

        A task reads: the library's own iterators can only be left by an error from within, and by the task
        that entered them. It is ended by a scope: from any other cancellation the library does not shield the
        closing of its connections, which would then be lost open.
        """
        import anyio
        import httpx2

        queue: asyncio.Queue[bytes | Exception | None] = asyncio.Queue(_MAX_CHUNKS)
        scope = anyio.CancelScope()

        async def read() -> None:
            with scope:
                try:
                    async for chunk in response.aiter_raw():
                        await queue.put(chunk)
                except Exception as exc:  # noqa: BLE001 - raised in the reader of the chunks
                    await queue.put(exc)
                else:
                    await queue.put(None)

        reading = asyncio.create_task(read(), name="remote chunks")
        try:
            while (item := await queue.get()) is not None:
                if isinstance(item, httpx2.HTTPError | httpx2.StreamError):
                    raise RemoteInterrupted(host=self.host, reason=error_text(item)) from item
                if isinstance(item, Exception):
                    raise item
                yield item
        finally:
            scope.cancel()
            await asyncio.wait({reading})

    @asynccontextmanager
    async def hold(self) -> AsyncIterator[None]:
        """Keep the connections open while the block runs, even if the client is retired meanwhile."""
        self._n_users += 1
        try:
            yield
        finally:
            self._n_users -= 1
            await self._close_retired()

    async def retire(self) -> None:
        """Close every connection once no request uses them."""
        self._is_retired = True
        await self._close_retired()

    async def _close_retired(self) -> None:
        if self._is_retired and not self._n_users:
            await self.close()

    async def close(self) -> None:
        """Close every connection."""
        clients, self._clients = self._clients, {}
        for client in clients.values():
            await client.aclose()

    def invalid(self, reason: str) -> FiresideError:
        """Return the error for an invalid response."""
        return RemoteAnswerInvalid(host=self.host, reason=reason)

    def _authorization(self) -> dict[str, str]:
        is_anthropic = self.engine.kind is ServerKind.ANTHROPIC
        version = {"anthropic-version": _ANTHROPIC_VERSION} if is_anthropic else {}
        if self._key is None:
            return version
        key = self._key.reveal()
        return {**version, **({"x-api-key": key} if is_anthropic else {"Authorization": f"Bearer {key}"})}

    def _client(self, route: Route) -> httpx2.AsyncClient:
        if route not in self._clients:
            try:
                self._clients[route] = make_async_client(
                    is_encrypted=self.engine.address.startswith("https:"),
                    proxy=route.proxy,
                    ca_file=self.engine.ca_file or route.ca_file,
                    fingerprint=self.engine.fingerprint,
                    timeouts=Timeouts(read_s=_READ_TIMEOUT_S),
                )
            except (OSError, ValueError, ssl.SSLError) as exc:
                reason = tr(
                    "the proxy or the certificates in the settings cannot be used ({reason})."
                ).format(reason=exc)
                raise RemoteUnreachable(host=self.host, reason=reason) from exc
        return self._clients[route]

    async def _check(self, response: httpx2.Response) -> None:
        status = response.status_code
        if 300 <= status < 400:
            target = urljoin(str(response.url), response.headers.get("Location") or "")
            reason = tr(
                "it redirects to {host}, which was not contacted. Enter that address instead."
            ).format(host=printable(host_of(target), limit=_MAX_SHOWN_HOST))
            raise self.invalid(reason)
        if status >= 400:
            content = await self._read_bounded(response, n=_MAX_ERROR_BYTES)
            if self._key is not None:  # Some servers repeat the key, and errors are shown and stored.
                content = content.replace(self._key.reveal().encode(), b"\xe2\x80\xa6")
            raise parse_error_response(status, content, headers=response.headers)

    async def _read_bounded(self, response: httpx2.Response, *, n: int) -> bytes:
        content = bytearray()
        async with aclosing(self.chunks(response)) as chunks:
            async for chunk in chunks:
                content += chunk
                if len(content) > n:
                    raise self.invalid(tr_noop("it is too long."))
        return bytes(content)

    async def json(self, path: str, *, why: str, body: object = None, limit_s: float) -> Any:
        """Send a short request and return the decoded JSON."""
        content = await self.fetch(path, why=why, body=body, limit_s=limit_s)
        try:
            return msgspec.json.decode(content)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as exc:
            raise self.invalid(page_text(content) if is_page(content) else tr_noop("it is invalid.")) from exc


async def _send(client: httpx2.AsyncClient, request: httpx2.Request) -> httpx2.Response:
    """Send a request, over a new connection if the pooled one turns out to be closed.

    A server may close an idle connection at the moment in which it is reused. A request over a new connection
    is never sent twice.
    """
    import httpx2

    is_new = False

    async def trace(event: str, _facts: dict[str, Any]) -> None:
        nonlocal is_new
        is_new = is_new or event == "connection.connect_tcp.started"

    request.extensions["trace"] = trace
    while True:
        try:
            return await client.send(request, stream=True)
        except (httpx2.RemoteProtocolError, httpx2.ReadError, httpx2.WriteError):
            if is_new:
                raise
