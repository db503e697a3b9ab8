"""A runner as a child process: start, send, receive, stop, and always reap."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Self

import msgspec
import psutil

from fireside.core.errors import RunnerCrashed, RunnerProtocolError, RunnerStartFailed
from fireside.core.i18n import Phrase, Translatable, tr_noop
from fireside.engine.processes.exit_cause import MemoryAtEnd, exit_cause, lost_device, was_killed
from fireside.engine.processes.link import sendable
from fireside.engine.processes.log_tail import LogTail
from fireside.wire.codec import MAX_REPORT_BYTES, FrameError, FrameSplitter, decode_report, encode_frame
from fireside.wire.memory_limits import oom_kill_count, read_memory
from fireside.wire.messages import Command, Report, Shutdown
from fireside.wire.windows_job import KillOnExitJob

logger = logging.getLogger(__name__)

if sys.platform == "win32":
    # Like the session of its own on other systems: Ctrl+C in a terminal is for Fireside, which stops its
    # runners in order. No console window may appear.
    _CREATION_FLAGS = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
else:
    _CREATION_FLAGS = 0

_STDIN, _STDOUT, _STDERR = range(3)

HIGH_WATER_BYTES = 512 * 1024
"""Buffered output of a runner at which reading is paused, so that the runner blocks."""


class StopLimits(msgspec.Struct, frozen=True, kw_only=True):
    """How long each step of stopping a runner may take, in seconds. Under 5 s together."""

    shutdown_s: float = 2.0
    """To exit by itself after ``Shutdown`` and the end of its input."""
    terminate_s: float = 0.5
    """To exit after SIGTERM."""
    kill_s: float = 1.5
    """To be reaped after SIGKILL; a process stuck in a driver may not be."""


def runner_command() -> tuple[str, ...]:
    """Return the command that starts a runner of this program."""
    # -P: modules in the working directory are not importable.
    return (sys.executable, "-P", "-m", "fireside.runner")


class _Pipes(asyncio.SubprocessProtocol):
    """asyncio's callbacks for the child. Buffers its output; reading pauses at ``HIGH_WATER_BYTES``."""

    def __init__(self) -> None:
        self._chunks: deque[bytes] = deque()
        self._n_bytes = 0
        self._stdout: asyncio.ReadTransport | None = None
        self._is_paused = False
        self._output_changed = asyncio.Event()
        self._output_ended = False
        self._early_log: list[bytes] = []
        self.log: Callable[[bytes], None] = self._early_log.append
        self.log_ended = asyncio.Event()
        self.exited = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        stdout = transport.get_pipe_transport(_STDOUT)
        self._stdout = stdout if isinstance(stdout, asyncio.ReadTransport) else None

    def log_to(self, log: Callable[[bytes], None]) -> None:
        """Pass stderr to ``log``, beginning with what was received already."""
        for chunk in self._early_log:
            log(chunk)
        self._early_log.clear()
        self.log = log

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == _STDERR:
            self.log(data)
            return
        self._chunks.append(data)
        self._n_bytes += len(data)
        if self._n_bytes > HIGH_WATER_BYTES and self._stdout is not None and not self._is_paused:
            self._stdout.pause_reading()
            self._is_paused = True
        self._output_changed.set()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:  # noqa: ARG002 the name is asyncio's
        if fd == _STDERR:
            self.log_ended.set()
        elif fd == _STDOUT:
            self._output_ended = True
            self._output_changed.set()

    def process_exited(self) -> None:
        self.exited.set()

    async def read(self) -> bytes:
        """Wait for output and return it; empty at the end of stdout."""
        while not self._chunks:
            if self._output_ended:
                return b""
            self._output_changed.clear()
            await self._output_changed.wait()
        chunk = self._chunks.popleft()
        self._n_bytes -= len(chunk)
        if self._is_paused and self._stdout is not None and self._n_bytes <= HIGH_WATER_BYTES // 2:
            self._is_paused = False
            if not self._output_ended:
                self._stdout.resume_reading()
        return chunk


