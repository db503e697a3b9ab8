"""The cells that all slots have together: how many are free, and who gives some up for others."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Listed
from typing import Final

from fireside.core.generation import Priority
from fireside.runner.prompt_cache.slot_cache import SlotCache
from fireside.runner.slots import Sequence, Slot

_MARGIN: Final = 16
"""This part of all cells is free for who comes in, or back, to write in: else it would soon be set aside."""


class SharedCells:
    """Decides who may use the cells of the KV cache when not all fit. A cell holds one token.

    The request that came first always goes on, and its slot never wants more cells than there are. Those that
    came last are set aside: their tokens are known, and are read again, or brought back, when there is room.

    Args:
        give_up: empties a cache, and saves it before if it can.
    """

    def __init__(
        self, *, n_cells: int, caches: Listed[SlotCache], give_up: Callable[[SlotCache], None]
    ) -> None:
        self._n_cells = n_cells
        self._caches = caches
        self._give_up = give_up

    @property
    def n_free(self) -> int:
        """Cells that hold nothing."""
        return self._n_cells - sum(cache.slot.n_past for cache in self._caches)

    def make_room(self, n_tokens: int, *, but: SlotCache | None = None) -> bool:
        """Have so many cells free if caches that no request uses can give them, the oldest first.

        Args:
            but: a cache that stays.
        """
        resting = [cache for cache in self._caches if cache.slot.sequence is None and cache is not but]
        for cache in sorted(resting, key=lambda cache: cache.slot.last_used):
            if self.n_free >= n_tokens:
                break
            if cache.slot.n_past:
                self._give_up(cache)
        return self.n_free >= n_tokens

    def make_room_for(self, slot: Slot, n_tokens: int) -> bool:
        """Have so many cells free for ``slot``, also at others' cost; false if it was itself set aside."""
        while not self.make_room(n_tokens):
            aside = self.set_one_aside()
            if aside is None or aside is slot:
                return aside is None
        return True

    def lets_in(self, sequence: Sequence) -> bool:
        """Whether there is room for the prompt of ``sequence`` beside all that the others are to hold."""
        busy = self._busy()
        if any(theirs.set_aside and not theirs.is_paused for _, theirs in busy):
            return False  # those came before
        computing = [pair for pair in busy if not pair[1].set_aside]
        return not computing or self._has_room(computing, len(sequence.prompt))

    def set_one_aside(self) -> Slot | None:
        """Take the cells of the request that can wait best; ``None`` where only one computes."""
        computing = [(slot, sequence) for slot, sequence in self._busy() if not sequence.set_aside]
        if len(computing) < 2:
            return None
        slot, sequence = max(computing, key=lambda pair: _patience(pair[1]))
        sequence.set_aside = True
        self._give_up(self._caches[slot.index])
        return slot

    def next_back(self) -> Slot | None:
        """Return the slot of a request that was set aside and may go on now, with room made for it."""
        busy = self._busy()
        aside = [pair for pair in busy if pair[1].set_aside and not pair[1].is_paused]
        if not aside:
            return None
        slot, sequence = min(aside, key=lambda pair: _patience(pair[1]))
        computing = [pair for pair in busy if not pair[1].set_aside]
        if computing and not self._has_room(computing, slot.n_tokens):
            return None
        self.make_room(slot.n_tokens)
        sequence.set_aside = False
        return slot

    def _busy(self) -> list[tuple[Slot, Sequence]]:
        slots = (cache.slot for cache in self._caches)
        return [(slot, slot.sequence) for slot in slots if slot.sequence is not None]

    def _has_room(self, others: Listed[tuple[Slot, Sequence]], n_tokens: int) -> bool:
        """Whether so many tokens fit beside all that ``others`` are to hold, and some more."""
        n_claimed = sum(slot.n_tokens for slot, _ in others)
        return n_claimed + n_tokens + self._n_cells // _MARGIN <= self._n_cells


def _patience(sequence: Sequence) -> tuple[bool, bool, float]:
    """Who is paused anyway waits first, background before what the user looks at, then who came last."""
    is_background = sequence.task.priority is not Priority.INTERACTIVE
    return sequence.is_paused, is_background, sequence.accepted_at
