"""A runner as a child process: start, send, receive, stop, and always reap."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
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
    format_bytes,
)
from fireside.core.i18n import Phrase, Translatable, tr_noop
from fireside.core.options import SPIN_COUNT_AUTO
from fireside.core.runtime import BUILT_IN
from fireside.wire.child_process import ChildProcess
from fireside.wire.frames import FrameError, FrameTooLarge, TextNotUnicode
from fireside.wire.memory_limits import oom_kill_count, read_memory, tell_of_shortage
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


# Describe for the user why a runner process ended


_SIGNAL_CAUSES = {
    "SIGSEGV": tr_noop("a memory access error (SIGSEGV): a bug in llama.cpp or a damaged model file."),
    "SIGABRT": tr_noop("llama.cpp aborted (SIGABRT)."),
    "SIGBUS": tr_noop("the model file was changed or became unreadable while it was in use (SIGBUS)."),
    "SIGILL": tr_noop("it was built for another CPU (SIGILL)."),
    "SIGFPE": tr_noop("an invalid calculation (SIGFPE): a bug in llama.cpp or a damaged model file."),
    "SIGTERM": tr_noop("killed by another program (SIGTERM)."),
    "SIGHUP": tr_noop("killed by another program (SIGHUP)."),
    "SIGINT": tr_noop("it was interrupted (SIGINT)."),
    "SIGXCPU": tr_noop("CPU time limit reached (SIGXCPU)."),
    "SIGSYS": tr_noop("a system call was not permitted (SIGSYS)."),
}

_NTSTATUS_CAUSES = {
    0xC0000005: tr_noop(
        "a memory access error (access violation): a bug in llama.cpp or a damaged model file."
    ),
    0xC0000006: tr_noop("the model file could not be read any more."),
    0xC0000017: tr_noop("out of memory."),
    0xC000001D: tr_noop("it was built for another CPU (illegal instruction)."),
    0xC0000094: tr_noop("an invalid calculation: a bug in llama.cpp or a damaged model file."),
    0xC00000FD: tr_noop("a stack overflow: a bug in llama.cpp or a damaged model file."),
    0xC000012D: tr_noop("out of memory."),
    0xC0000135: tr_noop("a required library is missing."),
    0xC0000139: tr_noop("a required library has the wrong version."),
    0xC000013A: tr_noop("it was interrupted."),
    0xC0000142: tr_noop("a required library could not be initialised."),
    0xC0000374: tr_noop("memory corruption: a bug in llama.cpp or a damaged model file."),
    0xC0000409: tr_noop("llama.cpp aborted."),
    0x40010004: tr_noop("the system is shutting down."),
}

_WINDOWS_ABORT_STATUS = 3
"""Exit code of ``abort()`` in the Windows runtime, which llama.cpp's asserts end in."""

_ABORT_MARKERS = ("GGML_ASSERT", "GGML_ABORT", "what():", "fatal error")
_MAX_QUOTE = 300
N_LOST_LINES = 20
"""A message about a lost device or short memory within so many of the last log lines is taken as the cause of
the exit."""

_LOST_DEVICE_MARKERS = (
    "devicelost",
    "device lost",
    "device_lost",
    "gpu is lost",
    "device removed",
    "unspecified launch failure",
    "no cuda-capable device",
    "devices unavailable",
    "hiperrornodevice",
    "gpu crash",
    "gpu error",
    "caused gpu hang",
    "remote rpc server crashed",
)
"""Parts, in lower case, of the messages of backends that have lost their device: Vulkan, SYCL, CUDA's driver,
Direct3D's, CUDA, HIP, Metal (command buffers fail with an error of the GPU), and RPC, which tests use."""


class MemoryAtEnd(msgspec.Struct, frozen=True, kw_only=True):
    """The system's memory after a runner has exited."""

    free_bytes: int
    n_kills: int | None
    """Processes that the system killed for lack of memory while the runner ran; ``None`` where it does not
    count them."""


def lost_device(last_lines: Sequence[str]) -> bool:
    """Return whether the runner exited because a graphics card or its driver was lost."""
    lines = [line.casefold() for line in last_lines[-N_LOST_LINES:]]
    return any(marker in line for line in lines for marker in _LOST_DEVICE_MARKERS)


def was_killed(status: int) -> bool:
    """Return whether SIGKILL ended the runner; always False on Windows."""
    return sys.platform != "win32" and status == -signal.SIGKILL


def exit_cause(status: int, *, last_lines: Sequence[str], windows: bool, memory: MemoryAtEnd) -> Translatable:
    """Return the cause for the user, as a clause that follows a colon and ends in a full stop.

    Args:
        status: the process's ``returncode``: negative for a signal on POSIX, maybe an NTSTATUS on Windows.
        last_lines: the last lines of the runner's log, oldest first.
        windows: whether ``status`` is from Windows.
    """
    if status != 0 and not was_killed(status) and tell_of_shortage(last_lines[-N_LOST_LINES:]):
        return tr_noop("out of memory.")
    if windows:
        known = _NTSTATUS_CAUSES.get(status & 0xFFFFFFFF)
        if known is not None:
            return known
        if status == _WINDOWS_ABORT_STATUS and (line := _abort_line(last_lines)):
            return Phrase(tr_noop("llama.cpp aborted: “{line}”."), {"line": line})
    elif status < 0:
        return _signal_cause(-status, last_lines, memory)
    if status == 0:
        return tr_noop("it exited unexpectedly.")
    code = f"0x{status & 0xFFFFFFFF:08X}" if windows and status & 0x80000000 else str(status)
    last = next((line for line in reversed(last_lines) if line.strip()), "")
    if not last:
        return Phrase(tr_noop("it exited with code {code}."), {"code": code})
    return Phrase(
        tr_noop("it exited with code {code}. Last message: “{line}”."), {"code": code, "line": _shorten(last)}
    )


def _signal_cause(number: int, last_lines: Sequence[str], memory: MemoryAtEnd) -> Translatable:
    try:
        name = signal.Signals(number).name
    except ValueError:
        return Phrase(tr_noop("killed by the system (signal {number})."), {"number": number})
    if name == "SIGABRT" and (line := _abort_line(last_lines)):
        return Phrase(tr_noop("llama.cpp aborted: “{line}”."), {"line": line})
    if name == "SIGKILL":
        return _kill_cause(memory)
    return _SIGNAL_CAUSES.get(name) or Phrase(tr_noop("killed by the system ({name})."), {"name": name})


def _kill_cause(memory: MemoryAtEnd) -> Translatable:
    """Return the cause of a SIGKILL, which the system may have sent, or any program of the user."""
    if memory.n_kills:
        return tr_noop(
            "killed by the system, probably out of memory: it has killed a program for that "
            "since this model was loaded."
        )
    free = format_bytes(memory.free_bytes)
    if memory.n_kills is None:
        return Phrase(
            tr_noop("killed by the system or another program (SIGKILL). {free} of memory free now."),
            {"free": free},
        )
    return Phrase(
        tr_noop("killed by another program (SIGKILL). Not for lack of memory; {free} free now."),
        {"free": free},
    )


def _abort_line(lines: Sequence[str]) -> str:
    """Return the last line with a reason of an abort of llama.cpp; empty if there is none."""
    reasons = (line for line in reversed(lines) if any(marker in line for marker in _ABORT_MARKERS))
    return _shorten(next(reasons, ""))


def _shorten(line: str) -> str:
    line = line.strip()
    return line if len(line) <= _MAX_QUOTE else line[: _MAX_QUOTE - 1] + "…"
