"""What of a slot's KV cache a new prompt can keep."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import msgspec
import numpy as np
import numpy.typing as npt

Tokens = npt.NDArray[np.int32]


class Memory(Protocol):
    """The KV cache as reuse needs it. Positions count from 0; ``-1`` means none."""

    n_swa: int
    """Sliding window in tokens; 0 for full attention."""

    def remove_from(self, sequence: int, position: int) -> bool: ...
    def clear(self, sequence: int) -> None: ...
    def first_position(self, sequence: int) -> int: ...


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """A free slot, seen from one prompt."""

    slot: int
    n_common: int
    """Tokens that its cache and the prompt begin with."""
    n_cached: int
    last_used: float


def common_prefix(left: Tokens, right: Tokens) -> int:
    """Return how many tokens both begin with."""
    n = min(len(left), len(right))
    differs = left[:n] != right[:n]
    return int(differs.argmax()) if differs.any() else n


def choose_slot(candidates: Iterable[Candidate]) -> int:
    """Return the slot for a prompt: the one that saves most for what its cache loses.

    Throwing away a long conversation to save the 30 tokens of a shared system prompt is a bad trade, so a
    quarter of what would be lost counts against a slot. Among equals the one used longest ago is taken.
    """

    def worth(candidate: Candidate) -> tuple[float, float]:
        n_lost = candidate.n_cached - candidate.n_common
        return candidate.n_common - n_lost / 4, -candidate.last_used

    return max(candidates, key=worth).slot


def keep_prefix(memory: Memory, sequence: int, *, n_keep: int, n_cached: int) -> int:
    """Cut the cache of ``sequence`` down to ``n_keep`` tokens and return how many are really left.

    Recurrent models cannot go back, and a sliding window may have lost the tokens before the cut already:
    then everything goes and 0 is returned.
    """
    if n_keep == n_cached:
        return n_keep
    window_start = max(0, n_keep - memory.n_swa)
    covered = memory.n_swa == 0 or memory.first_position(sequence) <= window_start
    if n_keep > 0 and covered and memory.remove_from(sequence, n_keep):
        return n_keep
    memory.clear(sequence)
    return 0
