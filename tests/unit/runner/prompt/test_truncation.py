"""How many of the oldest turns are dropped, and how rarely."""

from __future__ import annotations

import itertools
import random

from fireside.runner.prompt.prompt_fitting import TurnSize, n_dropped


def _dropped(turns: list[TurnSize]) -> int:
    return n_dropped(turns, n_fixed=10, n_available=100, n_target=50)


def test_conversation_that_fits_is_kept_whole() -> None:
    assert _dropped([TurnSize(10, 30), TurnSize(10, 30), TurnSize(10, 30)]) == 0


def test_full_context_is_reduced_to_the_target() -> None:
    turns = [TurnSize(5, 20)] * 5  # 10 fixed + 100
    assert _dropped(turns) == 3, "10 + 2 * 20 is left"


def test_last_question_is_never_dropped() -> None:
    assert _dropped([TurnSize(5, 20), TurnSize(500, 500)]) == 1


def test_cut_stays_the_same_for_many_turns() -> None:
    chance = random.Random(7)
    turns: list[TurnSize] = []
    cuts: list[int] = []
    for _ in range(400):
        question = chance.randint(1, 4)
        turns.append(TurnSize(question, question + chance.randint(1, 6)))
        cuts.append(_dropped(turns))
    n_moves = sum(a != b for a, b in itertools.pairwise(cuts))
    assert cuts == sorted(cuts), "what was forgotten is not remembered again"
    assert 400 / n_moves > 6


def test_drops_do_not_depend_on_later_turns() -> None:
    chance = random.Random(3)
    turns = [TurnSize(5, 5 + chance.randint(1, 25)) for _ in range(60)]
    longer = [*turns, TurnSize(1, 2)]
    n_first = n_dropped(turns, n_fixed=10, n_available=100, n_target=50)
    n_later = n_dropped(longer, n_fixed=10, n_available=100, n_target=50)
    assert n_later >= n_first
    n_remaining = sum(turn.whole for turn in longer[n_first:]) + 10
    assert n_later == n_first or n_remaining > 100 - 25
