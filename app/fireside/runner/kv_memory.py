"""What reuse needs of llama.cpp's memory, and how far back a memory can go."""

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
    """Only what forgets: sliding windows and recurrent states. The whole where there is nothing else."""


class MemoryShape(msgspec.Struct, frozen=True, kw_only=True):
    """What kind of memory the model has."""

    n_swa: int
    """Sliding window in tokens; 0 for full attention."""
    is_recurrent: bool
    """Some layers keep a running state, which knows no way back."""

    @property
    def forgets(self) -> bool:
        """Whether going back may need a checkpoint."""
        return self.is_recurrent or self.n_swa > 0

    def first_needed(self, n_tokens: int) -> int:
        """Return the oldest position that the token behind ``n_tokens`` others looks at."""
        return max(0, n_tokens - self.n_swa) if self.n_swa else 0

    def reachable(self, n_tokens: int, *, n_held: int, first: int, checkpoints: Iterable[int]) -> int:
        """Return the most tokens, at most ``n_tokens``, that can be kept of ``n_held``.

        Args:
            first: the oldest position that the memory still has.
            checkpoints: numbers of tokens to which there is a way back in any case.
        """
        if n_tokens >= n_held:
            return n_held
        if not self.is_recurrent and first <= self.first_needed(n_tokens):
            return n_tokens
        return max((n for n in checkpoints if n <= n_tokens), default=0)


class KVMemory(Protocol):
    """The KV caches. Positions count from 0; ``-1`` means none."""

    shape: MemoryShape
    n_cells: int
    """Tokens that all sequences together can hold."""
    shares_cells: bool
    """Whether they hold them in one cache: a step then looks at all of it, up to the last cell in use."""

    def remove_from(self, sequence: int, position: int) -> bool:
        """Forget the tokens at ``position`` and after; false if the model cannot go back there."""
        ...

    def clear(self, sequence: int) -> None:
        """Forget all tokens of a sequence."""
        ...

    def first_position(self, sequence: int) -> int:
        """Return the position of a sequence's first token; -1 for none."""
        ...

    def last_position(self, sequence: int) -> int:
        """Return the position of a sequence's last token; -1 for none."""
        ...

    def state_bytes(self, sequence: int, part: StatePart) -> int:
        """Return how large a saved state would be."""
        ...

    def save_state(self, sequence: int, part: StatePart) -> State | None:
        """Return a copy of what the memory holds of ``sequence``; ``None`` where llama.cpp gives none."""
        ...

    def load_state(self, sequence: int, state: State, part: StatePart) -> bool:
        """Replace what the memory holds of ``sequence``. False, and undefined content, if it does not fit."""
        ...


class ShiftableMemory(KVMemory, Protocol):
    """KV caches out of whose middle something can be cut. ``end`` is the position behind the last."""

    can_shift: bool

    def remove(self, sequence: int, start: int, end: int) -> bool:
        """Forget the tokens of a range; false if the model cannot, and nothing has happened then."""
        ...

    def shift(self, sequence: int, start: int, by: int) -> None:
        """Move the tokens at ``start`` and after by so many positions. Only where ``can_shift``."""
        ...
