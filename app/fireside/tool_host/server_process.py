"""Run a server as a child process: start it confined, and end it with everything it started."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Final, Self

import msgspec

from fireside.core.i18n import Phrase, Translatable, tr_noop
from fireside.core.os_errors import render_os_error
from fireside.core.tool_servers import NOT_SANDBOXED, Sandbox
from fireside.tool_host.host_messages import MAX_LINE_BYTES, StdioLaunch
from fireside.wire.windows_job import KillOnExitJob

_APP: Final = Path(__file__).resolve().parents[2]
_CLOSE_S: Final = 2.0
"""Time to exit after the input was closed."""
_TERMINATE_S: Final = 1.0
_KILL_S: Final = 1.0
_CHUNK_BYTES: Final = 64 * 1024
_END_BYTES: Final = 512
"""Of a line that is too long, at each end."""
_MAX_SKIPPED_BYTES: Final = 256 << 20

if sys.platform == "win32":
    _FLAGS: Final = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
else:
    _FLAGS: Final = 0


class NotStarted(Exception):
    """The server could not be started; ``reason`` is a sentence."""

    def __init__(self, reason: Translatable) -> None:
        super().__init__(reason)
        self.reason = reason


class LineTooLong(Exception):
    """A server sent more than ``MAX_LINE_BYTES`` without a line end.

    ``head`` and ``tail`` are the beginning and the end of the line, which was not kept. Both are empty where
    the line did not end at all.
    """

    def __init__(self, *, head: bytes, tail: bytes) -> None:
        super().__init__()
        self.head, self.tail = head, tail


class ServerProcess:
    """One server. Created by ``start``; it has exited when ``stop`` returns."""

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        *,
        link: socket.socket | None,
        sandbox: Sandbox,
        job: KillOnExitJob | None = None,
    ) -> None:
        self.sandbox = sandbox
        self._process = process
        self._link = link
        """Closed when this process ends, by which the launcher notices that."""
        self._job = job
        """On Windows, ends the server with all processes that it started."""
        self._buffer = bytearray()
        self._stopping: asyncio.Task[None] | None = None

    @classmethod
    async def start(cls, launch: StdioLaunch) -> Self:
        """Start a server. Raises ``NotStarted``."""
        try:
            if sys.platform == "win32":
                process = await _spawn(launch.command, environment=launch.environment, cwd=launch.cwd)
                return cls(process, link=None, sandbox=Sandbox.NONE, job=_job_of(process.pid))
            return await cls._start_in_launcher(launch)
        except (OSError, ValueError) as exc:
            reason = render_os_error(exc) if isinstance(exc, OSError) else str(exc)
            raise NotStarted(_not_started(launch, reason)) from exc

    @classmethod
    async def _start_in_launcher(cls, launch: StdioLaunch) -> Self:
        ours, theirs = socket.socketpair()
        with contextlib.ExitStack() as unless_started:
            unless_started.callback(ours.close)
            with theirs:
                process = await _spawn(
                    (sys.executable, "-S", "-P", "-m", "fireside.tool_host.launcher", str(theirs.fileno())),
                    environment={"PYTHONPATH": str(_APP)},
                    cwd=str(_APP),
                    pass_fds=(theirs.fileno(),),
                )
            ours.setblocking(False)
            loop = asyncio.get_running_loop()
            await loop.sock_sendall(ours, json.dumps(msgspec.structs.asdict(launch)).encode() + b"\n")
            level = await loop.sock_recv(ours, 100)
            started = cls(process, link=ours, sandbox=Sandbox.NONE)
            if not level:
                await started.stop()
                raise NotStarted(_not_started(launch, tr_noop("its launcher ended")))
            started.sandbox = Sandbox(json.loads(level))
            if started.sandbox is Sandbox.NONE and not launch.without_sandbox:
                await started.stop()
                raise NotStarted(NOT_SANDBOXED if launch.is_confined else _no_container(launch))
            unless_started.pop_all()
            return started

    @property
    def pid(self) -> int:
        """Id of the process that the host started."""
        return self._process.pid

    async def read_line(self) -> bytes:
        """Return the next line of standard output that is not empty, without its end; ``b""`` at the end of
        output.

        Raises ``LineTooLong`` and discards the line; the next one can be read if that had an end.
        """
        assert self._process.stdout is not None
        n_searched = 0
        while True:
            if (end := self._buffer.find(b"\n", n_searched)) >= 0:
                line = bytes(self._buffer[:end])
                del self._buffer[: end + 1]
                if line:
                    return line
                n_searched = 0
                continue
            n_searched = len(self._buffer)
            if n_searched > MAX_LINE_BYTES:
                raise await self._skip_line()
            chunk = await self._process.stdout.read(_CHUNK_BYTES)
            if not chunk:
                line = bytes(self._buffer)
                self._buffer.clear()
                return line
            self._buffer += chunk

    async def _skip_line(self) -> LineTooLong:
        """Read to the end of the line in the buffer, within limits, and return what it was."""
        assert self._process.stdout is not None
        head, n_bytes = bytes(self._buffer[:_END_BYTES]), len(self._buffer)
        while n_bytes < _MAX_SKIPPED_BYTES:
            del self._buffer[:-_END_BYTES]
            chunk = await self._process.stdout.read(_CHUNK_BYTES)
            if not chunk:
                break
            line, end, rest = chunk.partition(b"\n")
            self._buffer += line
            if end:
                tail = bytes(self._buffer[-_END_BYTES:])
                self._buffer[:] = rest
                return LineTooLong(head=head, tail=tail)
            n_bytes += len(chunk)
        self._buffer.clear()
        return LineTooLong(head=b"", tail=b"")

    async def read_log(self) -> bytes:
        """Return what the server wrote to standard error; empty at its end."""
        assert self._process.stderr is not None
        return await self._process.stderr.read(_CHUNK_BYTES)

    async def write(self, line: bytes) -> None:
        """Write a line to standard input, waiting while the server does not read. Raises ``OSError`` once the
        server has exited."""
        assert self._process.stdin is not None
        self._process.stdin.write(line)
        await self._process.stdin.drain()

    async def exit_status(self) -> int | None:
        """Return the exit status; ``None`` where the server closed its output but does not exit."""
        return self._process.returncode if await self._exits_within(_TERMINATE_S) else None

    def interrupt(self) -> None:
        """Send it what Ctrl+C sends, without waiting; nothing on Windows."""
        if sys.platform != "win32":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGINT)

    def kill(self) -> None:
        """Kill it, without waiting; ``stop`` it then."""
        self._signal(force=True)

    async def stop(self) -> None:
        """Stop the server: close its input, then terminate, then kill. Continues when cancelled.
        Idempotent."""
        if self._stopping is None:
            self._stopping = asyncio.create_task(self._stop(), name=f"stop server {self.pid}")
        await asyncio.shield(self._stopping)

    async def _stop(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        if not await self._exits_within(_CLOSE_S):
            self._signal(force=False)
            if not await self._exits_within(_TERMINATE_S):
                self._signal(force=True)
                await self._exits_within(_KILL_S)
        else:
            self._signal(force=True)  # kill the rest of its process group, as there may be no namespace
        if self._link is not None:
            self._link.close()
        # An escaped process may hold the pipes; nothing more is read from them.
        self._process._transport.close()  # type: ignore[attr-defined]  # noqa: SLF001  # asyncio has no other way

    async def _exits_within(self, limit_s: float) -> bool:
        """Wait for the process itself: asyncio's ``wait`` also waits for its pipes, which others may hold."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(limit_s):
                while self._process.returncode is None:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
        return self._process.returncode is not None

    def _signal(self, *, force: bool) -> None:
        if sys.platform == "win32":
            if self._job is not None:
                self._job.close()
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL if force else signal.SIGTERM)


def _job_of(pid: int) -> KillOnExitJob | None:
    """Put a server into a job object inside the host's; ``None`` where it has already exited."""
    try:
        return KillOnExitJob(pid)
    except OSError:
        return None


async def _spawn(
    command: tuple[str, ...], *, environment: dict[str, str], cwd: str, pass_fds: tuple[int, ...] = ()
) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *command,
        env=environment,
        cwd=cwd,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        creationflags=_FLAGS,
        pass_fds=pass_fds,
        limit=_CHUNK_BYTES,
    )


def _no_container(launch: StdioLaunch) -> Translatable:
    return Phrase(
        tr_noop(
            "A service outside the sandbox starts the containers of {program}. Remove this server, and add "
            "it again with --without-sandbox."
        ),
        {"program": Path(launch.command[0]).name},
    )


def _not_started(launch: StdioLaunch, reason: Translatable) -> Translatable:
    return Phrase(
        tr_noop("{program} could not be started: {reason}."), {"program": launch.command[0], "reason": reason}
    )
