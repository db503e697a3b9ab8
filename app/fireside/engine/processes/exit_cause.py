"""Describe for the user why a runner process ended."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence

import msgspec

from fireside.core.errors import format_bytes
from fireside.core.i18n import Phrase, Translatable, tr_noop
from fireside.wire.memory_limits import tell_of_shortage

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
