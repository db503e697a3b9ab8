"""How much of the computer's memory a process holds."""

from __future__ import annotations

import os
import sys

import msgspec
import psutil


class ProcessMemory(msgspec.Struct, frozen=True, kw_only=True):
    """Bytes in memory now."""

    private_bytes: int
    """Its own: no other process can have it while it lives."""
    mapped_bytes: int = 0
    """Pages of files, a model's above all. The system counts them as available, and would read them again."""


def measure_process(pid: int | None = None) -> ProcessMemory | None:
    """Measure a process, this one if none is named; ``None`` once it is gone. Well under a millisecond."""
    try:
        memory = psutil.Process(os.getpid() if pid is None else pid).memory_info()
    except psutil.Error:
        return None
    if sys.platform == "linux":
        shared = min(memory.rss, memory.shared)
        return ProcessMemory(private_bytes=memory.rss - shared, mapped_bytes=shared)
    return ProcessMemory(private_bytes=memory.rss)
