"""Decide how many of the oldest turns to drop, so that drops are rare and large.

Previous drops are not stored: they follow from the sizes of the turns, by replaying the conversation. So the
result is the same for each request of a branch until the next drop, whatever was requested in between, and
each prompt keeps the prefix of the one before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class TurnSize(NamedTuple):
    """The size of a turn, in any unit."""

    question: int
    whole: int
    """The question and its answers."""


def n_dropped(turns: Sequence[TurnSize], *, n_fixed: int, n_available: int, n_target: int) -> int:
    """Return how many turns have been dropped when the last question is answered.

    Whenever a question did not fit into ``n_available`` with ``n_fixed`` and the turns before it, the oldest
    turns were dropped until at most ``n_target`` was left; never the question itself.
    """
    n_removed = 0
    n_all = n_fixed
    for index, turn in enumerate(turns):
        if n_all + turn.question > n_available:
            while n_removed < index and n_all + turn.question > n_target:
                n_all -= turns[n_removed].whole
                n_removed += 1
        n_all += turn.whole
    if n_all > n_available:  # the next question would not fit, whatever it is
        while n_removed < len(turns) - 1 and n_all > n_target:
            n_all -= turns[n_removed].whole
            n_removed += 1
    return n_removed
