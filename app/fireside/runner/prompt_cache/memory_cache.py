"""States of conversations in memory, within a budget."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np

from fireside.runner.kv_memory import MemoryShape
from fireside.runner.prompt_cache.state_snapshot import Match, Snapshot
from fireside.runner.tokens import Tokens, share_beginning

FREE_SHARE: Final = 2
"""States take at most this part of the memory that is free without them: one half."""
_NOTHING: Final = np.zeros(0, np.uint8)


class Found(NamedTuple):
    snapshot: Snapshot
    match: Match


class MemoryCache:
    """Snapshots, the one used longest ago first.

    Args:
        limit_bytes: how much they may take at most.
        available: the computer's free memory in bytes. They take no more than half of what would be free
            without them.
    """

    def __init__(self, *, limit_bytes: int, shape: MemoryShape, available: Callable[[], int]) -> None:
        self._limit_bytes = limit_bytes
        self._available = available
        self._shape = shape
        self._snapshots: list[Snapshot] = []
        self.n_bytes = 0

    def __len__(self) -> int:
        return len(self._snapshots)

    @property
    def _room_bytes(self) -> int:
        """How much they may take now."""
        return min(self._limit_bytes, (self._available() + self.n_bytes) // FREE_SHARE)

    def give_back(self) -> None:
        """Drop the oldest, as far as other programs need the memory."""
        room_bytes = self._room_bytes if self._snapshots else 0
        while self.n_bytes > room_bytes:
            self._drop(self._snapshots[0])

    def make_room(self, tokens: Tokens, *, variant: str, n_bytes: int) -> bool:
        """Drop what a snapshot of ``tokens`` covers, then the oldest, until ``n_bytes`` fit.

        Done before the snapshot is taken, so that never both are there. False if it cannot fit.
        """
        room_bytes = self._room_bytes
        if n_bytes > room_bytes:
            return False
        probe = Snapshot(tokens=tokens, owner=None, variant=variant, state=_NOTHING)
        for snapshot in [each for each in self._snapshots if probe.covers(each.tokens, variant=each.variant)]:
            self._drop(snapshot)
        while self.n_bytes + n_bytes > room_bytes:
            self._drop(self._snapshots[0])
        return True

    def put(self, snapshot: Snapshot) -> None:
        """Keep ``snapshot`` if it fits at all."""
        if self.make_room(snapshot.tokens, variant=snapshot.variant, n_bytes=snapshot.n_bytes):
            self._snapshots.append(snapshot)
            self.n_bytes += snapshot.n_bytes

    def find(self, prompt: Tokens, *, variant: str) -> Found | None:
        """Return the snapshot that holds most of ``prompt``, the newest of equals."""
        found = [
            Found(snapshot, snapshot.match(prompt, variant=variant, shape=self._shape))
            for snapshot in reversed(self._snapshots)
        ]
        return max(found, key=lambda each: (each.match.n_usable, each.match.n_common), default=None)

    def touch(self, snapshot: Snapshot) -> bool:
        """Note that ``snapshot`` was used now; false if it is not here."""
        if not any(each is snapshot for each in self._snapshots):
            return False
        self._snapshots.remove(snapshot)
        self._snapshots.append(snapshot)
        return True

    def has(self, tokens: Tokens, *, variant: str, n_missing: int) -> bool:
        """Whether a snapshot begins with ``tokens``, but for the last ``n_missing``."""
        return any(
            snapshot.variant == variant and share_beginning(snapshot.tokens, tokens, len(tokens) - n_missing)
            for snapshot in self._snapshots
        )

    def drop(self, is_bad: Callable[[Snapshot], bool]) -> None:
        """Forget the snapshots that are bad."""
        for snapshot in [each for each in self._snapshots if is_bad(each)]:
            self._drop(snapshot)

    def _drop(self, snapshot: Snapshot) -> None:
        self._snapshots.remove(snapshot)
        self.n_bytes -= snapshot.n_bytes
