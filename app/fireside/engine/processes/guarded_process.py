"""Run requests in a child process with limits on time, memory and size of the reply."""

from __future__ import annotations

import contextlib
import math
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import ClassVar, Final, NamedTuple

import msgspec
import psutil

from fireside.core.i18n import tr_noop
from fireside.wire.frames import FrameTooLarge, frame_of, read_frame
from fireside.wire.windows_job import KillOnExitJob

if sys.platform == "win32":
    NO_WINDOW = subprocess.CREATE_NO_WINDOW
    _LOW_PRIORITY = subprocess.BELOW_NORMAL_PRIORITY_CLASS
else:
    NO_WINDOW = _LOW_PRIORITY = 0

_POLL_INTERVAL_S: Final = 0.05
_END_S: Final = 2.0
"""In which a process that has closed its output ends."""
_PROGRESS_S: Final = 0.2
"""Processor time that shows that a process works, however slowly."""


class ProcessLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits of a process. Limits that it sets itself should be tighter, since its messages are better."""

    time_s: float = 10.0
    """By the clock, including its start, on a busy computer."""
    cpu_s: float | None = None
    """Processor time for a request; with it, ``time_s`` is how long the process may use next to none."""
    memory_bytes: int = 512 << 20
    reply_bytes: int = 1 << 20


class LimitExceeded(Enum):
    """The limit that a killed process exceeded. The value is the end of a sentence for the user."""

    TIME = tr_noop("it takes too long.")
    MEMORY = tr_noop("it takes too much memory.")
    REPLY = tr_noop("it makes a text without end.")


def ask_process(
    command: Sequence[str], *, environment: Mapping[str, str], request: bytes, limits: ProcessLimits
) -> bytes | LimitExceeded:
    """Start a process, write ``request`` to it and return its reply. Blocks; any thread.

    The process has ended when this returns. The reply of one that crashes is empty or incomplete.

    Raises:
        OSError: it could not be started.
    """
    process = _start(command, environment=environment)
    with process, contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # The other limits hold without it.
            stack.enter_context(KillOnExitJob(process.pid))
        guard = _Guard(process, limits)
        try:
            reply = _exchange(process, request, reply_bytes=limits.reply_bytes)
        finally:
            process.kill()
            guard.join()
    if guard.exceeded is not None:
        return guard.exceeded
    return LimitExceeded.REPLY if len(reply) > limits.reply_bytes else reply


class GuardedProcess:
    """A process that answers one request at a time, in frames.

    Used by one thread at a time; any may ``close`` it, which ends it and the wait of another.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        environment: Mapping[str, str],
        limits: ProcessLimits,
        is_low_priority: bool = False,
    ) -> None:
        """``limits`` are for each request. Raises ``OSError`` if the process cannot be started.

        ``is_low_priority`` is for Windows; elsewhere such a process lowers its priority itself.
        """
        self._limits = limits
        flags = _LOW_PRIORITY if is_low_priority else 0
        self._process = _start(command, environment=environment, flags=flags)
        self._stack = contextlib.ExitStack()
        with contextlib.suppress(OSError):
            self._stack.enter_context(KillOnExitJob(self._process.pid))
        self._guard = _Guard(self._process, limits)

    @property
    def has_exited(self) -> bool:
        """Whether the process, which is closed, had ended by itself before, without a failure."""
        return self._process.returncode == 0

    @property
    def was_killed(self) -> bool:
        """Whether the process, which is closed, was ended from outside before: for lack of memory, say."""
        if sys.platform == "win32":  # has no signals: what ends a process chooses the code, usually 1
            return self._process.returncode == 1
        return self._process.returncode in (-signal.SIGKILL, -signal.SIGTERM)

    def ask(self, request: bytes) -> bytes | LimitExceeded | None:
        """Return the reply, or ``None`` if the process has ended. Without a reply it is closed."""
        self._guard.restart()
        reply = self._exchange(request)
        if isinstance(reply, bytes):
            self._guard.pause()
            return reply
        if reply is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_END_S)  # its own exit code, before close ends it
        self.close()
        return self._guard.exceeded or reply

    def close(self) -> None:
        """End the process; it has ended when this returns. Idempotent."""
        self._process.kill()
        self._guard.join()
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # what it did not take of a request
            self._process.stdin.close()
        self._process.__exit__(None, None, None)
        self._stack.close()

    def _exchange(self, request: bytes) -> bytes | LimitExceeded | None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(frame_of(request))
            self._process.stdin.flush()
        except OSError:
            return None
        try:
            return read_frame(self._process.stdout, limit_bytes=self._limits.reply_bytes)
        except FrameTooLarge:
            return LimitExceeded.REPLY


