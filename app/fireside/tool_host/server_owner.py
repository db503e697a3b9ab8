"""One server, from its start to its end, in one task: the protocol library wants its scopes left where they
were entered."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

from mcp import Client, MCPError, types
from mcp.client.subscriptions import ListenNotSupportedError, SubscriptionLost
from pydantic import ValidationError

from fireside import __version__
from fireside.core.i18n import Phrase, Words, tr_noop
from fireside.core.tool_servers import Sandbox, ServerTool
from fireside.tool_host.arguments_check import problem_in
from fireside.tool_host.host_messages import (
    MAX_LINE_BYTES,
    CallEnded,
    CallProgressed,
    CallTool,
    HttpLaunch,
    Report,
    ServerEnded,
    ServerLogged,
    ServerStarted,
    StartServer,
    ToolsListed,
)
from fireside.tool_host.http_transport import http_transport
from fireside.tool_host.log_lines import LogLines
from fireside.tool_host.result_content import text_of
from fireside.tool_host.server_process import NotStarted
from fireside.tool_host.stdio_transport import StdioTransport

_CONNECT_S: Final = 60.0
_LIST_S: Final = 30.0
_MOST_PAGES: Final = 50
_MOST_TOOLS: Final = 500
_MOST_CHARACTERS: Final = 200_000
"""Of what is told about one tool."""


class ServerOwner:
    """Serves one server: ``run`` is its task, the other methods are for the host's loop."""

    def __init__(self, start: StartServer, *, report: Callable[[Report], None]) -> None:
        self._server = start.server
        self._launch = start.launch
        self._report = report
        self._stop = asyncio.Event()
        self._is_over = asyncio.Event()
        """It is to stop, or has ended by itself."""
        self._woken = asyncio.Event()
        """It is over, or its list has changed; a server may say that before it is greeted."""
        self._ended_by: Words = ""
        self._client: Client | None = None
        self._schemas: dict[str, dict[str, Any]] = {}
        self._calls: dict[int, asyncio.Task[None]] = {}
        self._log = LogLines(lambda lines: report(ServerLogged(server=start.server, lines=lines)))

    async def run(self) -> None:
        """Start the server, serve it until it ends or is stopped, and report both."""
        problem: Words = ""
        try:
            await self._serve()
        except NotStarted as exc:
            problem = exc.reason
        except TimeoutError:
            problem = Phrase(tr_noop("It did not answer within {n} s."), {"n": int(_CONNECT_S)})
        except Exception as exc:  # noqa: BLE001  # whatever the library finds wrong, the host goes on
            problem = _said_of(exc)
        if self._ended_by and not self._stop.is_set():
            problem = self._ended_by
        for call in tuple(self._calls.values()):
            call.cancel()
        await asyncio.gather(*self._calls.values(), return_exceptions=True)
        self._log.flush()
        self._report(ServerEnded(server=self._server, problem="" if self._stop.is_set() else problem))

    def stop(self) -> None:
        """End the server."""
        self._stop.set()
        self._is_over.set()
        self._woken.set()

    def call(self, asked: CallTool) -> None:
        """Do a call beside the others; its end is reported."""
        task = asyncio.create_task(self._call(asked), name=f"call {asked.call}")
        self._calls[asked.call] = task
        task.add_done_callback(lambda _: self._calls.pop(asked.call, None))

    def cancel(self, call: int) -> None:
        """Give a call up; the server is told, and goes on."""
        if (task := self._calls.get(call)) is not None:
            task.cancel()

    async def _serve(self) -> None:
        stdio = None
        if isinstance(self._launch, HttpLaunch):
            transport: Any = http_transport(self._launch)
        else:
            transport = stdio = StdioTransport(self._launch, log=self._log.feed, on_end=self._on_end)
        client = Client(
            transport,
            mode="auto",
            client_info=types.Implementation(name="fireside", version=__version__),
            message_handler=self._on_message,
            read_timeout_seconds=_CONNECT_S,
            cache=None,
        )
        async with contextlib.AsyncExitStack() as stack:
            connecting = asyncio.timeout(_CONNECT_S)
            async with self._unless_stopped(), connecting:
                await stack.enter_async_context(client)
                tools = await self._list(client)
            self._client = client
            sandbox = Sandbox.REMOTE if stdio is None or stdio.process is None else stdio.process.sandbox
            self._report(
                ServerStarted(
                    server=self._server, tools=tools, sandbox=sandbox, revision=client.protocol_version
                )
            )
            listening = asyncio.create_task(self._listen(client))
            try:
                await self._follow_lists(client)
            finally:
                listening.cancel()
                await asyncio.gather(listening, return_exceptions=True)

    @contextlib.asynccontextmanager
    async def _unless_stopped(self) -> AsyncIterator[None]:
        """Interrupt the block when the server is to stop, or has ended by itself."""
        task = asyncio.current_task()
        assert task is not None
        watching = asyncio.create_task(self._is_over.wait())
        watching.add_done_callback(lambda done: None if done.cancelled() else task.cancel())
        try:
            yield
        except asyncio.CancelledError:
            if not self._is_over.is_set():
                raise
            task.uncancel()
            raise NotStarted(self._ended_by) from None
        finally:
            watching.cancel()

    async def _follow_lists(self, client: Client) -> None:
        while True:
            await self._woken.wait()
            self._woken.clear()
            if self._is_over.is_set():
                return
            async with asyncio.timeout(_LIST_S):
                tools = await self._list(client)
            self._report(ToolsListed(server=self._server, tools=tools))

    async def _listen(self, client: Client) -> None:
        """Hear of changes where the revision has a stream for them."""
        with contextlib.suppress(ListenNotSupportedError, SubscriptionLost, MCPError, TimeoutError):
            async with client.listen(tools_list_changed=True) as changes:
                async for _ in changes:
                    self._woken.set()

    async def _on_message(self, message: object) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            self._woken.set()

    def _on_end(self, too_long: bool) -> None:
        self._ended_by = (
            Phrase(tr_noop("It sent a line of more than {n} MiB and was ended."), {"n": MAX_LINE_BYTES >> 20})
            if too_long
            else tr_noop("It ended unexpectedly.")
        )
        self._is_over.set()
        self._woken.set()

    async def _list(self, client: Client) -> tuple[ServerTool, ...]:
        found: list[ServerTool] = []
        schemas: dict[str, dict[str, Any]] = {}
        cursor: str | None = None
        if client.server_capabilities.tools is None:
            return ()
        for _ in range(_MOST_PAGES):
            page = await client.list_tools(cursor=cursor)
            for tool in page.tools:
                told = _as_told(tool)
                if told is not None and tool.name not in schemas and len(found) < _MOST_TOOLS:
                    schemas[tool.name] = tool.input_schema
                    found.append(told)
            cursor = page.next_cursor
            if not cursor:
                break
        self._schemas = schemas
        return tuple(found)

    async def _call(self, asked: CallTool) -> None:
        try:
            text, is_error = await self._outcome(asked)
        except asyncio.CancelledError:
            text, is_error = "The call was stopped.", True
        if not self._ended_by:  # else its end is reported, with all that it wrote
            self._report(CallEnded(call=asked.call, text=text, is_error=is_error))

    async def _outcome(self, asked: CallTool) -> tuple[str, bool]:
        if self._client is None:
            return "The server has ended.", True
        loop = asyncio.get_running_loop()
        cap = loop.time() + asked.cap_s
        try:
            arguments = json.loads(asked.arguments)
            if wrong := await problem_in(arguments, self._schemas.get(asked.tool, {})):
                return f"Invalid arguments of {asked.tool}: {wrong}", True
            async with asyncio.timeout(min(asked.limit_s, asked.cap_s)) as limit:

                async def on_progress(progress: float, total: float | None, message: str | None) -> None:
                    if not limit.expired():
                        limit.reschedule(min(loop.time() + asked.limit_s, cap))
                    fraction = progress / total if total else None
                    said = (message or "")[:200]
                    self._report(CallProgressed(call=asked.call, message=said, fraction=fraction))

                result = await self._client.call_tool(
                    asked.tool,
                    arguments,
                    read_timeout_seconds=asked.cap_s + 1,
                    progress_callback=on_progress,
                )
        except TimeoutError:
            return f"The call took longer than {asked.limit_s:.0f} s and was stopped.", True
        except asyncio.CancelledError:
            raise
        except Exception as exc:  # noqa: BLE001  # the model is told, and the server goes on
            return _said_of(exc), True
        return text_of(result), result.is_error


def _as_told(tool: types.Tool) -> ServerTool | None:
    """Return a tool as the program is told of it; ``None`` where that would take too much room."""
    told = ServerTool(
        name=tool.name,
        description=tool.description or "",
        parameters=json.dumps(tool.input_schema, ensure_ascii=False, separators=(",", ":")),
        output="" if tool.output_schema is None else json.dumps(tool.output_schema, sort_keys=True),
    )
    size = sum(map(len, (told.name, told.description, told.parameters, told.output)))
    return told if size <= _MOST_CHARACTERS else None


def _said_of(exc: BaseException) -> str:
    """Return what went wrong, of groups the first."""
    while isinstance(exc, BaseExceptionGroup):
        exc = exc.exceptions[0]
    match exc:
        case MCPError():
            return f"{exc.error.message[:500]} ({exc.error.code})"
        case ValidationError():
            return "It sent an answer that does not follow the protocol."
        case _:
            return f"{type(exc).__name__}: {exc}"[:500]
