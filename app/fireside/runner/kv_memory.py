"""Interface to llama.cpp's memory (KV cache or recurrent state), and how far it can be rolled back."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Protocol

import msgspec
import numpy as np
import numpy.typing as npt

State = npt.NDArray[np.uint8]


class StatePart(IntEnum):
    """Which part of a sequence's memory is saved; the values are llama.cpp's flags."""

    WHOLE = 0
    PARTIAL = 1
    """Only sliding windows and recurrent states; the whole where there is nothing else."""


class MemoryShape(msgspec.Struct, frozen=True, kw_only=True):
    """The kind of memory that the model has."""

    n_swa: int
    """Sliding window in tokens; 0 for full attention."""
    is_recurrent: bool
    """Whether some layers keep a recurrent state, which cannot be rolled back."""

    @property
    def needs_checkpoints(self) -> bool:
        """Whether rolling back may need a checkpoint."""
        return self.is_recurrent or self.n_swa > 0

    def first_needed(self, n_tokens: int) -> int:
        """Return the oldest position that the token after ``n_tokens`` others attends to."""
        return max(0, n_tokens - self.n_swa) if self.n_swa else 0

    def reachable(self, n_tokens: int, *, n_held: int, first: int, checkpoints: Iterable[int]) -> int:
        """Return how many of ``n_held`` tokens can be kept, at most ``n_tokens``.

        Args:
            first: the oldest position that the memory still holds.
            checkpoints: token counts that can be restored in any case.
        """
        if n_tokens >= n_held:
            return n_held
        if not self.is_recurrent and first <= self.first_needed(n_tokens):
            return n_tokens
        return max((n for n in checkpoints if n <= n_tokens), default=0)


class KVMemory(Protocol):
    """The memory of all sequences. Positions count from 0; ``-1`` means none."""

    shape: MemoryShape
    n_cells: int
    """Tokens that all sequences together can hold."""
    shares_cells: bool
    """Whether all sequences share one cache: a step then scans all of it, up to the last cell in use."""

    def remove_from(self, sequence: int, position: int) -> bool:
        """Remove the tokens from ``position`` on; false if the memory cannot be rolled back there."""
        ...

    def clear(self, sequence: int) -> None:
        """Remove all tokens of a sequence."""
        ...

    def first_position(self, sequence: int) -> int:
        """Return the position of a sequence's first token; -1 for none."""
        ...

    def last_position(self, sequence: int) -> int:
        """Return the position of a sequence's last token; -1 for none."""
        ...

    def state_bytes(self, sequence: int, part: StatePart) -> int:
        """Return the size of a saved state."""
        ...

    def save_state(self, sequence: int, part: StatePart) -> State | None:
        """Return a copy of the state of ``sequence``; ``None`` where llama.cpp returns none."""
        ...

    def load_state(self, sequence: int, state: State, part: StatePart) -> bool:
        """Replace the state of ``sequence``. False if it does not fit; the content is undefined then."""
        ...


class ShiftableMemory(KVMemory, Protocol):
    """Memory from whose middle tokens can be removed. ``end`` is exclusive."""

    can_shift: bool

    def remove(self, sequence: int, start: int, end: int) -> bool:
        """Remove the tokens of a range; false, and nothing done, if the model cannot."""
        ...

    def shift(self, sequence: int, start: int, by: int) -> None:
        """Move the tokens at ``start`` and after by so many positions. Only where ``can_shift``."""
        ...
