"""Decide how many of the oldest turns are left out, so that they go seldom and many at once.

What was left out before is not remembered anywhere: it follows from the sizes of the turns, by going through
the conversation as it went. So it is the same for each request of a branch until the next drop, whatever was
asked in between, and each prompt begins as the one before it did.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class TurnSize(NamedTuple):
    """What a turn takes, in any unit."""

    question: int
    whole: int
    """The question and its answers."""


def n_dropped(turns: Sequence[TurnSize], *, n_fixed: int, n_room: int, n_target: int) -> int:
    """Return how many turns are gone by the time at which the last one is asked.

    Whenever a question did not fit into ``n_room`` with ``n_fixed`` and what came before it, the oldest turns
    went until no more than ``n_target`` was left; never the question itself.
    """
    n_gone = 0
    n_all = n_fixed
    for index, turn in enumerate(turns):
        if n_all + turn.question > n_room:
            while n_gone < index and n_all + turn.question > n_target:
                n_all -= turns[n_gone].whole
                n_gone += 1
        n_all += turn.whole
    if n_all > n_room:  # the next question would not fit, whatever it is
        while n_gone < len(turns) - 1 and n_all > n_target:
            n_all -= turns[n_gone].whole
            n_gone += 1
    return n_gone
