"""This computer's processor cores and available memory."""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import msgspec
import psutil

from fireside.wire.memory_limits import read_memory

ROOT: Final = Path("/")
_MIN_CAPACITY: Final = 0.5
"""A core with less than this part of the largest capacity is a slow one."""
_RELATION_PROCESSOR_CORE: Final = 0


def n_fast_cores(root: Path = ROOT) -> int:
    """Return the physical cores of the fastest kind that this process may use; at least 1. Never raises.

    Args:
        root: of the file system with ``sys``, where Linux lists its processors.
    """
    n_physical = psutil.cpu_count(logical=False) or os.cpu_count() or 1
    try:
        if sys.platform == "linux":
            n_fast = _n_on_linux(root / "sys/devices", os.sched_getaffinity(0))
        elif sys.platform == "darwin":
            n_fast = _n_on_macos()
        else:
            n_fast = _n_on_windows()
    except (OSError, ValueError, AttributeError):
        n_fast = 0
    return max(1, n_fast or n_physical)


def _n_on_linux(devices: Path, allowed: set[int]) -> int:
    # On Intel, the kernel lists the fast cores; elsewhere it reports the capacity of each core.
    fast = _parse_cpu_list(devices / "cpu_core/cpus") or set(allowed)
    folders = {cpu: devices / f"system/cpu/cpu{cpu}" for cpu in fast & allowed or allowed}
    capacities = {cpu: _number(folder / "cpu_capacity") for cpu, folder in folders.items()}
    threshold = _MIN_CAPACITY * max(capacities.values(), default=0)
    return len(
        {
            (
                _number(folder / "topology/physical_package_id"),
                (folder / "topology/core_id").read_text("ascii"),
            )
            for cpu, folder in folders.items()
            if capacities[cpu] >= threshold
        }
    )


def _parse_cpu_list(file: Path) -> set[int]:
    """Return the numbers of a list such as ``0-7,12``; none if there is no file."""
    if not file.exists():
        return set()
    ranges = (part.partition("-") for part in file.read_text("ascii").strip().split(",") if part)
    return {cpu for first, _, last in ranges for cpu in range(int(first), int(last or first) + 1)}


def _number(file: Path) -> int:
    return int(file.read_text("ascii")) if file.exists() else 0


def _n_on_macos() -> int:
    """Return the cores of Apple's first level, which is the fast one; 0 on other processors."""
    n_cores, size = ctypes.c_int(0), ctypes.c_size_t(ctypes.sizeof(ctypes.c_int))
    name = b"hw.perflevel0.physicalcpu"
    ctypes.CDLL(None).sysctlbyname(name, ctypes.byref(n_cores), ctypes.byref(size), None, ctypes.c_size_t(0))
    return n_cores.value


def _n_on_windows() -> int:
    if sys.platform != "win32":
        return 0
    kernel32 = ctypes.WinDLL("kernel32", use_last_error=True)
    length = ctypes.c_ulong(0)
    kernel32.GetLogicalProcessorInformationEx(_RELATION_PROCESSOR_CORE, None, ctypes.byref(length))
    table = ctypes.create_string_buffer(length.value)
    if not kernel32.GetLogicalProcessorInformationEx(_RELATION_PROCESSOR_CORE, table, ctypes.byref(length)):
        raise ctypes.WinError(ctypes.get_last_error())
    classes = list(efficiency_classes(table.raw[: length.value]))
    return classes.count(max(classes, default=0))


def efficiency_classes(table: bytes) -> Iterator[int]:
    """Yield the class of each physical core in a list of ``SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX``.

    A higher class is faster.
    """
    offset = 0
    while offset + 10 <= len(table):
        relation, size = struct.unpack_from("<II", table, offset)
        if relation == _RELATION_PROCESSOR_CORE:
            yield table[offset + 9]
        offset += max(size, 10)


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
