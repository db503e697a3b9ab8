"""Measure how much system memory a process uses."""

from __future__ import annotations

import os
import sys

import msgspec
import psutil


class ProcessMemory(msgspec.Struct, frozen=True, kw_only=True):
    """Resident memory of a process, in bytes."""

    private_bytes: int
    """Private memory: unavailable to other processes while this one lives."""
    mapped_bytes: int = 0
    """Pages of mapped files, mostly the model. The system counts them as available and rereads them."""


def measure_process(pid: int | None = None) -> ProcessMemory | None:
    """Return the memory of process ``pid``, by default this one; ``None`` once it has ended. Below 1 ms."""
    try:
        memory = psutil.Process(os.getpid() if pid is None else pid).memory_info()
    except psutil.Error:
        return None
    if sys.platform == "linux":
        shared = min(memory.rss, memory.shared)
        return ProcessMemory(private_bytes=memory.rss - shared, mapped_bytes=shared)
    return ProcessMemory(private_bytes=memory.rss)
