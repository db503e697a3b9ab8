"""Say in words why a runner process ended."""

from __future__ import annotations

import signal
from collections.abc import Sequence

import msgspec

from fireside.core.errors import format_bytes
from fireside.core.i18n import tr, tr_noop

_SIGNAL_CAUSES = {
    "SIGSEGV": tr_noop(
        "it read memory that is not its own (SIGSEGV), which is a fault in llama.cpp or a broken model file."
    ),
    "SIGABRT": tr_noop("llama.cpp gave up (SIGABRT)."),
    "SIGBUS": tr_noop("the model file was changed or became unreadable while it was in use (SIGBUS)."),
    "SIGILL": tr_noop("it was built for another processor than this one (SIGILL)."),
    "SIGFPE": tr_noop(
        "a calculation was not possible (SIGFPE), which is a fault in llama.cpp or a broken model file."
    ),
    "SIGTERM": tr_noop("something else on this computer ended it (SIGTERM)."),
    "SIGHUP": tr_noop("something else on this computer ended it (SIGHUP)."),
    "SIGINT": tr_noop("it was interrupted (SIGINT)."),
    "SIGXCPU": tr_noop("it used up the processor time that it is allowed (SIGXCPU)."),
    "SIGSYS": tr_noop("it was not allowed to make a system call (SIGSYS)."),
}

_NTSTATUS_CAUSES = {
    0xC0000005: tr_noop(
        "it read memory that is not its own (access violation), which is a fault in llama.cpp or a "
        "broken model file."
    ),
    0xC0000006: tr_noop("the model file could not be read any more."),
    0xC0000017: tr_noop("memory ran out."),
    0xC000001D: tr_noop("it was built for another processor than this one (illegal instruction)."),
    0xC0000094: tr_noop(
        "a calculation was not possible, which is a fault in llama.cpp or a broken model file."
    ),
    0xC00000FD: tr_noop("it used up its stack, which is a fault in llama.cpp or a broken model file."),
    0xC000012D: tr_noop("memory ran out."),
    0xC0000135: tr_noop("a library that it needs is missing."),
    0xC0000139: tr_noop("a library that it needs is of the wrong version."),
    0xC000013A: tr_noop("it was interrupted."),
    0xC0000142: tr_noop("a library that it needs could not be started."),
    0xC0000374: tr_noop("its memory was damaged, which is a fault in llama.cpp or a broken model file."),
    0xC0000409: tr_noop("llama.cpp gave up."),
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


def exit_cause(status: int, *, last_lines: Sequence[str], windows: bool, memory: MemoryAtEnd) -> str:
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
            return tr("llama.cpp gave up: “{line}”.").format(line=line)
    elif status < 0:
        return _signal_cause(-status, last_lines, memory)
    if status == 0:
        return tr_noop("it ended without being asked to.")
    text = f"0x{status & 0xFFFFFFFF:08X}" if windows and status & 0x80000000 else str(status)
    last = next((line for line in reversed(last_lines) if line.strip()), "")
    if not last:
        return tr("it ended with exit code {code}.").format(code=text)
    return tr("it ended with exit code {code}. Its last message: “{line}”.").format(
        code=text, line=_shorten(last)
    )


def _signal_cause(number: int, last_lines: Sequence[str], memory: MemoryAtEnd) -> str:
    try:
        name = signal.Signals(number).name
    except ValueError:
        return tr("the system ended it with signal {number}.").format(number=number)
    if name == "SIGABRT" and (line := _abort_line(last_lines)):
        return tr("llama.cpp gave up: “{line}”.").format(line=line)
    if name == "SIGKILL":
        return _kill_cause(memory)
    return _SIGNAL_CAUSES.get(name) or tr("the system ended it ({name}).").format(name=name)


def _kill_cause(memory: MemoryAtEnd) -> str:
    """Word what the signal alone does not tell: the system may send it, and any program of the user."""
    if memory.n_kills:
        return tr_noop(
            "the system ended it, probably because memory ran out: it has ended a program for that since "
            "this model was loaded."
        )
    free = format_bytes(memory.free_bytes)
    if memory.n_kills is None:
        return tr("the system or another program ended it (SIGKILL). {free} of memory are free now.").format(
            free=free
        )
    return tr(
        "something else on this computer ended it (SIGKILL). The system has ended nothing for want of "
        "memory; {free} are free now."
    ).format(free=free)


def _abort_line(lines: Sequence[str]) -> str:
    """Return the line in which llama.cpp says why it aborts, the last such one, or nothing."""
    found = (line for line in reversed(lines) if any(mark in line for mark in _ABORT_MARKS))
    return _shorten(next(found, ""))


def _shorten(line: str) -> str:
    line = line.strip()
    return line if len(line) <= _MAX_QUOTE else line[: _MAX_QUOTE - 1] + "…"
