"""A runner as a child process: start, send, receive, stop, and always reap."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Protocol, Self

import msgspec
import psutil

from fireside.core.errors import (
    InvalidParameter,
    InvalidText,
    PromptTooLarge,
    RunnerCrashed,
    RunnerError,
    RunnerProtocolError,
)
from fireside.core.i18n import Translatable, tr_noop
from fireside.core.options import SPIN_COUNT_AUTO
from fireside.core.runtime import BUILT_IN
from fireside.engine.processes.exit_cause import MemoryAtEnd, exit_cause, lost_device, was_killed
from fireside.wire.child_process import ChildProcess
from fireside.wire.frames import FrameError, FrameTooLarge, TextNotUnicode
from fireside.wire.memory_limits import oom_kill_count, read_memory
from fireside.wire.messages import MAX_REPORT_BYTES, REPORTS, Command, Loaded, LoadRejected, Report, Shutdown
from fireside.wire.runner_modes import NOTE

MAX_LINES = 200
MAX_LINE_BYTES = 4096


class LogTail:
    """Splits stderr into lines, passes them to ``logging`` and keeps the last ``MAX_LINES``.

    A longer line than ``MAX_LINE_BYTES`` is split, so that the memory is bounded whatever the runner writes.
    """

    def __init__(self, *, logger: logging.Logger, pid: int) -> None:
        self._logger = logger
        self._pid = pid
        self._rest = b""
        self._lines: deque[str] = deque(maxlen=MAX_LINES)

    @property
    def lines(self) -> tuple[str, ...]:
        """The last lines, oldest first."""
        return tuple(self._lines)

    def feed(self, chunk: bytes) -> None:
        """Add output of the runner, in chunks of any size."""
        *lines, rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            self._add(line)
        while len(rest) > MAX_LINE_BYTES:
            self._add(rest[:MAX_LINE_BYTES])
            rest = rest[MAX_LINE_BYTES:]
        self._rest = rest

    def end(self) -> None:
        """Add the rest as the last line."""
        if self._rest:
            self._add(self._rest)
            self._rest = b""

    def _add(self, line: bytes) -> None:
        # Control characters could rewrite a terminal that shows the log.
        text = "".join(
            character if character.isprintable() or character == "\t" else "�"
            for character in line[:MAX_LINE_BYTES].decode("utf-8", "replace").rstrip("\r")
        )
        self._lines.append(text)
        level = logging.INFO if text.startswith(NOTE) else logging.DEBUG
        self._logger.log(level, "runner %d: %s", self._pid, text.removeprefix(NOTE))


logger = logging.getLogger(__name__)


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


class RunnerProcess:
    """A runner in a child process that ``start`` starts and ``stop`` ends.

    Used on the loop's thread only, by one reader.
    """

    def __init__(
        self,
        child: ChildProcess[Report],
        *,
        name: str,
        limits: StopLimits,
        on_start: Callable[[bool], Awaitable[None]] | None = None,
    ) -> None:
        self._child = child
        self._on_start = on_start
        self._name = name
        self._limits = limits
        self._tail = LogTail(logger=logger, pid=child.pid)
        self._stopping: asyncio.Task[None] | None = None
        self._inspected: psutil.Process | None = None
        self._n_kills_at_start = oom_kill_count()
        child.log_to(self._tail.feed)

    @classmethod
    async def start(
        cls,
        name: str,
        *,
        command: Sequence[str],
        environment: Mapping[str, str],
        limits: StopLimits,
        on_start: Callable[[bool], Awaitable[None]] | None = None,
    ) -> Self:
        """Start the process. Raises ``runner_start_failed``.

        Args:
            name: name of the model, for messages.
            on_start: awaited once with whether the runner has loaded its model, or crashed before that.
        """
        try:
            child = await ChildProcess.start(
                command, environment=environment, decoder=REPORTS, limit_bytes=MAX_REPORT_BYTES
            )
        except (OSError, ValueError) as exc:
            raise RunnerError.of("runner_start_failed", reason=f"{exc}.") from exc
        return cls(child, name=name, limits=limits, on_start=on_start)

    @property
    def pid(self) -> int:
        """Process id of the runner."""
        return self._child.pid

    def cpu_s(self) -> float | None:
        """Return the CPU time that the runner has used so far, in seconds.

        ``None`` if it cannot be measured, or the process is stopped (SIGSTOP), so that it has no meaning.
        """
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
        """Return how many bytes the runner has read from disks so far; ``None`` if that is unknown."""
        try:
            process = self._psutil_process()
            # macOS has no such counter.
            return int(process.io_counters().read_bytes) if hasattr(process, "io_counters") else None
        except (psutil.Error, OSError):
            return None

    def private_bytes(self) -> int | None:
        """Return the runner's private memory, without pages of mapped files; ``None`` if unknown."""
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
        """Have the system limit the runner's private memory. Does nothing on macOS."""
        try:
            if sys.platform == "linux":
                self._psutil_process().rlimit(psutil.RLIMIT_DATA, (n_bytes, n_bytes))
            elif self._child.job is not None:
                self._child.job.limit_memory(n_bytes)
        except (psutil.Error, OSError) as exc:
            logger.warning("the memory of runner %d is not limited: %s", self.pid, exc)

    def _psutil_process(self) -> psutil.Process:
        if self._inspected is None:
            self._inspected = psutil.Process(self.pid)
        return self._inspected

    def send(self, command: Command) -> None:
        """Queue ``command``. Does nothing once the runner has exited, which ``receive`` reports.

        Raises:
            RequestError: the texts or numbers of ``command`` cannot be sent. The connection stays usable.
        """
        with sendable():
            self._child.channel.send(command)

    async def receive(self) -> Report:
        """Return the next report. Until the next call, further output of the runner blocks.

        Raises:
            RunnerCrashed: the runner has exited.
            RunnerProtocolError: it sent something that is no report, and was killed.
        """
        report = await self._child.channel.receive()
        if report is not None:
            await self._observe(report)
            return report
        if self._child.channel.problem is None:
            crash = await self._crash()
            await self._observe(None)
            raise crash
        self.kill()
        raise RunnerProtocolError(model=self._name, detail=str(self._child.channel.problem))

    def kill(self) -> None:
        """Kill the runner. ``receive`` then raises ``RunnerCrashed``."""
        self._child.kill()

    async def stop(self) -> None:
        """Ask the runner to exit, then terminate and kill it, and wait until it is reaped. Idempotent."""
        self._on_start = None  # a requested exit says nothing about the start
        if self._stopping is None:
            self._stopping = asyncio.create_task(self._stop(), name=f"stop runner {self.pid}")
        # The caller may be cancelled; the process is reaped all the same.
        await asyncio.shield(self._stopping)

    async def _stop(self) -> None:
        child = self._child
        try:
            self.send(Shutdown())
            child.channel.close_output()
            if await child.exits_within(self._limits.shutdown_s):
                return
            child.terminate()
            if await child.exits_within(self._limits.terminate_s):
                return
            child.kill()
            if not await child.exits_within(self._limits.kill_s):
                logger.error("runner %d cannot be killed", self.pid)
        finally:
            self._tail.end()
            child.close()

    async def _observe(self, report: Report | None) -> None:
        """Tell ``on_start`` what the report, or the exit without one, says about the start."""
        match report:
            case None | Loaded() | LoadRejected():
                on_start, self._on_start = self._on_start, None
                # After a rejected load, the exit that follows is no crash.
                if on_start is not None and not isinstance(report, LoadRejected):
                    await on_start(report is not None)
            case _:
                pass

    async def _crash(self) -> RunnerCrashed:
        """Wait for the exit after the end of the output, and return its cause."""
        if not await self._child.exits_within(self._limits.shutdown_s):
            self.kill()
            await self._child.exits_within(self._limits.kill_s)
            return RunnerCrashed(model=self._name, cause=tr_noop("it closed its connection to Fireside."))
        # A child of the runner may keep stderr open, so this wait is limited too.
        await self._child.log_ends_within(self._limits.terminate_s)
        self._tail.end()
        status = self._child.exit_status
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


class Spawn(Protocol):
    """Starts runners."""

    async def __call__(
        self, name: str, /, *, runtime: str = BUILT_IN, spin_count: int = SPIN_COUNT_AUTO
    ) -> RunnerProcess:
        """Start a runner for the model called ``name``, with the build of llama.cpp called ``runtime``.

        Args:
            spin_count: see ``LoadOptions.spin_count``.

        Raises:
            runner_start_failed: it cannot be started.
        """


@contextlib.contextmanager
def sendable() -> Iterator[None]:
    """Raise a ``RequestError`` in place of the ``FrameError`` of a message that the block cannot send."""
    try:
        yield
    except FrameTooLarge as exc:
        raise PromptTooLarge(n_bytes=exc.n_bytes, limit_bytes=exc.limit_bytes) from exc
    except TextNotUnicode as exc:
        raise InvalidText(reason=tr_noop("it contains an invalid character (a lone surrogate).")) from exc
    except FrameError as exc:
        raise InvalidParameter(name="sampling", reason=f"{exc}.") from exc