class RunnerProcess:
    """A ``RunnerLink`` to a child process that ``start`` starts and ``stop`` ends."""

    def __init__(
        self,
        *,
        name: str,
        transport: asyncio.SubprocessTransport,
        pipes: _Pipes,
        limits: StopLimits,
    ) -> None:
        self._name = name
        self._transport = transport
        self._pipes = pipes
        self._limits = limits
        self._pid = transport.get_pid()
        self._splitter = FrameSplitter(limit_bytes=MAX_REPORT_BYTES)
        self._bodies: deque[bytes] = deque()
        self._tail = LogTail(logger=logger, pid=self._pid)
        self._stopping: asyncio.Task[None] | None = None
        self._inspected: psutil.Process | None = None
        self._n_kills_at_start = oom_kill_count()
        pipes.log_to(self._tail.feed)
        self._job = self._create_job()

    @classmethod
    async def start(
        cls, name: str, *, command: Sequence[str], environment: Mapping[str, str], limits: StopLimits
    ) -> Self:
        """Start the process. Raises ``RunnerStartFailed``."""
        loop = asyncio.get_running_loop()
        try:
            transport, pipes = await loop.subprocess_exec(
                _Pipes,
                *command,
                env=dict(environment),
                start_new_session=True,
                creationflags=_CREATION_FLAGS,
            )
        except (OSError, ValueError) as exc:
            raise RunnerStartFailed(reason=f"{exc}.") from exc
        assert isinstance(transport, asyncio.SubprocessTransport)
        return cls(name=name, transport=transport, pipes=pipes, limits=limits)

    @property
    def pid(self) -> int:
        return self._pid

    def cpu_s(self) -> float | None:
        try:
            process = self._psutil_process()
            with process.oneshot():
                is_stopped = process.status() == psutil.STATUS_STOPPED
                times = process.cpu_times()
        except psutil.Error:
            return None
        if is_stopped:
            return None
        return times.user + times.system

    def read_bytes(self) -> int | None:
        try:
            process = self._psutil_process()
            # macOS has no such counter.
            return int(process.io_counters().read_bytes) if hasattr(process, "io_counters") else None
        except (psutil.Error, OSError):
            return None

    def private_bytes(self) -> int | None:
        try:
            memory = self._psutil_process().memory_info()
        except psutil.Error:
            return None
        if sys.platform == "win32":
            return int(memory.private)
        if sys.platform == "linux":
            return int(memory.rss - memory.shared)  # pages of the model's file count as shared
        return None  # macOS does not distinguish them

    def limit_memory(self, n_bytes: int) -> None:
        try:
            if sys.platform == "linux":
                self._psutil_process().rlimit(psutil.RLIMIT_DATA, (n_bytes, n_bytes))
            elif self._job is not None:
                self._job.limit_memory(n_bytes)
        except (psutil.Error, OSError) as exc:
            logger.warning("the memory of runner %d is not limited: %s", self._pid, exc)

    def _psutil_process(self) -> psutil.Process:
        if self._inspected is None:
            self._inspected = psutil.Process(self._pid)
        return self._inspected

    def send(self, command: Command) -> None:
        with sendable():
            frame = encode_frame(command)
        stdin = self._stdin()
        if stdin is not None and not stdin.is_closing():
            stdin.write(frame)

    async def receive(self) -> Report:
        while not self._bodies:
            chunk = await self._pipes.read()
            if not chunk:
                raise await self._crash()
            try:
                self._bodies.extend(self._splitter.feed(chunk))
            except FrameError as exc:
                raise self._protocol_error(exc) from exc
        try:
            return decode_report(self._bodies.popleft())
        except FrameError as exc:
            raise self._protocol_error(exc) from exc

    def kill(self) -> None:
        if not self._pipes.exited.is_set():
            self._transport.kill()

    async def stop(self) -> None:
        if self._stopping is None:
            self._stopping = asyncio.create_task(self._stop(), name=f"stop runner {self._pid}")
        # The caller may be cancelled; the process is reaped all the same.
        await asyncio.shield(self._stopping)

    async def _stop(self) -> None:
        try:
            self.send(Shutdown())
            stdin = self._stdin()
            if stdin is not None:
                stdin.close()
            if await self._exits_within(self._limits.shutdown_s):
                return
            self._transport.terminate()
            if await self._exits_within(self._limits.terminate_s):
                return
            self._transport.kill()
            if not await self._exits_within(self._limits.kill_s):
                logger.error("runner %d cannot be killed", self._pid)
        finally:
            self._tail.end()
            self._transport.close()
            if self._job is not None:
                self._job.close()

    def _stdin(self) -> asyncio.WriteTransport | None:
        stdin = self._transport.get_pipe_transport(_STDIN)
        return stdin if isinstance(stdin, asyncio.WriteTransport) else None

    async def _exits_within(self, limit_s: float) -> bool:
        return await _happens_within(self._pipes.exited, limit_s)

    async def _crash(self) -> RunnerCrashed:
        """Wait for the exit after the end of the output, and return its cause."""
        if not await self._exits_within(self._limits.shutdown_s):
            self.kill()
            await self._exits_within(self._limits.kill_s)
            return RunnerCrashed(model=self._name, cause=tr_noop("it closed its connection to Fireside."))
        # A child of the runner may keep stderr open, so this wait is limited too.
        await _happens_within(self._pipes.log_ended, self._limits.terminate_s)
        self._tail.end()
        status = self._transport.get_returncode()
        assert status is not None
        is_lost = lost_device(self._tail.lines)
        memory = self._memory_at_end()
        cause: Translatable = tr_noop("the GPU stopped responding.")
        if not is_lost:
            cause = exit_cause(
                status, last_lines=self._tail.lines, windows=sys.platform == "win32", memory=memory
            )
        return RunnerCrashed(
            model=self._name,
            cause=cause,
            exit_status=status,
            lost_device=is_lost,
            had_memory=was_killed(status) and memory.n_kills == 0,
        )

    def _memory_at_end(self) -> MemoryAtEnd:
        before, now = self._n_kills_at_start, oom_kill_count()
        n_kills = None if before is None or now is None else now - before
        return MemoryAtEnd(free_bytes=read_memory().available_bytes, n_kills=n_kills)

    def _protocol_error(self, exc: FrameError) -> RunnerProtocolError:
        self.kill()
        return RunnerProtocolError(
            model=self._name, reason=Phrase(tr_noop("“{message}”."), {"message": str(exc)})
        )

    def _create_job(self) -> KillOnExitJob | None:
        try:
            return KillOnExitJob(self._pid)
        except OSError as exc:
            # It still exits at the end of its input, when this program has ended.
            logger.warning("runner %d is not in a job: %s", self._pid, exc)
            return None


async def _happens_within(event: asyncio.Event, limit_s: float) -> bool:
    try:
        async with asyncio.timeout(limit_s):
            await event.wait()
    except TimeoutError:
        return False
    return True
