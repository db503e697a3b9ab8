"""Size limits of the prompt cache, in memory and on disk."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from fireside.wire.memory_limits import read_memory
from fireside.wire.messages import CacheOptions

MEMORY_BYTES = 8 << 30
MEMORY_SHARE = 4
"""At most a quarter of the installed memory; the runner uses only what is free of it."""
PLANNED_BYTES = 512 << 20
"""What a load plan reserves; beyond that, states take only what is free, and give it back."""
DISK_BYTES = 8_000_000_000
DISK_SHARE = 10
"""At most a tenth of the disk's free space, counting what the cache uses already as free."""

CacheProbe = Callable[[], CacheOptions]
"""Returns the cache limits of a runner that is about to be started."""


class CacheCapacity(msgspec.Struct, frozen=True, kw_only=True):
    """The memory and disk space that the defaults are computed from. Bytes."""

    memory_bytes: int
    """All memory of this computer."""
    disk_free_bytes: int
    used_bytes: int
    """What the cache uses on the disk already."""


def no_cache() -> CacheOptions:
    """Return options that turn the cache off."""
    return CacheOptions()


def default_memory_bytes(capacity: CacheCapacity) -> int:
    """Return each model's limit in memory where the user has set none."""
    return min(MEMORY_BYTES, capacity.memory_bytes // MEMORY_SHARE)


def planned_bytes(options: CacheOptions) -> int:
    """Return the memory that a load plan reserves for states."""
    return min(options.memory_bytes, PLANNED_BYTES)


def default_disk_bytes(capacity: CacheCapacity) -> int:
    """Return the limit on disk where the user has set none."""
    return min(DISK_BYTES, (capacity.disk_free_bytes + capacity.used_bytes) // DISK_SHARE)


def cache_options(
    folder: Path, *, capacity: CacheCapacity, memory_bytes: int | None, disk_bytes: int | None
) -> CacheOptions:
    """Return a runner's cache limits. ``None`` is the default limit, 0 turns that level off."""
    memory = default_memory_bytes(capacity) if memory_bytes is None else memory_bytes
    disk = default_disk_bytes(capacity) if disk_bytes is None else disk_bytes
    return CacheOptions(folder=str(folder) if disk else None, memory_bytes=memory, disk_bytes=disk)


def probe_capacity(folder: Path) -> CacheCapacity:
    """Measure this computer, and the disk that ``folder`` is or will be on. Free space is 0 if unknown."""
    existing = next((folder for folder in (folder, *folder.parents) if folder.is_dir()), folder)
    try:
        free = shutil.disk_usage(existing).free
    except OSError:
        free = 0
    return CacheCapacity(
        memory_bytes=read_memory().total_bytes, disk_free_bytes=free, used_bytes=_size_of(folder)
    )


def _size_of(folder: Path) -> int:
    """Return the bytes of the files in ``folder``; files that vanish meanwhile count as nothing."""
    n_bytes = 0
    with suppress(OSError):
        for entry in folder.iterdir():
            with suppress(OSError):
                n_bytes += entry.stat().st_size if entry.is_file() else 0
    return n_bytes
