"""Saved states of conversations, wherever they are: in memory, on disk, or on their way there."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Final, NamedTuple

from fireside.core.options import LoadOptions
from fireside.runner.kv_memory import MemoryShape
from fireside.runner.prompt_cache.cache_key import cache_key
from fireside.runner.prompt_cache.disk_cache import DiskCache, SavedFile
from fireside.runner.prompt_cache.disk_writer import DiskWriter
from fireside.runner.prompt_cache.memory_cache import FREE_SHARE, MemoryCache
from fireside.runner.prompt_cache.state_snapshot import Match, Snapshot, Suspect
from fireside.runner.tokens import Tokens
from fireside.wire.memory_limits import memory_now
from fireside.wire.messages import CacheOptions

_FEW: Final = 8
"""Tokens that a saved state may lack without being saved again."""
_CHECKPOINT_SHARE: Final = 4
_LEAST_CHECKPOINT_BYTES: Final = 64 << 20
_READING: Final = 64
"""A file is read where it holds so many tokens more than what is in memory."""


class Level(Enum):
    CONTEXT = "context"
    MEMORY = "memory"
    DISK = "disk"


class CacheHit(NamedTuple):
    """A state that could be brought to a slot."""

    level: Level
    match: Match
    snapshot: Snapshot | None = None
    file: SavedFile | None = None
    slot: int | None = None


class StateCache:
    """The levels behind the context. Used by the loop's thread.

    Args:
        memory_bytes: how much may be kept in memory at most.
        disk: the files; without them nothing outlives the process.
        writer: brings snapshots to ``disk``.
        available: the computer's free memory in bytes; nothing is copied that would take more than half.
    """

    def __init__(
        self,
        *,
        shape: MemoryShape,
        memory_bytes: int,
        disk: DiskCache | None = None,
        writer: DiskWriter | None = None,
        available: Callable[[], int] = lambda: memory_now().available_bytes,
    ) -> None:
        self._checkpoint_bytes = max(memory_bytes // _CHECKPOINT_SHARE, _LEAST_CHECKPOINT_BYTES)
        self._available = available
        self._store = MemoryCache(limit_bytes=memory_bytes, shape=shape, available=available)
        self.disk = disk
        self._writer = writer

    def checkpoint_bytes(self, n_held: int) -> int:
        """Return how much the checkpoints of a slot may take, which take ``n_held`` bytes now."""
        return min(self._checkpoint_bytes, (self._available() + n_held) // FREE_SHARE)

    def give_back(self) -> None:
        """Drop what other programs need the memory for."""
        self._store.give_back()

    def find(self, prompt: Tokens, *, variant: str) -> CacheHit | None:
        """Return the saved state that holds most of ``prompt``."""
        found = self._store.find(prompt, variant=variant)
        hit = None if found is None else CacheHit(Level.MEMORY, found.match, snapshot=found.snapshot)
        n_in_memory = 0 if hit is None else hit.match.n_usable
        if self.disk is None or len(prompt) - n_in_memory < _READING:
            return hit
        saved = self.disk.find(prompt, variant=variant)
        if saved is None or saved.match.n_usable - n_in_memory < _READING:
            return hit
        return CacheHit(Level.DISK, saved.match, file=saved.file)

    def read(self, file: SavedFile) -> Snapshot | None:
        """Return what ``file`` holds, if it is still there and there is memory for it. Slow; any thread."""
        if self.disk is None or file.n_bytes > self._available() // FREE_SHARE:
            return None
        return self.disk.read(file)

    def used(self, snapshot: Snapshot) -> None:
        """Note that ``snapshot`` was used now, so that it stays longest."""
        if not self._store.touch(snapshot):
            self._store.put(snapshot)

    def distrust(self, snapshot: Snapshot) -> None:
        """Drop ``snapshot``, which llama.cpp does not take."""
        self._store.drop(lambda each: each is snapshot)
        if self.disk is not None:
            self.disk.distrust(snapshot)

    def drop(self, suspect: Suspect) -> None:
        """Drop all states that are suspect, those on their way to the disk too."""
        self._store.drop(suspect.covers_snapshot)
        if self._writer is not None:
            self._writer.drop(suspect)
        if self.disk is not None:
            self.disk.drop(suspect)

    def has(self, tokens: Tokens, *, variant: str) -> bool:
        """Whether ``tokens`` can be had again without being read."""
        return self._store.has(tokens, variant=variant, n_missing=_FEW) or self._is_on_disk(tokens, variant)

    def wants(self, tokens: Tokens, *, variant: str, owner: str | None, n_bytes: int) -> bool:
        """Whether a snapshot of ``tokens`` would be kept on a level that lacks it; makes room for it then."""
        if n_bytes > self._available() // FREE_SHARE:
            return False
        wants = self._disk_wants(tokens, variant, owner, n_bytes)
        if not self._store.has(tokens, variant=variant, n_missing=_FEW):
            wants |= self._store.make_room(tokens, variant=variant, n_bytes=n_bytes)
        return wants

    def put(self, snapshot: Snapshot) -> None:
        """Keep ``snapshot`` on all levels that have room. Without an owner it never gets to the disk."""
        tokens, variant = snapshot.tokens, snapshot.variant
        if not self._store.has(tokens, variant=variant, n_missing=_FEW):
            self._store.put(snapshot)
        if self._writer is not None and self._disk_wants(tokens, variant, snapshot.owner, snapshot.n_bytes):
            self._writer.put(snapshot)

    def close(self, *, within_s: float) -> None:
        """Write what is on its way to the disk, at most for so long."""
        if self._writer is not None:
            self._writer.close(within_s=within_s)

    def _disk_wants(self, tokens: Tokens, variant: str, owner: str | None, n_bytes: int) -> bool:
        if self.disk is None or self._writer is None or owner is None or self._is_on_disk(tokens, variant):
            return False
        return self.disk.takes(tokens, variant=variant, owner=owner, n_bytes=n_bytes)

    def _is_on_disk(self, tokens: Tokens, variant: str) -> bool:
        if self.disk is None or self._writer is None:
            return False
        return self._writer.has(tokens, variant=variant, n_missing=_FEW) or self.disk.has(
            tokens, variant=variant, n_missing=_FEW
        )


class DiskReader:
    """Begins at once, in a thread of its own that ends with the file."""

    def __init__(self, state_cache: StateCache, file: SavedFile) -> None:
        self.file = file
        self._state_cache = state_cache
        self._snapshot: Snapshot | None = None
        self._thread = threading.Thread(target=self._read, name="state reader", daemon=True)
        self._thread.start()

    def _read(self) -> None:
        self._snapshot = self._state_cache.read(self.file)

    @property
    def is_done(self) -> bool:
        """Whether the file is read, or could not be."""
        return not self._thread.is_alive()

    def result(self) -> Snapshot | None:
        """Return the state, if it could be read; wait for it if need be."""
        self._thread.join()
        return self._snapshot


_WAITING_BYTES: Final = 512 << 20
"""What may wait to be written."""


def open_state_cache(
    cache: CacheOptions, *, path: str, options: LoadOptions, build: str, n_seq_max: int, shape: MemoryShape
) -> StateCache:
    """Return the state cache that ``cache`` asks for; without files where those of the model cannot be told.

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
            writer = DiskWriter(disk, limit_bytes=_WAITING_BYTES)
    return StateCache(shape=shape, memory_bytes=cache.memory_bytes, disk=disk, writer=writer)
