"""Make room in a context that is full while an answer is being written."""

from __future__ import annotations

from typing import Final

from fireside.core.generation import WhenFull
from fireside.runner.kv_memory import ShiftableMemory
from fireside.runner.prompt_cache.kv_trim import keep_prefix
from fireside.runner.slots import Slot

_LEAST: Final = 32
"""At least one 32nd of the context must come free: less would be gone at once, again and again."""


def shift_context(memory: ShiftableMemory, slot: Slot) -> bool:
    """Forget the oldest half of what follows the beginning of the prompt; false where that is not wanted.

    Where positions can be shifted, the rest stays in the KV cache with the values that it had; a later prompt
    must not take those for its own, so only the beginning counts as cached from then on. Elsewhere, which is
    with sliding windows and recurrent states, what is left is read again. A prompt with pictures stays whole.
    """
    sequence = slot.sequence
    if sequence is None or sequence.has_images or sequence.task.when_full is not WhenFull.SHIFT:
        return False
    n_keep = sequence.n_keep
    n_forget = (slot.n_past - n_keep) // 2
    if n_forget < max(1, slot.n_ctx // _LEAST):
        return False
    n_end = n_keep + n_forget
    if memory.can_shift and memory.remove(slot.index, n_keep, n_end):
        memory.shift(slot.index, n_end, -n_forget)
        slot.forget(n_keep, n_forget, n_past=slot.n_past - n_forget)
        slot.n_unshifted = min(slot.n_unshifted, n_keep)
    else:
        n_kept = keep_prefix(memory, slot.index, n_keep=n_keep, n_cached=slot.n_past)
        slot.forget(n_keep, n_forget, n_past=n_kept)
    sequence.n_shifted += n_forget
    return True
