"""How much of what models have read is kept beyond their context: in memory and on disk."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from fireside.wire.memory_limits import memory_now
from fireside.wire.messages import CacheOptions

MEMORY_BYTES = 8 << 30
MEMORY_SHARE = 4
"""At most a quarter of the memory that is built in, and by the runner's choice of what is free."""
PLANNED_BYTES = 512 << 20
"""What a load plan leaves room for; beyond that, states take only what is free, and give it back."""
DISK_BYTES = 8_000_000_000
DISK_SHARE = 10
"""At most a tenth of the disk's free space, with what is used of it already."""

CacheProbe = Callable[[], CacheOptions]
"""Say what a runner that is about to be started may keep."""


class CacheSpace(msgspec.Struct, frozen=True, kw_only=True):
    """What there is to divide. Bytes."""

    memory_bytes: int
    """All memory of this computer."""
    disk_free_bytes: int
    kept_bytes: int
    """What the cache holds on the disk already."""


def no_cache() -> CacheOptions:
    """Keep nothing."""
    return CacheOptions()


def usual_memory_bytes(room: CacheSpace) -> int:
    """Return the budget in memory of each model where the user has not chosen one."""
    return min(MEMORY_BYTES, room.memory_bytes // MEMORY_SHARE)


def planned_bytes(options: CacheOptions) -> int:
    """Return the memory for states that a load plan counts on."""
    return min(options.memory_bytes, PLANNED_BYTES)


def usual_disk_bytes(room: CacheSpace) -> int:
    """Return the budget on disk where the user has not chosen one."""
    return min(DISK_BYTES, (room.disk_free_bytes + room.kept_bytes) // DISK_SHARE)


def cache_options(
    folder: Path, *, room: CacheSpace, memory_bytes: int | None, disk_bytes: int | None
) -> CacheOptions:
    """Return what a runner may keep. A budget of ``None`` is the usual one, 0 turns its level off."""
    memory = usual_memory_bytes(room) if memory_bytes is None else memory_bytes
    disk = usual_disk_bytes(room) if disk_bytes is None else disk_bytes
    return CacheOptions(folder=str(folder) if disk else None, memory_bytes=memory, disk_bytes=disk)


def probe_space(folder: Path) -> CacheSpace:
    """Measure this computer, and the disk that ``folder`` is on or will be on. No free space if unknown."""
    there = next((place for place in (folder, *folder.parents) if place.is_dir()), folder)
    try:
        free = shutil.disk_usage(there).free
    except OSError:
        free = 0
    return CacheSpace(
        memory_bytes=memory_now().total_bytes, disk_free_bytes=free, kept_bytes=_size_of(folder)
    )


def _size_of(folder: Path) -> int:
    """Bytes of the files in ``folder``; those that vanish meanwhile count nothing."""
    n_bytes = 0
    with suppress(OSError):
        for entry in folder.iterdir():
            with suppress(OSError):
                n_bytes += entry.stat().st_size if entry.is_file() else 0
    return n_bytes
