"""Run requests in a child process with limits on time, memory and size of the reply."""

from __future__ import annotations

import contextlib
import math
import struct
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import ClassVar, Final

import msgspec
import psutil

from fireside.core.i18n import tr_noop
from fireside.wire.windows_job import KillOnExitJob

if sys.platform == "win32":
    _CREATION_FLAGS = subprocess.CREATE_NO_WINDOW
    _BEHIND = subprocess.BELOW_NORMAL_PRIORITY_CLASS
else:
    _CREATION_FLAGS = _BEHIND = 0  # such a process lowers itself

_LENGTH: Final = struct.Struct("<I")
_LOOK_S: Final = 0.05


class ProcessLimits(msgspec.Struct, frozen=True, kw_only=True):
    """What a process may take. What it limits itself should be tighter, since that gives the better words."""

    time_s: float = 10.0
    """With its start, on a busy computer."""
    memory_bytes: int = 512 << 20
    reply_bytes: int = 1 << 20


class Ended(Enum):
    """Why a process was ended, as the end of a sentence."""

    TIME = tr_noop("it takes too long.")
    MEMORY = tr_noop("it takes too much memory.")
    REPLY = tr_noop("it makes a text without end.")


def ask_process(
    command: Sequence[str], *, environment: Mapping[str, str], request: bytes, limits: ProcessLimits
) -> bytes | Ended:
    """Start a process, give it ``request``, return what it answers or why it was ended. Blocks; any thread.

    The process has ended when this returns. One that crashes has an empty answer, or the beginning of one.

    Raises:
        OSError: it could not be started.
    """
    process = _start(command, environment=environment)
    with process, contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # Its own limits hold all the same.
            stack.enter_context(KillOnExitJob(process.pid))
        guard = _Guard(process, limits)
        try:
            answer = _exchange(process, request, reply_bytes=limits.reply_bytes)
        finally:
            process.kill()
            guard.join()
    if guard.why is not None:
        return guard.why
    return Ended.REPLY if len(answer) > limits.reply_bytes else answer


class GuardedProcess:
    """A process that answers requests one after the other. For one thread at a time; ``close`` ends it.

    Requests and answers are frames: their length in 4 bytes, the lowest first, then so many bytes.
    """

    def __init__(
        self, command: Sequence[str], *, environment: Mapping[str, str], limits: ProcessLimits
    ) -> None:
        """Take ``limits`` as those of each request. Raises ``OSError`` where it cannot be started."""
        self._limits = limits
        self._process = _start(command, environment=environment, flags=_BEHIND)
        self._stack = contextlib.ExitStack()
        with contextlib.suppress(OSError):
            self._stack.enter_context(KillOnExitJob(self._process.pid))
        self._guard = _Guard(self._process, limits)

    def ask(self, request: bytes) -> bytes | Ended | None:
        """Return the answer, why the process was ended, or ``None`` where it crashed: it is closed then."""
        self._guard.restart()
        answer = self._exchange(request)
        if isinstance(answer, bytes):
            self._guard.pause()
            return answer
        self.close()
        return self._guard.why or answer

    def close(self) -> None:
        """End the process; it has ended when this returns. A second call does nothing."""
        self._process.kill()
        self._guard.join()
        self._process.__exit__(None, None, None)
        self._stack.close()

    def _exchange(self, request: bytes) -> bytes | Ended | None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(_LENGTH.pack(len(request)) + request)
            self._process.stdin.flush()
        except OSError:
            return None
        head = self._process.stdout.read(_LENGTH.size)
        if len(head) < _LENGTH.size:
            return None
        (n_bytes,) = _LENGTH.unpack(head)
        if n_bytes > self._limits.reply_bytes:
            return Ended.REPLY
        answer = self._process.stdout.read(n_bytes)
        return answer if len(answer) == n_bytes else None


class GuardedProgram:
    """A runner in a mode in which it answers one question and ends. Any thread.

    Args:
        command: starts a runner, see ``runner_command``.
        environment: all of it, see ``runner_environment``.
    """

    mode: ClassVar[str]
    """The argument that asks for it, see ``wire.runner_modes``."""
    limits: ClassVar[ProcessLimits]

    def __init__(
        self, *, command: Sequence[str], environment: Mapping[str, str], limits: ProcessLimits | None = None
    ) -> None:
        self._command = (*command, self.mode)
        self._environment = dict(environment)
        self._limits = limits or self.limits

    def _ask(self, request: bytes) -> bytes | Ended:
        return ask_process(self._command, environment=self._environment, request=request, limits=self._limits)


def _start(
    command: Sequence[str], *, environment: Mapping[str, str], flags: int = 0
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603  # our own program, and nothing of the request's
        command,
        env=dict(environment),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        creationflags=_CREATION_FLAGS | flags,
    )


def _exchange(process: subprocess.Popen[bytes], request: bytes, *, reply_bytes: int) -> bytes:
    """Return what the process answers, or the beginning of that which is too long."""
    assert process.stdin is not None
    assert process.stdout is not None
    with contextlib.suppress(OSError):  # It has ended; its answer is empty then.
        process.stdin.write(request)
        process.stdin.close()
    return process.stdout.read(reply_bytes + 1)


class _Guard:
    """Looks at a process until it ends, and ends it when it takes more than it may."""

    def __init__(self, process: subprocess.Popen[bytes], limits: ProcessLimits) -> None:
        self.why: Ended | None = None
        self._process = process
        self._limits = limits
        self._waited_s = 0.0
        self._thread = threading.Thread(target=self._watch, name="process guard", daemon=True)
        self._thread.start()

    def restart(self) -> None:
        """Count the time from now on."""
        self._waited_s = 0.0

    def pause(self) -> None:
        """Count no time until ``restart``."""
        self._waited_s = -math.inf

    def join(self) -> None:
        """Return when the process has ended."""
        self._thread.join()

    def _watch(self) -> None:
        while self._waited_s < self._limits.time_s:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_LOOK_S)
                return
            self._waited_s += _LOOK_S
            if _memory_of(self._process.pid) > self._limits.memory_bytes:
                self._end(Ended.MEMORY)
                return
        self._end(Ended.TIME)

    def _end(self, why: Ended) -> None:
        self.why = why
        self._process.kill()
        self._process.wait()


def _memory_of(pid: int) -> int:
    """Return the bytes of memory that a process holds; 0 once it is gone."""
    try:
        return int(psutil.Process(pid).memory_info().rss)
    except psutil.Error:
        return 0
