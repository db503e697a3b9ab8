"""Start the tool host process and exchange messages with it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from fireside.tool_host.host_messages import Command, EndHost, Report, decode_report
from fireside.wire.codec import FrameError, FrameSplitter, encode_frame
from fireside.wire.windows_job import KillOnExitJob

log = logging.getLogger(__name__)

_CHUNK: Final = 64 * 1024
_END_S: Final = 5.5
"""Stopping a server takes 4 s at most."""

if sys.platform == "win32":
    _FLAGS: Final = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
else:
    _FLAGS: Final = 0


class HostLink:
    """One tool host process. All methods run on one loop."""

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        *,
        on_report: Callable[[Report], None],
        on_end: Callable[[], None],
    ) -> None:
        self._process = process
        self._on_report = on_report
        self._on_end = on_end
        self._job = _kill_on_exit_job(process.pid)
        self._tasks = (
            asyncio.create_task(self._listen(), name="tool host"),
            asyncio.create_task(self._read_log(), name="tool host log"),
        )

    @classmethod
    async def start(
        cls,
        command: Sequence[str],
        *,
        environment: Mapping[str, str],
        on_report: Callable[[Report], None],
        on_end: Callable[[], None],
    ) -> HostLink:
        """Start the process. Raises ``OSError``."""
        process = await asyncio.create_subprocess_exec(
            *command,
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            creationflags=_FLAGS,
        )
        return cls(process, on_report=on_report, on_end=on_end)

    @property
    def pid(self) -> int:
        return self._process.pid

    def send(self, command: Command) -> None:
        """Send a command, unless the host has exited. Raises ``FrameError`` if it is too large."""
        assert self._process.stdin is not None
        frame = encode_frame(command)
        if not self._process.stdin.is_closing():
            self._process.stdin.write(frame)

    def kill(self) -> None:
        """Kill the host, and with it its servers."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    async def close(self) -> None:
        """Stop the host and its servers gracefully."""
        self.send(EndHost())
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            async with asyncio.timeout(_END_S):
                await asyncio.gather(*self._tasks)
        except TimeoutError:
            self.kill()
            await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._process.wait()
        if self._job is not None:
            self._job.close()

    async def _listen(self) -> None:
        assert self._process.stdout is not None
        splitter = FrameSplitter()
        try:
            while chunk := await self._process.stdout.read(_CHUNK):
                for body in splitter.feed(chunk):
                    self._on_report(decode_report(body))
        except FrameError as exc:
            log.error("the tool host sent an invalid frame: %s", exc)
            self.kill()
        self._on_end()

    async def _read_log(self) -> None:
        assert self._process.stderr is not None
        while line := await self._process.stderr.read(_CHUNK):
            log.info("tool host: %s", line.decode(errors="replace").rstrip())


def _kill_on_exit_job(pid: int) -> KillOnExitJob | None:
    try:
        return KillOnExitJob(pid)
    except OSError as exc:
        log.warning("the tool host is not in a job: %s", exc)
        return None
