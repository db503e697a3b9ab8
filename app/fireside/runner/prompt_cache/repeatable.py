"""What a repeatable request may reuse, so that it gets the same answer whatever the caches hold.

llama.cpp computes one token with other instructions than several, and adds up in an order that depends on how
many there are; a close choice between two tokens then goes the other way. So a repeatable request reads its
prompt in passes that end at multiples of ``UNIT``, the last of which begins at the same token each time, and
reuses whole units that were read in the same way, by other repeatable requests: never an answer, whose tokens
were computed one by one.
"""

from __future__ import annotations

from typing import Final

UNIT: Final = 16
"""In tokens. With it all tried ways to cut a prompt into passes gave the same numbers, bit for bit."""
_MARK: Final = "="


def variant_mark(*, is_repeatable: bool) -> str:
    """Return what distinguishes the variants of states that repeatable requests may reuse from the others."""
    return _MARK if is_repeatable else ""


def is_repeatable(variant: str) -> bool:
    """Whether states of this variant are those of repeatable requests."""
    return variant.startswith(_MARK)


def whole_units(n_tokens: int, *, variant: str) -> int:
    """Return how many of ``n_tokens`` at the beginning may be reused in this variant."""
    return n_tokens // UNIT * UNIT if is_repeatable(variant) else n_tokens
