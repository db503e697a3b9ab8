"""llama.cpp's log: forwarded to stderr, captured for the caller, and read for what its API does not tell."""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from fireside.core.status import MemoryReport
from fireside.runner.native import lib, symbol
from fireside.wire.memory_limits import tell_of_shortage

_STDERR = 2

_ABORT_PROTOTYPE = ctypes.CFUNCTYPE(None, ctypes.c_char_p)


class NativeLog:
    """llama.cpp's log and abort handlers, installed for the life of the process.

    Calls may come from any thread of llama.cpp.
    """

    def __init__(self) -> None:
        self._captures: list[list[LogLine]] = []
        # ctypes keeps no reference to a callback: these must live as long as the library.
        self._callback = lib.llama_log_callback(self._on_line)
        lib.llama_log_set(self._callback, None)
        self._abort_callback = _ABORT_PROTOTYPE(_write_stderr)
        symbol("ggml_set_abort_callback", None, [_ABORT_PROTOTYPE])(self._abort_callback)

    @property
    def callback(self) -> Any:
        """The callback for other libraries that log in the same way. Lives as long as the process."""
        return self._callback

    def _on_line(self, level: int, text: bytes, _user_data: Any) -> None:
        if level < INFO:
            return
        _write_stderr(text)
        if level != CONTINUATION:
            line = LogLine(level, text.decode("utf-8", "replace").rstrip("\n"))
            for capture in self._captures:
                capture.append(line)

    @contextlib.contextmanager
    def captured(self) -> Iterator[list[LogLine]]:
        """Provide a list to which every line logged within the block is appended."""
        lines: list[LogLine] = []
        self._captures.append(lines)
        try:
            yield lines
        finally:
            self._captures.remove(lines)


def _write_stderr(text: bytes) -> None:
    """Write unbuffered: the process may be about to abort."""
    with contextlib.suppress(OSError):
        os.write(_STDERR, text if text.endswith(b"\n") else text + b"\n")


INFO: Final = 2
ERROR: Final = 4
CONTINUATION: Final = 5
"""Levels of ``enum ggml_log_level``; the last marks the rest of a line."""

_BUFFER = re.compile(r"^\w+: +(.+?) +(model|KV|RS|compute|output) buffer size = +([0-9.]+) MiB")
_ADAPTER = re.compile(r"^\w+: +(\S+) LoRA buffer size = +([0-9.]+) MiB")
_ADAPTERS: Final = "adapters "
"""Prefix for the names of the adapters' buffers."""
_OFFLOADED = re.compile(r"offloaded ([0-9]+)/[0-9]+ layers to GPU")
_DEVICE = re.compile(r"using device (\S+) ")
_UNKNOWN_KIND = re.compile(r"unknown (?:model architecture|pre-tokenizer type|tokenizer): '([^']+)'")
_FUNCTION_PREFIX = re.compile(r"^(?:\w+: +)+")


class LogLine(NamedTuple):
    level: int
    text: str


def first_error(lines: Sequence[LogLine]) -> str:
    """Return llama.cpp's first error message, without the names of its functions; empty if none."""
    for line in lines:
        if line.level == ERROR:
            return _FUNCTION_PREFIX.sub("", line.text).strip()
    return ""


def memory_ran_out(lines: Sequence[LogLine]) -> bool:
    """Whether llama.cpp failed for lack of memory or address space."""
    return tell_of_shortage(line.text for line in lines if line.level == ERROR)


def unknown_kind(lines: Sequence[LogLine]) -> str:
    """Return the architecture or tokenizer that this build of llama.cpp does not know; empty if none."""
    for line in lines:
        if line.level == ERROR and (match := _UNKNOWN_KIND.search(line.text)):
            return match[1]
    return ""


def mlock_failed(lines: Sequence[LogLine]) -> bool:
    """Whether locking the weights in memory failed."""
    return any("failed to mlock" in line.text or "mlock not supported" in line.text for line in lines)


def memory_reports(lines: Sequence[LogLine]) -> tuple[MemoryReport, ...]:
    """Return the allocated memory by buffer type, from the lines of one load. Exact to 10 KiB.

    A compute buffer may be logged again when it grows; the last line counts.
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


def adapter_reports(lines: Sequence[LogLine]) -> tuple[MemoryReport, ...]:
    """Return the memory of all adapters by buffer type. Exact to 10 KiB for each of them."""
    sizes: dict[str, int] = {}
    for line in lines:
        if match := _ADAPTER.search(line.text):
            sizes[match[1]] = sizes.get(match[1], 0) + round(float(match[2]) * 1024 * 1024)
    return tuple(
        MemoryReport(buffer=_ADAPTERS + buffer, weights_bytes=n_bytes, kv_bytes=0, compute_bytes=0)
        for buffer, n_bytes in sizes.items()
    )


def n_offloaded(lines: Sequence[LogLine]) -> int:
    """Return how many layers were offloaded from the CPU; the output layer counts as one."""
    counts = [int(match[1]) for line in lines if (match := _OFFLOADED.search(line.text))]
    return counts[-1] if counts else 0


def offload_devices(lines: Sequence[LogLine]) -> tuple[str, ...]:
    """Return the names of the devices besides the CPU that a load uses."""
    return tuple(dict.fromkeys(match[1] for line in lines if (match := _DEVICE.search(line.text))))


def uses_pipeline(lines: Sequence[LogLine]) -> bool:
    """Whether a context uses pipeline parallelism."""
    messages = [line.text for line in lines if "pipeline parallelism" in line.text]
    # It may be tried and given up for lack of memory.
    return bool(messages) and "without" not in messages[-1]
