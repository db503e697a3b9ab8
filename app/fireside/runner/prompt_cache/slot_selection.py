"""Choose a seat for a prompt: whose cache helps most, and whose is missed least."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

_EFFORT: Final = 32
"""Bringing a saved state back takes about as long as reading so many tokens."""
_COPY_SHARE: Final = 8
"""A state is copied whole; it is worth that where at least an eighth of it is used."""


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """A free slot, seen from one prompt."""

    slot: int
    n_usable: int
    """Tokens of the prompt that its cache holds."""
    n_cached: int
    is_saved: bool
    """Whether its cache can be had again."""
    last_used: float


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    slot: int
    takes_offer: bool
    """Whether a state from elsewhere is put there, in place of what its cache holds."""


def choose_seat(seats: Iterable[Seat], *, n_offered: int) -> Choice:
    """Return the seat that saves most for what its cache loses.

    Throwing away a long conversation to save the 30 tokens of a shared system prompt is a bad trade, so a
    quarter of what would be lost counts against a seat; where it is saved elsewhere, only the effort to bring
    it back. Among equals, a cache is used where it is, and the seat used longest ago is taken.

    Args:
        n_offered: tokens of the prompt that could be brought from elsewhere to any seat; 0 for none.
    """
    options = [
        (_gain(seat, n_offered=n_offered, takes_offer=takes_offer), not takes_offer, -seat.last_used, seat)
        for seat in seats
        for takes_offer in ((False, True) if n_offered else (False,))
    ]
    _, stays, _, seat = max(options, key=lambda option: option[:3])
    return Choice(slot=seat.slot, takes_offer=not stays)


def _gain(seat: Seat, *, n_offered: int, takes_offer: bool) -> float:
    n_kept = 0 if takes_offer else seat.n_usable
    n_lost = seat.n_cached - n_kept
    loss = min(n_lost, _EFFORT) if seat.is_saved else n_lost / 4
    return (n_offered - _EFFORT if takes_offer else n_kept) - loss


def worth_copying(n_usable: int, *, n_held: int) -> bool:
    """Whether ``n_usable`` tokens are worth copying a state of ``n_held``."""
    return n_usable >= max(_EFFORT, n_held / _COPY_SHARE)
