"""Memory level of the prompt cache: snapshots in RAM, least recently used evicted first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np

from fireside.runner.kv_memory import MemoryShape
from fireside.runner.prompt_cache.state_snapshot import Match, Snapshot
from fireside.runner.tokens import Tokens, share_beginning

FREE_SHARE: Final = 2
"""Divisor: states take at most half of the memory that would be free without them."""
_NO_STATE: Final = np.zeros(0, np.uint8)


class SnapshotMatch(NamedTuple):
    snapshot: Snapshot
    match: Match


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
        self._snapshots: list[Snapshot] = []
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
        probe = Snapshot(tokens=tokens, owner=None, variant=variant, state=_NO_STATE)
        self.drop(lambda snapshot: probe.covers(snapshot.tokens, variant=snapshot.variant))
        while self.n_bytes + n_bytes > budget_bytes:
            self._drop(self._snapshots[0])
        return True

    def add(self, snapshot: Snapshot) -> None:
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

    def touch(self, snapshot: Snapshot) -> bool:
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

    def drop(self, condition: Callable[[Snapshot], bool]) -> None:
        """Remove the snapshots for which ``condition`` is true."""
        for snapshot in filter(condition, self._snapshots[:]):
            self._drop(snapshot)

    def _drop(self, snapshot: Snapshot) -> None:
        self._snapshots.remove(snapshot)
        self.n_bytes -= snapshot.n_bytes
