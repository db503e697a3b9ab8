"""Allocation of the KV cells that all slots share: admission, eviction of idle slots, preemption."""

from __future__ import annotations

from collections import abc
from collections.abc import Callable
from typing import Final

from fireside.core.generation import Priority
from fireside.runner.prompt_cache.slot_cache import SlotCache
from fireside.runner.slots import Sequence, Slot

_MARGIN: Final = 16
"""Divisor: this part of all cells must be free for an admitted or resumed request to generate in, else it
would soon be preempted."""


class SharedCells:
    """Decides which requests hold cells of the KV cache when not all fit. A cell holds one token.

    The request that came first always continues, and its slot never needs more cells than there are. Those
    that came last are preempted: their tokens stay known, and are evaluated again or restored from the cache
    once there is space.

    Args:
        evict: clears a slot's cache, after saving it where possible.
    """

    def __init__(
        self, *, n_cells: int, caches: abc.Sequence[SlotCache], evict: Callable[[SlotCache], None]
    ) -> None:
        self._n_cells = n_cells
        self._caches = caches
        self._evict = evict

    @property
    def n_free(self) -> int:
        """Number of free cells."""
        return self._n_cells - sum(cache.slot.n_past for cache in self._caches)

    def free_cells(self, n_tokens: int, *, exclude: SlotCache | None = None) -> bool:
        """Evict idle slots, least recently used first, until ``n_tokens`` cells are free; false otherwise.

        Args:
            exclude: a cache that is not evicted.
        """
        idle = [cache for cache in self._caches if cache.slot.sequence is None and cache is not exclude]
        for cache in sorted(idle, key=lambda cache: cache.slot.last_used):
            if self.n_free >= n_tokens:
                break
            if cache.slot.n_past:
                self._evict(cache)
        return self.n_free >= n_tokens

    def free_cells_for(self, slot: Slot, n_tokens: int) -> bool:
        """Free cells for ``slot``, preempting others if need be; false if ``slot`` itself was preempted."""
        while not self.free_cells(n_tokens):
            preempted = self.preempt_one()
            if preempted is None or preempted is slot:
                return preempted is None
        return True

    def admits(self, sequence: Sequence) -> bool:
        """Whether the prompt of ``sequence`` fits next to all tokens that the running requests hold."""
        busy = self._busy()
        if any(running.is_preempted and not running.is_paused for _, running in busy):
            return False  # preempted requests came before
        computing = [pair for pair in busy if not pair[1].is_preempted]
        return not computing or self._fits(computing, len(sequence.prompt))

    def preempt_one(self) -> Slot | None:
        """Evict the cells of the running request with the lowest priority; ``None`` if only one runs."""
        computing = [(slot, sequence) for slot, sequence in self._busy() if not sequence.is_preempted]
        if len(computing) < 2:
            return None
        slot, sequence = max(computing, key=lambda pair: _preemption_order(pair[1]))
        sequence.is_preempted = True
        self._evict(self._caches[slot.index])
        return slot

    def next_to_resume(self) -> Slot | None:
        """Free cells for the next preempted request that fits again, and return its slot."""
        busy = self._busy()
        preempted = [pair for pair in busy if pair[1].is_preempted and not pair[1].is_paused]
        if not preempted:
            return None
        slot, sequence = min(preempted, key=lambda pair: _preemption_order(pair[1]))
        computing = [pair for pair in busy if not pair[1].is_preempted]
        if computing and not self._fits(computing, slot.n_tokens):
            return None
        self.free_cells(slot.n_tokens)
        sequence.is_preempted = False
        return slot

    def _busy(self) -> list[tuple[Slot, Sequence]]:
        slots = (cache.slot for cache in self._caches)
        return [(slot, slot.sequence) for slot in slots if slot.sequence is not None]

    def _fits(self, others: abc.Sequence[tuple[Slot, Sequence]], n_tokens: int) -> bool:
        """Whether ``n_tokens`` fit next to the tokens of ``others``, with the margin."""
        n_claimed = sum(slot.n_tokens for slot, _ in others)
        return n_claimed + n_tokens + self._n_cells // _MARGIN <= self._n_cells


def _preemption_order(sequence: Sequence) -> tuple[bool, bool, float]:
    """Paused requests are preempted first, then background before interactive, then the latest."""
    is_background = sequence.task.priority is not Priority.INTERACTIVE
    return sequence.is_paused, is_background, sequence.accepted_at
