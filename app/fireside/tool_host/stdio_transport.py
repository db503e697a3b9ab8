"""Connect a server's process to the protocol library, by lines of limited length."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from types import TracebackType
from typing import Final

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from fireside.tool_host.host_messages import StdioLaunch
from fireside.tool_host.server_process import LineTooLong, ServerProcess

_LAST_WORDS_S: Final = 0.5
_GONE: Final = (anyio.ClosedResourceError, anyio.BrokenResourceError, OSError)

Streams = tuple[MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]]


class StdioTransport:
    """A transport of the library over a server process. Enter and exit it in one task."""

    def __init__(
        self, launch: StdioLaunch, *, log: Callable[[bytes], None], on_end: Callable[[bool], None]
    ) -> None:
        """``log`` receives standard error; ``on_end`` is called when the output ends, with whether it was
        ended for an overlong line."""
        self._launch = launch
        self._log = log
        self._on_end = on_end
        self._tasks: tuple[asyncio.Task[None], ...] = ()
        self.process: ServerProcess | None = None

    async def __aenter__(self) -> Streams:
        """Start the server. Raises ``NotStarted``."""
        self.process = await ServerProcess.start(self._launch)
        heard, received = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        sent, to_say = anyio.create_memory_object_stream[SessionMessage](0)
        reading_log = asyncio.create_task(self._read_log(self.process))
        self._tasks = (
            reading_log,
            asyncio.create_task(self._listen(self.process, heard, reading_log)),
            asyncio.create_task(self._speak(self.process, to_say, heard)),
        )
        return received, sent

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop the server and all that it started."""
        assert self.process is not None
        stopping = asyncio.ensure_future(self.process.stop())
        try:
            await asyncio.shield(stopping)
        finally:
            for task in self._tasks:
                task.cancel()

    async def _listen(
        self,
        process: ServerProcess,
        heard: MemoryObjectSendStream[SessionMessage | Exception],
        reading_log: asyncio.Task[None],
    ) -> None:
        too_long = False
        async with heard:
            try:
                while line := await process.read_line():
                    try:
                        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
                    except ValueError:
                        self._log(line[:1000] + b"\n")  # not a protocol message; many servers print there
                        continue
                    await heard.send(SessionMessage(message))
            except LineTooLong:
                too_long = True
            except _GONE:
                pass
            # Its last log lines state why it ended, so they are reported before the end.
            await asyncio.wait({reading_log}, timeout=0 if too_long else _LAST_WORDS_S)
            self._on_end(too_long)

    async def _speak(
        self,
        process: ServerProcess,
        to_say: MemoryObjectReceiveStream[SessionMessage],
        heard: MemoryObjectSendStream[SessionMessage | Exception],
    ) -> None:
        async with to_say:
            with contextlib.suppress(*_GONE):
                async for said in to_say:
                    line = said.message.model_dump_json(by_alias=True, exclude_unset=True)
                    await process.write(line.encode() + b"\n")
                return
        heard.close()  # pending requests end with an error

    async def _read_log(self, process: ServerProcess) -> None:
        while chunk := await process.read_log():
            self._log(chunk)
