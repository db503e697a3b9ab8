"""This computer's processor cores and available memory."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from fireside.engine.fast_cores import n_fast_cores
from fireside.wire.memory_limits import read_memory


class Host(msgspec.Struct, frozen=True, kw_only=True):
    """The computer as it is now. Memory in bytes."""

    n_cores: int
    """Physical cores of the fastest kind that this process may use."""
    available_bytes: int
    """Memory that programs can use without swapping; what the file cache would give back counts."""
    total_bytes: int = 0
    """Installed memory, or the limit of the container; 0 if unknown."""


HostProbe = Callable[[], Host]
"""Measures the computer now, in well under a millisecond."""


def probe_host() -> Host:
    """Measure this computer."""
    memory = read_memory()
    return Host(
        n_cores=n_fast_cores(), available_bytes=memory.available_bytes, total_bytes=memory.total_bytes
    )
