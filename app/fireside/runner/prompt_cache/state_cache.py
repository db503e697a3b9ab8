"""The levels of the prompt cache below the slots: memory and disk, with the queue of the disk writer."""

from __future__ import annotations

import sys
import threading
import time
import traceback
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from fireside.core.options import LoadOptions
from fireside.runner.kv_memory import MemoryShape
from fireside.runner.prompt_cache.cache_key import cache_key
from fireside.runner.prompt_cache.disk_cache import DiskCache, SavedFile
from fireside.runner.prompt_cache.state_snapshot import StateMatch, StateSnapshot, Suspect, covers
from fireside.runner.tokens import Tokens, share_beginning
from fireside.wire.memory_limits import read_memory
from fireside.wire.messages import CacheOptions

_MAX_MISSING: Final = 8
"""A state is not saved again if the saved one lacks at most so many tokens."""
_CHECKPOINT_SHARE: Final = 4
_LEAST_CHECKPOINT_BYTES: Final = 64 << 20
_MIN_DISK_GAIN: Final = 64
"""A file is read only if it holds at least so many tokens more than the best state in memory."""
_MAX_QUEUED_BYTES: Final = 512 << 20
"""Limit for queued disk writes."""


class CacheLevel(Enum):
    CONTEXT = "context"
    MEMORY = "memory"
    DISK = "disk"


class CacheHit(NamedTuple):
    """A state that could be restored into a slot, and the level that holds it."""

    level: CacheLevel
    match: StateMatch
    snapshot: StateSnapshot | None = None
    file: SavedFile | None = None
    slot: int | None = None


