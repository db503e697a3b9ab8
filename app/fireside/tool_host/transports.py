"""Connect the protocol library to servers: to a process by lines of limited length, to a URL over HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import re
import ssl
from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Any, Final

import anyio
import httpx2
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import SessionMessage
from mcp_types import INTERNAL_ERROR, ErrorData, JSONRPCError, JSONRPCMessage, jsonrpc_message_adapter

from fireside.tool_host.host_messages import MAX_LINE_BYTES, HttpLaunch, StdioLaunch
from fireside.tool_host.server_process import LineTooLong, ServerProcess
from fireside.tool_host.sign_in import SignIn, check_address

_LAST_LOG_S: Final = 0.5
_END_BYTES: Final = 512
_MAX_VALUES: Final = 1_000_000
"""Objects and lists of a message; each takes up to a hundred times the memory of its text."""
_ID_FIRST: Final = re.compile(rb'\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*([0-9]{1,15})\s*,')
_ID_LAST: Final = re.compile(
    rb',\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*([0-9]{1,15})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*\Z'
)
"""Libraries write the number of an answer first or last, beside the version."""
_TOO_LARGE: Final = "The answer is too large and was not read. Ask for a part of it."
_CLOSED: Final = (anyio.ClosedResourceError, anyio.BrokenResourceError, OSError)

Streams = tuple[MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]]


class StdioTransport:
    """A transport of the library over a server process. Enter and exit it in one task."""

    def __init__(
        self, launch: StdioLaunch, *, log: Callable[[bytes], None], on_end: Callable[[bool], None]
    ) -> None:
        """``log`` gets standard error; ``on_end`` is called at the end of output, with whether a line was too
        long."""
        self._launch = launch
        self._log = log
        self._on_end = on_end
        self._tasks: tuple[asyncio.Task[None], ...] = ()
        self.process: ServerProcess | None = None

    async def __aenter__(self) -> Streams:
        """Start the server. Raises ``NotStarted``."""
        self.process = await ServerProcess.start(self._launch)
        incoming, library_reads = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        library_writes, outgoing = anyio.create_memory_object_stream[SessionMessage](0)
        reading_log = asyncio.create_task(self._read_log(self.process))
        self._tasks = (
            reading_log,
            asyncio.create_task(self._read_messages(self.process, incoming, reading_log)),
            asyncio.create_task(self._write_messages(self.process, outgoing, incoming)),
        )
        return library_reads, library_writes

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Stop the server and all that it started."""
        assert self.process is not None
        stopping = asyncio.ensure_future(self.process.stop())
        try:
            await asyncio.shield(stopping)
        finally:
            for task in self._tasks:
                task.cancel()

    async def _read_messages(
        self,
        process: ServerProcess,
        incoming: MemoryObjectSendStream[SessionMessage | Exception],
        reading_log: asyncio.Task[None],
    ) -> None:
        is_too_long = False
        async with incoming:
            try:
                while (message := await self._next_message(process)) is not None:
                    await incoming.send(SessionMessage(message))
            except LineTooLong:
                is_too_long = True
            except _CLOSED:
                pass
            # Its last log lines state why it ended, so they are reported before the end.
            await asyncio.wait({reading_log}, timeout=0 if is_too_long else _LAST_LOG_S)
            self._on_end(is_too_long)

    async def _next_message(self, process: ServerProcess) -> JSONRPCMessage | None:
        """Return the next message, an error in place of an answer that is too long, or ``None`` at the end.

        Raises ``LineTooLong`` for one that is no answer, or that does not end.
        """
        while True:
            try:
                line = await process.read_line()
                if not line:
                    return None
                if line.count(b"{") + line.count(b"[") <= _MAX_VALUES:
                    return jsonrpc_message_adapter.validate_json(line, by_name=False)
                raise LineTooLong(head=line[:_END_BYTES], tail=line[-_END_BYTES:])
            except LineTooLong as exc:
                match = _ID_FIRST.match(exc.head) or _ID_LAST.search(exc.tail)
                if match is None:
                    raise
                error = ErrorData(code=INTERNAL_ERROR, message=_TOO_LARGE)
                return JSONRPCError(jsonrpc="2.0", id=int(match[1]), error=error)
            except ValueError:
                self._log(line[:1000] + b"\n")  # not a protocol message; many servers print there

    async def _write_messages(
        self,
        process: ServerProcess,
        outgoing: MemoryObjectReceiveStream[SessionMessage],
        incoming: MemoryObjectSendStream[SessionMessage | Exception],
    ) -> None:
        async with outgoing:
            with contextlib.suppress(*_CLOSED):
                async for message in outgoing:
                    line = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                    await process.write(line.encode() + b"\n")
                return
        incoming.close()  # pending requests end with an error

    async def _read_log(self, process: ServerProcess) -> None:
        while chunk := await process.read_log():
            self._log(chunk)


_TIMEOUT: Final = httpx2.Timeout(30.0, read=600.0)
_UNAUTHORIZED: Final = 401
_NOT_STREAMABLE: Final = (400, 404, 405)
"""How servers of the older transport, HTTP with SSE, answer a request of the newer one."""


@contextlib.asynccontextmanager
async def http_transport(
    launch: HttpLaunch, sign_in: SignIn, *, is_sse: bool, on_refused: Callable[[int], None]
) -> AsyncIterator[Any]:
    """Yield the streams of a server, by the older transport with ``is_sse``.

    Responses before the user signed in are passed to ``sign_in``; ``on_refused`` is called with the HTTP
    status of a response by which a server may say that it does not speak the newer transport.
    """
    verify: Any = ssl.create_default_context(cafile=launch.ca_file) if launch.ca_file else True
    uses_sign_in = (launch.may_sign_in or sign_in.has_tokens) and not _has_own_key(launch)

    async def on_request(request: httpx2.Request) -> None:
        await check_address(str(request.url), server=launch.url, resolves=not launch.proxy)

    async def on_response(response: httpx2.Response) -> None:
        if response.status_code == _UNAUTHORIZED and not uses_sign_in and not _has_own_key(launch):
            sign_in.is_required = True
        if response.status_code in _NOT_STREAMABLE and response.request.method == "POST":
            on_refused(response.status_code)

    client = httpx2.AsyncClient(
        headers=launch.headers,
        timeout=_TIMEOUT,
        trust_env=False,
        proxy=launch.proxy or None,
        follow_redirects=False,
        verify=verify,
        auth=await sign_in.provider() if uses_sign_in else None,
        event_hooks={"request": [on_request], "response": [on_response]},
    )
    if is_sse:
        async with sse_client(launch.url, httpx_client_factory=lambda *_, **__: client) as streams:
            yield streams
        return
    async with (
        client,
        streamable_http_client(launch.url, http_client=client, max_sse_event_size=MAX_LINE_BYTES) as streams,
    ):
        yield streams


def _has_own_key(launch: HttpLaunch) -> bool:
    return "authorization" in {name.casefold() for name in launch.headers}
