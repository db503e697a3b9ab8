"""llama.cpp's own log: passed on to stderr, and read for what llama.cpp tells nowhere else."""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from fireside.core.status import MemoryReport
from fireside.runner.native import lib, symbol

_INFO, _ERROR, _CONTINUED = 2, 4, 5
_STDERR = 2

_BUFFER = re.compile(r"^\w+: +(.+?) +(model|KV|RS|compute|output) buffer size = +([0-9.]+) MiB")
_OFFLOADED = re.compile(r"offloaded ([0-9]+)/[0-9]+ layers to GPU")
_DEVICE = re.compile(r"using device (\S+) ")
_ABORT_PROTOTYPE = ctypes.CFUNCTYPE(None, ctypes.c_char_p)
_FUNCTION_PREFIX = re.compile(r"^(?:\w+: +)+")


class LogLine(NamedTuple):
    level: int
    text: str


class NativeLog:
    """Install llama.cpp's log and assert handlers for the life of the process.

    Calls may come from any thread of llama.cpp.
    """

    def __init__(self) -> None:
        self._captures: list[list[LogLine]] = []
        # ctypes keeps no reference to a callback: these must live as long as the library.
        self._callback = lib.llama_log_callback(self._on_line)
        lib.llama_log_set(self._callback, None)
        self._abort_callback = _ABORT_PROTOTYPE(_write_stderr)
        symbol("ggml_set_abort_callback", None, [_ABORT_PROTOTYPE])(self._abort_callback)

    def _on_line(self, level: int, text: bytes, _user_data: Any) -> None:
        if level < _INFO:
            return
        _write_stderr(text)
        if level != _CONTINUED:
            line = LogLine(level, text.decode("utf-8", "replace").rstrip("\n"))
            for capture in self._captures:
                capture.append(line)

    @contextlib.contextmanager
    def captured(self) -> Iterator[list[LogLine]]:
        """Give a list that grows by every line that is logged within the block."""
        lines: list[LogLine] = []
        self._captures.append(lines)
        try:
            yield lines
        finally:
            self._captures.remove(lines)


def _write_stderr(text: bytes) -> None:
    """Write past Python's buffers: the process may be about to abort."""
    with contextlib.suppress(OSError):
        os.write(_STDERR, text if text.endswith(b"\n") else text + b"\n")


def first_error(lines: Sequence[LogLine]) -> str:
    """Return llama.cpp's own reason for a failure, without the names of its functions; empty if none."""
    for line in lines:
        if line.level == _ERROR:
            return _FUNCTION_PREFIX.sub("", line.text).strip()
    return ""


def memory_reports(lines: Sequence[LogLine]) -> tuple[MemoryReport, ...]:
    """Return what was allocated, by buffer type, from the lines of one load. Exact to 10 KiB.

    A compute buffer may be announced again when it grows; the last announcement holds.
    """
    sizes: dict[str, dict[str, int]] = {}
    for line in lines:
        if match := _BUFFER.search(line.text):
            buffer, kind, mib = match.groups()
            entry = sizes.setdefault(buffer, {})
            n_bytes = round(float(mib) * 1024 * 1024)
            entry[kind] = n_bytes if kind in ("compute", "output") else entry.get(kind, 0) + n_bytes
    return tuple(
        MemoryReport(
            buffer=buffer,
            weights_bytes=kinds.get("model", 0),
            kv_bytes=kinds.get("KV", 0) + kinds.get("RS", 0),
            compute_bytes=kinds.get("compute", 0) + kinds.get("output", 0),
        )
        for buffer, kinds in sizes.items()
    )


def n_offloaded(lines: Sequence[LogLine]) -> int:
    """Return how many layers a load put on other devices than the CPU; the output layer counts as one."""
    found = [int(match[1]) for line in lines if (match := _OFFLOADED.search(line.text))]
    return found[-1] if found else 0


def offload_devices(lines: Sequence[LogLine]) -> tuple[str, ...]:
    """Return the names of the devices besides the CPU that a load was given."""
    return tuple(dict.fromkeys(match[1] for line in lines if (match := _DEVICE.search(line.text))))