class StateCache:
    """The cache levels below the slots. Used by the loop's thread.

    Args:
        memory_bytes: upper limit for states in memory.
        writer: writes to the disk level; without it nothing outlives the process.
        available_bytes: returns the computer's free memory; no state is copied that takes more than half.
    """

    def __init__(
        self,
        *,
        shape: MemoryShape,
        memory_bytes: int,
        writer: DiskWriter | None = None,
        available_bytes: Callable[[], int] = lambda: read_memory().available_bytes,
    ) -> None:
        self._checkpoint_bytes = max(memory_bytes // _CHECKPOINT_SHARE, _LEAST_CHECKPOINT_BYTES)
        self._available_bytes = available_bytes
        self._memory = MemoryCache(limit_bytes=memory_bytes, shape=shape, available_bytes=available_bytes)
        self._writer = writer
        self.disk = None if writer is None else writer.disk

    def checkpoint_bytes(self, n_held: int) -> int:
        """Return the limit for the checkpoints of a slot that take ``n_held`` bytes now."""
        return min(self._checkpoint_bytes, (self._available_bytes() + n_held) // FREE_SHARE)

    def shrink(self) -> None:
        """Release memory that has become short."""
        self._memory.shrink()

    def find(self, prompt: Tokens, *, variant: str) -> CacheHit | None:
        """Return the saved state with the longest usable prefix of ``prompt``."""
        in_memory = self._memory.find(prompt, variant=variant)
        hit = (
            None
            if in_memory is None
            else CacheHit(CacheLevel.MEMORY, in_memory.match, snapshot=in_memory.snapshot)
        )
        n_in_memory = 0 if hit is None else hit.match.n_usable
        if self.disk is None or len(prompt) - n_in_memory < _MIN_DISK_GAIN:
            return hit
        on_disk = self.disk.find(prompt, variant=variant)
        if on_disk is None or on_disk.match.n_usable - n_in_memory < _MIN_DISK_GAIN:
            return hit
        return CacheHit(CacheLevel.DISK, on_disk.match, file=on_disk.file)

    def read(self, file: SavedFile) -> StateSnapshot | None:
        """Return the state in ``file``, if it still exists and memory suffices. Slow; from any thread."""
        if self.disk is None or file.n_bytes > self._available_bytes() // FREE_SHARE:
            return None
        return self.disk.read(file)

    def touch(self, snapshot: StateSnapshot) -> None:
        """Mark ``snapshot`` as most recently used, adding it to memory if it is not there."""
        if not self._memory.touch(snapshot):
            self._memory.add(snapshot)

    def discard(self, snapshot: StateSnapshot) -> None:
        """Drop ``snapshot``, which llama.cpp rejected, from all levels."""
        self._memory.drop(lambda held: held is snapshot)
        if self.disk is not None:
            self.disk.discard(snapshot)

    def drop(self, suspect: Suspect) -> None:
        """Drop all states covered by ``suspect``, queued writes included."""
        self._memory.drop(suspect.covers_snapshot)
        if self._writer is not None:
            self._writer.drop(suspect)
            self._writer.disk.drop(suspect)

    def has(self, tokens: Tokens, *, variant: str) -> bool:
        """Whether some level holds a state of ``tokens``."""
        return self._is_in_memory(tokens, variant) or self._is_on_disk(tokens, variant)

    def accepts(self, tokens: Tokens, *, variant: str, owner: str | None, n_bytes: int) -> bool:
        """Whether some level would store a snapshot of ``tokens`` that it lacks; evicts others for it."""
        if n_bytes > self._available_bytes() // FREE_SHARE:
            return False
        is_accepted = self._disk_accepts(tokens, variant, owner, n_bytes)
        if not self._is_in_memory(tokens, variant):
            is_accepted |= self._memory.evict_for(tokens, variant=variant, n_bytes=n_bytes)
        return is_accepted

    def store(self, snapshot: StateSnapshot) -> None:
        """Store ``snapshot`` on all levels with enough space; without an owner never on disk."""
        tokens, variant = snapshot.tokens, snapshot.variant
        if not self._is_in_memory(tokens, variant):
            self._memory.add(snapshot)
        if self._writer is not None and self._disk_accepts(tokens, variant, snapshot.owner, snapshot.n_bytes):
            self._writer.enqueue(snapshot)

    def close(self, *, timeout_s: float) -> None:
        """Finish queued disk writes, for at most ``timeout_s``."""
        if self._writer is not None:
            self._writer.close(timeout_s=timeout_s)

    def _disk_accepts(self, tokens: Tokens, variant: str, owner: str | None, n_bytes: int) -> bool:
        if self.disk is None or owner is None or self._is_on_disk(tokens, variant):
            return False
        return self.disk.accepts(tokens, variant=variant, owner=owner, n_bytes=n_bytes)

    def _is_in_memory(self, tokens: Tokens, variant: str) -> bool:
        return self._memory.has(tokens, variant=variant, n_missing=_MAX_MISSING)

    def _is_on_disk(self, tokens: Tokens, variant: str) -> bool:
        writer = self._writer
        return writer is not None and (
            writer.has(tokens, variant=variant, n_missing=_MAX_MISSING)
            or writer.disk.has(tokens, variant=variant, n_missing=_MAX_MISSING)
        )


class DiskReader:
    """Reads a state file in a background thread, which starts at once and ends with the file."""

    def __init__(self, state_cache: StateCache, file: SavedFile) -> None:
        self.file = file
        self._state_cache = state_cache
        self._snapshot: StateSnapshot | None = None
        self._thread = threading.Thread(target=self._read, name="state reader", daemon=True)
        self._thread.start()

    def _read(self) -> None:
        self._snapshot = self._state_cache.read(self.file)

    @property
    def is_done(self) -> bool:
        """Whether reading has finished or failed."""
        return not self._thread.is_alive()

    def result(self) -> StateSnapshot | None:
        """Wait for the thread and return the state, ``None`` if it could not be read."""
        self._thread.join()
        return self._snapshot


def open_state_cache(
    cache: CacheOptions, *, path: str, options: LoadOptions, build: str, n_seq_max: int, shape: MemoryShape
) -> StateCache:
    """Return the state cache for the options ``cache``; without a disk level if a model file is unreadable.

    Args:
        build: version of llama.cpp.
        n_seq_max: as allocated.
    """
    writer = None
    if cache.folder is not None and cache.disk_bytes > 0:
        try:
            key = cache_key(path, options, build=build, n_seq_max=n_seq_max)
        except OSError as exc:
            sys.stderr.write(f"States of conversations are not kept on disk: {exc}\n")
        else:
            disk = DiskCache(
                Path(cache.folder), limit_bytes=cache.disk_bytes, key=key, shape=shape, secret=cache.secret
            )
            writer = DiskWriter(disk, limit_bytes=_MAX_QUEUED_BYTES)
    return StateCache(shape=shape, memory_bytes=cache.memory_bytes, writer=writer)


FREE_SHARE: Final = 2
"""Divisor: states take at most half of the memory that would be free without them."""
_NO_STATE: Final = np.zeros(0, np.uint8)


class SnapshotMatch(NamedTuple):
    snapshot: StateSnapshot
    match: StateMatch


class MemoryCache:
    """Snapshots in RAM, least recently used first.

    Args:
        limit_bytes: upper limit for all snapshots.
        available_bytes: returns the computer's free memory in bytes. Snapshots take no more than half of what
            would be free without them.
    """

    def __init__(self, *, limit_bytes: int, shape: MemoryShape, available_bytes: Callable[[], int]) -> None:
        self._limit_bytes = limit_bytes
        self._available_bytes = available_bytes
        self._shape = shape
        self._snapshots: list[StateSnapshot] = []
        self.n_bytes = 0

    def __len__(self) -> int:
        return len(self._snapshots)

    @property
    def _budget_bytes(self) -> int:
        """How much the snapshots may take now."""
        return min(self._limit_bytes, (self._available_bytes() + self.n_bytes) // FREE_SHARE)

    def shrink(self) -> None:
        """Evict the least recently used as far as the computer's memory has become short."""
        budget_bytes = self._budget_bytes if self._snapshots else 0
        while self.n_bytes > budget_bytes:
            self._drop(self._snapshots[0])

    def evict_for(self, tokens: Tokens, *, variant: str, n_bytes: int) -> bool:
        """Evict what a snapshot of ``tokens`` covers, then the least recently used, until ``n_bytes`` fit.

        Called before the snapshot is taken, so that both never exist together. False if it cannot fit.
        """
        budget_bytes = self._budget_bytes
        if n_bytes > budget_bytes:
            return False
        probe = StateSnapshot(tokens=tokens, owner=None, variant=variant, state=_NO_STATE)
        self.drop(lambda snapshot: probe.covers(snapshot.tokens, variant=snapshot.variant))
        while self.n_bytes + n_bytes > budget_bytes:
            self._drop(self._snapshots[0])
        return True

    def add(self, snapshot: StateSnapshot) -> None:
        """Add ``snapshot`` if it fits at all."""
        if self.evict_for(snapshot.tokens, variant=snapshot.variant, n_bytes=snapshot.n_bytes):
            self._snapshots.append(snapshot)
            self.n_bytes += snapshot.n_bytes

    def find(self, prompt: Tokens, *, variant: str) -> SnapshotMatch | None:
        """Return the snapshot with the longest usable prefix of ``prompt``, the newest of equals."""
        matches = [
            SnapshotMatch(snapshot, snapshot.match(prompt, variant=variant, shape=self._shape))
            for snapshot in reversed(self._snapshots)
        ]
        return max(matches, key=lambda found: (found.match.n_usable, found.match.n_common), default=None)

    def touch(self, snapshot: StateSnapshot) -> bool:
        """Mark ``snapshot`` as just used; false if it is not here."""
        if not any(held is snapshot for held in self._snapshots):
            return False
        self._snapshots.remove(snapshot)
        self._snapshots.append(snapshot)
        return True

    def has(self, tokens: Tokens, *, variant: str, n_missing: int) -> bool:
        """Whether a snapshot begins with ``tokens``, not counting the last ``n_missing``."""
        return any(
            snapshot.variant == variant and share_beginning(snapshot.tokens, tokens, len(tokens) - n_missing)
            for snapshot in self._snapshots
        )

    def drop(self, condition: Callable[[StateSnapshot], bool]) -> None:
        """Remove the snapshots for which ``condition`` is true."""
        for snapshot in filter(condition, self._snapshots[:]):
            self._drop(snapshot)

    def _drop(self, snapshot: StateSnapshot) -> None:
        self._snapshots.remove(snapshot)
        self.n_bytes -= snapshot.n_bytes


# Write states to the disk cache in a background thread


_DELAY_S: Final = 1.0
"""A conversation that continues at once is not written in between."""
_ABORT_S: Final = 0.2
_BYTES_PER_S: Final = 32 << 20
"""Limit for repeated writes of one conversation: solid-state disks wear out."""


class _Queued(NamedTuple):
    due_at: float
    snapshot: StateSnapshot


class DiskWriter:
    """Queue of snapshots to be written. ``enqueue`` and ``close`` may be called from any thread.

    Args:
        limit_bytes: how much may be queued; beyond that the oldest is dropped.
    """

    def __init__(
        self,
        disk: DiskCache,
        *,
        limit_bytes: int,
        clock: Callable[[], float] = time.monotonic,
        delay_s: float = _DELAY_S,
    ) -> None:
        self.disk = disk
        self._limit_bytes = limit_bytes
        self._clock = clock
        self._delay_s = delay_s
        self._changed = threading.Condition()
        self._queued: list[_Queued] = []
        self._writing: StateSnapshot | None = None
        self._is_dropped = False
        """Whether the snapshot that is being written was dropped meanwhile."""
        self._next_at: dict[str, float] = {}
        self._is_closing = False
        self._is_aborted = False
        self._thread: threading.Thread | None = None

    def enqueue(self, snapshot: StateSnapshot) -> None:
        """Queue ``snapshot`` in place of older ones that it covers. Ignored without an owner."""
        owner = snapshot.owner
        if owner is None:
            return
        with self._changed:
            if self._is_closing:
                return
            self._queued = [
                queued
                for queued in self._queued
                if queued.snapshot.owner != owner or not covers(snapshot.tokens, queued.snapshot.tokens)
            ]
            due_at = max(self._clock() + self._delay_s, self._next_at.get(owner, 0.0))
            self._queued.append(_Queued(due_at, snapshot))
            while len(self._queued) > 1 and self._n_queued_bytes > self._limit_bytes:
                self._queued.pop(0)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="state writer", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def drop(self, suspect: Suspect) -> None:
        """Drop queued snapshots covered by ``suspect``; one that is being written is deleted afterwards."""
        with self._changed:
            self._queued = [queued for queued in self._queued if not suspect.covers_snapshot(queued.snapshot)]
            if self._writing is not None and suspect.covers_snapshot(self._writing):
                self._is_dropped = True

    def has(self, tokens: Tokens, *, variant: str, n_missing: int) -> bool:
        """Whether a queued snapshot begins with ``tokens``, not counting the last ``n_missing``."""
        with self._changed:
            pending = [queued.snapshot for queued in self._queued]
            pending += [self._writing] if self._writing is not None else []
        return any(
            snapshot.variant == variant and share_beginning(snapshot.tokens, tokens, len(tokens) - n_missing)
            for snapshot in pending
        )

    @property
    def _n_queued_bytes(self) -> int:
        return sum(queued.snapshot.n_bytes for queued in self._queued)

    def close(self, *, timeout_s: float) -> bool:
        """Write the queue without delay, for at most ``timeout_s``; return whether all of it was written."""
        deadline = self._clock() + timeout_s
        with self._changed:
            self._is_closing = True
            self._changed.notify_all()
            thread = self._thread
        if thread is None:
            return True
        thread.join(max(0.0, deadline - self._clock()))
        self._is_aborted = True
        # It deletes the file that it has started, which takes little time.
        thread.join(_ABORT_S)
        return not thread.is_alive()

    def _run(self) -> None:
        while (snapshot := self._next()) is not None:
            try:
                self.disk.write(snapshot, should_continue=lambda: not (self._is_aborted or self._is_dropped))
            except Exception:  # noqa: BLE001  # a bug in one state must not end the writing of the others
                traceback.print_exc(file=sys.stderr)
            with self._changed:
                if self._is_dropped:
                    self.disk.discard(snapshot)
                    self._is_dropped = False
                self._writing = None
                if snapshot.owner is not None:
                    self._next_at[snapshot.owner] = self._clock() + snapshot.n_bytes / _BYTES_PER_S
                self._changed.notify_all()

    def _next(self) -> StateSnapshot | None:
        """Wait for the next snapshot that is due; ``None`` when closing and done."""
        with self._changed:
            while True:
                if self._is_closing and (self._is_aborted or not self._queued):
                    return None
                now = self._clock()
                due = [queued for queued in self._queued if self._is_closing or queued.due_at <= now]
                if due:
                    self._queued.remove(due[0])
                    self._writing = due[0].snapshot
                    return self._writing
                soonest = min((queued.due_at for queued in self._queued), default=None)
                self._next_at = {owner: next_at for owner, next_at in self._next_at.items() if next_at > now}
                self._changed.wait(None if soonest is None else soonest - now)
