"""Describe for the user why a runner process ended."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence

import msgspec

from fireside.core.errors import format_bytes
from fireside.core.i18n import Phrase, Translatable, tr_noop

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

_ABORT_MARKS = ("GGML_ASSERT", "GGML_ABORT", "what():", "fatal error")
_MAX_QUOTE = 300
N_LOST_LINES = 20
"""How far from the end of the log a device counts as lost by this end."""

_LOST_MARKS = (
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
"""What backends write when their device has gone, in small letters: Vulkan, SYCL, CUDA's driver, Direct3D's,
CUDA, HIP, Metal (command buffers fail with an error of the GPU), and RPC, by which tests take one away."""


class MemoryAtEnd(msgspec.Struct, frozen=True, kw_only=True):
    """What the system tells of memory once a runner has gone."""

    free_bytes: int
    n_kills: int | None
    """Programs that the system ended for want of memory while the runner was there; ``None`` where it does
    not count them."""


def lost_device(last_lines: Sequence[str]) -> bool:
    """Tell whether the runner ended since a graphics card or its driver went away."""
    return any(mark in line.casefold() for line in last_lines[-N_LOST_LINES:] for mark in _LOST_MARKS)


def was_killed(status: int) -> bool:
    """Tell whether a signal ended the runner that no program can turn away; never on Windows."""
    return sys.platform != "win32" and status == -signal.SIGKILL


def exit_cause(status: int, *, last_lines: Sequence[str], windows: bool, memory: MemoryAtEnd) -> Translatable:
    """Return one clause that ends in a full stop, fit to follow a colon.

    Args:
        status: as ``subprocess`` gives it: negative is a signal on POSIX, an NTSTATUS code on Windows.
        last_lines: what the runner wrote to its log last, oldest first.
        windows: how to read ``status``.
    """
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
    text = f"0x{status & 0xFFFFFFFF:08X}" if windows and status & 0x80000000 else str(status)
    last = next((line for line in reversed(last_lines) if line.strip()), "")
    if not last:
        return Phrase(tr_noop("it exited with code {code}."), {"code": text})
    return Phrase(
        tr_noop("it exited with code {code}. Last message: “{line}”."), {"code": text, "line": _shorten(last)}
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
    """Word what the signal alone does not tell: the system may send it, and any program of the user."""
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
    """Return the line in which llama.cpp says why it aborts, the last such one, or nothing."""
    found = (line for line in reversed(lines) if any(mark in line for mark in _ABORT_MARKS))
    return _shorten(next(found, ""))


def _shorten(line: str) -> str:
    line = line.strip()
    return line if len(line) <= _MAX_QUOTE else line[: _MAX_QUOTE - 1] + "…"
