"""Context shift: discard the oldest tokens when the context is full during generation."""

from __future__ import annotations

from typing import Final

from fireside.core.generation import WhenFull
from fireside.runner.kv_memory import ShiftableMemory
from fireside.runner.prompt_cache.kv_trim import keep_prefix
from fireside.runner.slots import Slot

_MIN_DISCARD_DIVISOR: Final = 32
"""Divisor: a shift must free at least one 32nd of the context, or it would be repeated at once."""


def shift_context(memory: ShiftableMemory, slot: Slot) -> bool:
    """Discard the older half of the tokens after the first ``n_keep``; false if that is not allowed.

    Where positions can be shifted, the rest stays in the KV cache with its values; a later prompt must not
    reuse those, so only the beginning counts as cached from then on. With sliding windows and recurrent
    states the rest is evaluated again. A prompt with images is never shifted.
    """
    sequence = slot.sequence
    if sequence is None or sequence.has_images or sequence.task.when_full is not WhenFull.SHIFT:
        return False
    n_keep = sequence.n_keep
    n_discard = (slot.n_past - n_keep) // 2
    if n_discard < max(1, slot.n_ctx // _MIN_DISCARD_DIVISOR):
        return False
    n_end = n_keep + n_discard
    if memory.can_shift and memory.remove(slot.index, n_keep, n_end):
        memory.shift(slot.index, n_end, -n_discard)
        slot.discard(n_keep, n_discard, n_past=slot.n_past - n_discard)
        slot.n_unshifted = min(slot.n_unshifted, n_keep)
    else:
        n_kept = keep_prefix(memory, slot.index, n_keep=n_keep, n_cached=slot.n_past)
        slot.discard(n_keep, n_discard, n_past=n_kept)
    sequence.n_shifted += n_discard
    return True
