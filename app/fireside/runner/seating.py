"""Find the seat where most of a prompt is in the KV cache already."""

from __future__ import annotations

import time
from collections.abc import Sequence as Listed

from fireside.runner.cache import Candidate, Memory, choose_slot, common_prefix, keep_prefix
from fireside.runner.slots import Sequence, Slot


class Seating:
    """Gives requests their seats."""

    def __init__(self, *, memory: Memory, slots: Listed[Slot]) -> None:
        self._memory = memory
        self._slots = slots

    def seat(self, sequence: Sequence, free: Listed[Slot]) -> Slot:
        """Let ``sequence`` in at one of the ``free`` slots. Its sampler is made already.

        Nothing here may fail from the cut on: the cache and what is known of it change together.
        """
        # The last token is always evaluated again, because its logits are what is wanted.
        reusable = sequence.prompt[:-1]
        slot = self._slots[
            choose_slot(
                Candidate(
                    slot=slot.index,
                    n_common=common_prefix(slot.cached, reusable),
                    n_cached=slot.n_past,
                    last_used=slot.last_used,
                )
                for slot in free
            )
        ]
        n_kept = keep_prefix(
            self._memory,
            slot.index,
            n_keep=common_prefix(slot.cached, reusable),
            n_cached=slot.n_past,
        )
        slot.seat(sequence, n_kept=n_kept)
        sequence.start(n_cached=n_kept, now=time.perf_counter())
        return slot
