"""Open the levels behind the context for a model that is loaded."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from fireside.core.options import LoadOptions
from fireside.runner.prompt_cache.cache_key import cache_key
from fireside.runner.prompt_cache.disk_cache import DiskCache
from fireside.runner.prompt_cache.disk_writer import DiskWriter
from fireside.runner.prompt_cache.kv_memory import MemoryShape
from fireside.runner.prompt_cache.state_cache import StateCache
from fireside.wire.messages import CacheOptions

_LEAST_WAITING_BYTES: Final = 256 << 20
"""What may wait to be written where nothing is kept in memory."""


def open_state_cache(
    cache: CacheOptions, *, path: str, options: LoadOptions, build: str, n_seq_max: int, shape: MemoryShape
) -> StateCache:
    """Return the archive that ``cache`` asks for; without files where those of the model cannot be told.

    Args:
        build: version of llama.cpp.
        n_seq_max: as it was really allocated.
    """
    disk = writer = None
    if cache.folder is not None and cache.disk_bytes > 0:
        try:
            key = cache_key(path, options, build=build, n_seq_max=n_seq_max)
        except OSError as exc:
            sys.stderr.write(f"States of conversations are not kept on disk: {exc}\n")
        else:
            disk = DiskCache(Path(cache.folder), limit_bytes=cache.disk_bytes, key=key, shape=shape)
            writer = DiskWriter(disk, limit_bytes=max(cache.memory_bytes, _LEAST_WAITING_BYTES))
    return StateCache(shape=shape, memory_bytes=cache.memory_bytes, disk=disk, writer=writer)
