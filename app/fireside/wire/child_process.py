"""A child process of this program that sends and receives messages in frames over its pipes."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
from asyncio.subprocess import SubprocessStreamProtocol
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Generic, TypeVar

import msgspec

from fireside.wire.frame_channel import FrameChannel
from fireside.wire.frames import MAX_FRAME_BYTES
from fireside.wire.windows_job import KillOnExitJob

log = logging.getLogger(__name__)

Message = TypeVar("Message")

if sys.platform == "win32":
    # Like the session of its own on other systems: Ctrl+C in a terminal is for Fireside, which stops its
    # children in order. No console window may appear.
    _CREATION_FLAGS: Final = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
else:
    _CREATION_FLAGS: Final = 0

HIGH_WATER_BYTES: Final = 512 * 1024
"""Buffered output of a child at which reading is paused, so that the child blocks."""
_STDERR: Final = 2


class _Streams(SubprocessStreamProtocol):
    """asyncio's streams of a child, and events for its exit, whoever still holds its pipes."""

    def __init__(self, *, loop: asyncio.AbstractEventLoop) -> None:
        # A reader pauses at twice its limit.
        super().__init__(limit=HIGH_WATER_BYTES // 2, loop=loop)
        self._early_log: list[bytes] = []
        self._log: Callable[[bytes], None] = self._early_log.append
        self.log_ended = asyncio.Event()
        self.exited = asyncio.Event()

    def log_to(self, log_chunk: Callable[[bytes], None]) -> None:
        for chunk in self._early_log:
            log_chunk(chunk)
        self._early_log.clear()
        self._log = log_chunk

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        if fd == _STDERR and isinstance(data, bytes):
            self._log(data)
        else:
            super().pipe_data_received(fd, data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == _STDERR:
            self.log_ended.set()
        super().pipe_connection_lost(fd, exc)

    def process_exited(self) -> None:
        super().process_exited()
        self.exited.set()


class ChildProcess(Generic[Message]):
    """A child that ``start`` has started. Used on the loop's thread only; ``close`` it once it has exited.

    It is in a session of its own, and on Windows in a job that ends it with this program.
    """

    def __init__(
        self, transport: asyncio.SubprocessTransport, streams: _Streams, channel: FrameChannel[Message]
    ) -> None:
        self.channel = channel
        self.pid = transport.get_pid()
        self.exited = streams.exited
        """Set once it has exited."""
        self.job = self._new_job()
        self._transport = transport
        self._streams = streams

    @classmethod
    async def start(
        cls,
        command: Sequence[str],
        *,
        environment: Mapping[str, str],
        decoder: msgspec.msgpack.Decoder[Message],
        limit_bytes: int = MAX_FRAME_BYTES,
        send_limit_bytes: int = MAX_FRAME_BYTES,
    ) -> ChildProcess[Message]:
        """Start a process. Raises ``OSError`` or ``ValueError``.

        Args:
            environment: all of it.
            decoder: of the messages of the child, which may have ``limit_bytes``; those to it
                ``send_limit_bytes``.
        """
        loop = asyncio.get_running_loop()
        transport, streams = await loop.subprocess_exec(
            lambda: _Streams(loop=loop),
            *command,
            env=dict(environment),
            start_new_session=True,
            creationflags=_CREATION_FLAGS,
        )
        assert isinstance(transport, asyncio.SubprocessTransport)
        assert streams.stdout is not None
        assert streams.stdin is not None
        connection = streams.stdout, streams.stdin
        channel = FrameChannel(
            connection, decoder=decoder, limit_bytes=limit_bytes, send_limit_bytes=send_limit_bytes
        )
        return cls(transport, streams, channel)

    @property
    def exit_status(self) -> int | None:
        """Its exit status, as ``subprocess`` has it; ``None`` while it runs."""
        return self._transport.get_returncode()

    def log_to(self, log_chunk: Callable[[bytes], None]) -> None:
        """Pass its standard error to ``log_chunk``, beginning with what was received already."""
        self._streams.log_to(log_chunk)

    def terminate(self) -> None:
        """Ask it to exit by SIGTERM, unless it has exited; on Windows it is killed."""
        if not self.exited.is_set():
            self._transport.terminate()

    def kill(self) -> None:
        """Kill it, unless it has exited."""
        if not self.exited.is_set():
            self._transport.kill()

    async def exits_within(self, limit_s: float) -> bool:
        """Wait until it has exited, and return whether it did in time. Others may still hold its pipes."""
        return await _happens_within(self.exited, limit_s)

    async def log_ends_within(self, limit_s: float) -> bool:
        """Wait until its standard error has ended, and return whether it did in time."""
        return await _happens_within(self._streams.log_ended, limit_s)

    def close(self) -> None:
        """Close its pipes, and kill it if it still runs. Idempotent."""
        self._transport.close()
        if self.job is not None:
            self.job.close()

    def _new_job(self) -> KillOnExitJob | None:
        try:
            return KillOnExitJob(self.pid)
        except OSError as exc:
            # It still exits at the end of its input, when this program has ended.
            log.warning("process %d is not in a job: %s", self.pid, exc)
            return None


async def _happens_within(event: asyncio.Event, limit_s: float) -> bool:
    try:
        async with asyncio.timeout(limit_s):
            await event.wait()
    except TimeoutError:
        return False
    return True
