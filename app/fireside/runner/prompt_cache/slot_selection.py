"""Choose a slot for a prompt: whose cache helps most, and whose is missed least."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

_EFFORT: Final = 32
"""Bringing a saved state back takes about as long as reading so many tokens."""
_COPY_SHARE: Final = 8
"""A state is copied whole; it is worth that where at least an eighth of it is used."""


class SlotCandidate(msgspec.Struct, frozen=True, kw_only=True):
    """A free slot, seen from one prompt."""

    slot: int
    n_usable: int
    """Tokens of the prompt that its cache holds."""
    n_cached: int
    is_saved: bool
    """Whether its cache can be had again."""
    last_used: float


class SlotChoice(msgspec.Struct, frozen=True, kw_only=True):
    slot: int
    takes_hit: bool
    """Whether a state from elsewhere is put there, in place of what its cache holds."""


def choose_slot(candidates: Iterable[SlotCandidate], *, n_found: int) -> SlotChoice:
    """Return the candidate that saves most for what its cache loses.

    Throwing away a long conversation to save the 30 tokens of a shared system prompt is a bad trade, so a
    quarter of what would be lost counts against a candidate; where it is saved elsewhere, only the effort to
    bring it back. Among equals, a cache is used where it is, and the slot used longest ago is taken.

    Args:
        n_found: tokens of the prompt that could be brought from elsewhere to any candidate; 0 for none.
    """
    options = [
        (
            _gain(candidate, n_found=n_found, takes_hit=takes_hit),
            not takes_hit,
            -candidate.last_used,
            candidate,
        )
        for candidate in candidates
        for takes_hit in ((False, True) if n_found else (False,))
    ]
    _, stays, _, candidate = max(options, key=lambda option: option[:3])
    return SlotChoice(slot=candidate.slot, takes_hit=not stays)


def _gain(candidate: SlotCandidate, *, n_found: int, takes_hit: bool) -> float:
    n_kept = 0 if takes_hit else candidate.n_usable
    n_lost = candidate.n_cached - n_kept
    loss = min(n_lost, _EFFORT) if candidate.is_saved else n_lost / 4
    return (n_found - _EFFORT if takes_hit else n_kept) - loss


def worth_copying(n_usable: int, *, n_held: int) -> bool:
    """Whether ``n_usable`` tokens are worth copying a state of ``n_held``."""
    return n_usable >= max(_EFFORT, n_held / _COPY_SHARE)
