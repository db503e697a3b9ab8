"""Choose the slot for a prompt: most tokens reused for the least valuable cache lost."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

_RESTORE_COST: Final = 32
"""Restoring a saved state takes about as long as evaluating so many tokens."""
_COPY_SHARE: Final = 8
"""Divisor: a state is copied whole, which is worth it if at least an eighth of it is used."""


class SlotCandidate(msgspec.Struct, frozen=True, kw_only=True):
    """A free slot as a candidate for one prompt."""

    slot: int
    n_usable: int
    """Tokens of the prompt that its cache can provide."""
    n_cached: int
    is_saved: bool
    """Whether its cache is also saved elsewhere."""
    last_used: float


class SlotChoice(msgspec.Struct, frozen=True, kw_only=True):
    slot: int
    uses_hit: bool
    """Whether the cache hit from elsewhere replaces the slot's own cache."""


def choose_slot(candidates: Iterable[SlotCandidate], *, n_found: int) -> SlotChoice:
    """Return the candidate that saves most tokens, less the cost of what its cache loses.

    Throwing away a long conversation to save the 30 tokens of a shared system prompt is a bad trade, so a
    quarter of what would be lost counts against a candidate; where it is saved elsewhere, a quarter of what
    restoring it costs. Among equals a cache is used in place, and the least recently used slot is chosen.

    Args:
        n_found: tokens of the prompt that could be restored from elsewhere into any slot; 0 for none.
    """
    options = [
        (
            _gain(candidate, n_found=n_found, uses_hit=uses_hit),
            not uses_hit,
            -candidate.last_used,
            candidate,
        )
        for candidate in candidates
        for uses_hit in ((False, True) if n_found else (False,))
    ]
    _, stays, _, candidate = max(options, key=lambda option: option[:3])
    return SlotChoice(slot=candidate.slot, uses_hit=not stays)


def _gain(candidate: SlotCandidate, *, n_found: int, uses_hit: bool) -> float:
    n_kept = 0 if uses_hit else candidate.n_usable
    n_lost = candidate.n_cached - n_kept
    loss = min(n_lost, _RESTORE_COST) if candidate.is_saved else n_lost
    return (n_found - _RESTORE_COST if uses_hit else n_kept) - loss / 4


def worth_copying(n_usable: int, *, n_held: int) -> bool:
    """Whether ``n_usable`` tokens are worth copying a state of ``n_held``."""
    return n_usable >= max(_RESTORE_COST, n_held / _COPY_SHARE)