class GuardedProgram:
    """A runner in a mode in which it answers one request and exits. Any thread.

    Args:
        command: starts a runner, see ``runner_command``.
        environment: the complete environment, see ``runner_environment``.
    """

    mode: ClassVar[str]
    """The command-line argument of the mode, see ``wire.runner_modes``."""
    limits: ClassVar[ProcessLimits]

    def __init__(
        self, *, command: Sequence[str], environment: Mapping[str, str], limits: ProcessLimits | None = None
    ) -> None:
        self._command = (*command, self.mode)
        self._environment = dict(environment)
        self._limits = limits or self.limits

    def _ask(self, request: bytes) -> bytes | LimitExceeded:
        return ask_process(self._command, environment=self._environment, request=request, limits=self._limits)


def _start(
    command: Sequence[str], *, environment: Mapping[str, str], flags: int = 0
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603  # our own program; nothing in it comes from the request
        command,
        env=dict(environment),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        creationflags=NO_WINDOW | flags,
    )


def _exchange(process: subprocess.Popen[bytes], request: bytes, *, reply_bytes: int) -> bytes:
    """Return the process's reply, of at most ``reply_bytes`` + 1 bytes."""
    assert process.stdin is not None
    assert process.stdout is not None
    with contextlib.suppress(OSError):  # It has exited; then its reply is empty.
        process.stdin.write(request)
        process.stdin.close()
    return process.stdout.read(reply_bytes + 1)


class _Guard:
    """Watches a process until it exits, and kills it when it exceeds a limit."""

    def __init__(self, process: subprocess.Popen[bytes], limits: ProcessLimits) -> None:
        self.exceeded: LimitExceeded | None = None
        self._process = process
        self._limits = limits
        self._elapsed_s = 0.0
        self._first_cpu_s = self._last_cpu_s = 0.0
        """Processor time at the request, and when it was last seen to work."""
        self._thread = threading.Thread(target=self._watch, name="process guard", daemon=True)
        self._thread.start()

    def restart(self) -> None:
        """Restart the limits of time."""
        self._first_cpu_s = self._last_cpu_s = _usage_of(self._process.pid).cpu_s
        self._elapsed_s = 0.0

    def pause(self) -> None:
        """Suspend the limits of time until ``restart``."""
        self._elapsed_s = -math.inf

    def join(self) -> None:
        """Wait until the process has exited."""
        self._thread.join()

    def _watch(self) -> None:
        while self._elapsed_s < self._limits.time_s:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_POLL_INTERVAL_S)
                return
            self._elapsed_s += _POLL_INTERVAL_S
            usage = _usage_of(self._process.pid)
            if usage.memory_bytes > self._limits.memory_bytes:
                self._kill(LimitExceeded.MEMORY)
                return
            if self._limits.cpu_s is not None and self._elapsed_s > 0:
                if usage.cpu_s - self._first_cpu_s > self._limits.cpu_s:
                    break
                if usage.cpu_s - self._last_cpu_s > _PROGRESS_S:
                    self._last_cpu_s, self._elapsed_s = usage.cpu_s, 0.0
        self._kill(LimitExceeded.TIME)

    def _kill(self, exceeded: LimitExceeded) -> None:
        self.exceeded = exceeded
        self._process.kill()
        self._process.wait()


class _Usage(NamedTuple):
    memory_bytes: int
    """Resident."""
    cpu_s: float


def _usage_of(pid: int) -> _Usage:
    """Return what a process uses; nothing once it has exited."""
    try:
        process = psutil.Process(pid)
        with process.oneshot():
            times = process.cpu_times()
            return _Usage(int(process.memory_info().rss), times.user + times.system)
    except psutil.Error:
        return _Usage(0, 0.0)
