"""The tool host: reads commands, writes reports, and runs one task for each server."""

from __future__ import annotations

import asyncio
import os
from typing import Final

from fireside.tool_host.host_messages import (
    AnswerElicitation,
    CallEnded,
    CallReply,
    CallTool,
    CancelCall,
    Command,
    EndHost,
    FillPrompt,
    ListResources,
    ReadResource,
    Report,
    StartServer,
    StopServer,
    decode_command,
)
from fireside.tool_host.server_owner import ServerOwner
from fireside.wire.frames import FrameError, FrameSplitter, FrameTooLarge, encode_frame

_CHUNK_BYTES: Final = 64 * 1024
_END_S: Final = 5.0
_TOO_LARGE: Final = "The result is too large."


class ToolHost:
    """Runs the servers of the program, on one event loop."""

    def __init__(self, frames: int) -> None:
        """Write reports to the file descriptor ``frames``."""
        self._frames = frames
        self._owners: dict[str, ServerOwner] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._calls: dict[int, str] = {}

    async def serve(self) -> None:
        """Execute commands until the program ends or closes the pipe, then stop all servers."""
        splitter = FrameSplitter()
        while True:
            chunk = await asyncio.to_thread(os.read, 0, _CHUNK_BYTES)
            if not chunk:
                break
            try:
                commands = [decode_command(body) for body in splitter.feed(chunk)]
            except FrameError:
                break
            for command in commands:
                if isinstance(command, EndHost):
                    await self._end()
                    return
                self._handle(command)
        await self._end()

    def _handle(self, command: Command) -> None:
        match command:
            case StartServer():
                self._start(command)
            case StopServer():
                if (owner := self._owners.get(command.server)) is not None:
                    owner.stop()
            case CallTool() | ListResources() | ReadResource() | FillPrompt():
                owner = self._owners.get(command.server)
                if owner is None:
                    self._report(CallEnded(call=command.call, text="The server has ended.", is_error=True))
                    return
                self._calls[command.call] = command.server
                owner.call(command)
            case AnswerElicitation():
                if (owner := self._owners.get(command.server)) is not None:
                    owner.handle_reply(command.reply)
            case CancelCall():
                owner = self._owners.get(self._calls.get(command.call, ""))
                if owner is not None:
                    owner.cancel(command.call)
            case EndHost():
                pass

    def _start(self, command: StartServer) -> None:
        owner = ServerOwner(command, report=self._report)
        task = asyncio.create_task(owner.run(), name=f"server {command.server}")
        self._owners[command.server], self._tasks[command.server] = owner, task

        def forget(done: asyncio.Task[None]) -> None:
            if self._tasks.get(command.server) is done:
                del self._owners[command.server], self._tasks[command.server]
                self._calls = {
                    call: server for call, server in self._calls.items() if server != command.server
                }

        task.add_done_callback(forget)

    def _report(self, report: Report) -> None:
        if isinstance(report, CallReply):
            self._calls.pop(report.call, None)
        try:
            frame = encode_frame(report)
        except FrameTooLarge:
            assert isinstance(report, CallReply)
            frame = encode_frame(CallEnded(call=report.call, text=_TOO_LARGE, is_error=True))
        while frame:
            frame = frame[os.write(self._frames, frame) :]

    async def _end(self) -> None:
        for owner in self._owners.values():
            owner.stop()
        if tasks := tuple(self._tasks.values()):
            await asyncio.wait(tasks, timeout=_END_S)
