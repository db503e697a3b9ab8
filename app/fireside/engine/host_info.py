"""What this computer offers: processor cores and free memory."""

from __future__ import annotations

import os
from collections.abc import Callable

import msgspec
import psutil

from fireside.wire.memory_limits import memory_now


class Host(msgspec.Struct, frozen=True, kw_only=True):
    """The computer as it is now. Memory in bytes."""

    n_cores: int
    """Physical cores that this process may use."""
    available_bytes: int
    """Memory that programs can have without swapping; what the file cache would give back counts."""


HostProbe = Callable[[], Host]
"""Measure the computer now. Takes well under a millisecond."""


def probe_host() -> Host:
    """Measure this computer."""
    return Host(n_cores=_usable_cores(), available_bytes=memory_now().available_bytes)


def _usable_cores() -> int:
    n_logical = os.cpu_count() or 1
    n_physical = psutil.cpu_count(logical=False) or n_logical
    # A container or `taskset` may allow fewer than the machine has.
    n_allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else n_logical
    return max(1, min(n_physical, n_allowed))
