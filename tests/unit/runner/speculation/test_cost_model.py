"""Whether guessing pays, with scripted times."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest

from fireside.runner.speculation.acceptance_rate import AcceptanceRate
from fireside.runner.speculation.cost_model import CostModel


def measured(
    *, plain_s: float, extra_s: dict[int, float], n_streams: int = 1, draft_s: float = 0.0
) -> CostModel:
    payoff = CostModel()
    for _ in range(4):
        payoff.add_measurement(n_streams=n_streams, n_drafted=0, step_s=plain_s, draft_s=0)
    for n, seconds in extra_s.items():
        for _ in range(4):
            payoff.add_measurement(
                n_streams=n_streams, n_drafted=n, step_s=plain_s + seconds, draft_s=draft_s
            )
    return payoff


def test_nothing_is_guessed_before_a_step_without_guesses_was_measured() -> None:
    payoff = CostModel()
    assert payoff.needs_baseline(n_streams=1)
    assert payoff.n_worth(rate=0.9, n_streams=1, n_max=8) == 0


def test_another_number_of_streams_is_measured_for_itself() -> None:
    payoff = measured(plain_s=0.01, extra_s={})
    assert not payoff.needs_baseline(n_streams=1)
    assert payoff.needs_baseline(n_streams=2)


def test_free_guesses_are_made_at_full_length() -> None:
    assert measured(plain_s=0.01, extra_s={8: 0.0}).n_worth(rate=0.7, n_streams=1, n_max=8) == 8


def test_guesses_that_cost_a_step_each_are_never_worth_it() -> None:
    assert measured(plain_s=0.01, extra_s={8: 0.08}).n_worth(rate=0.99, n_streams=1, n_max=8) == 0


def test_dear_guesses_are_worth_it_only_if_most_come_true() -> None:
    payoff = measured(plain_s=0.01, extra_s={8: 0.04})
    assert payoff.n_worth(rate=0.4, n_streams=1, n_max=8) == 0
    assert payoff.n_worth(rate=0.9, n_streams=1, n_max=8) > 0


def test_fewer_tokens_are_guessed_where_fewer_come_true() -> None:
    payoff = measured(plain_s=0.01, extra_s={8: 0.016})
    lengths = [payoff.n_worth(rate=rate, n_streams=1, n_max=8) for rate in (0.3, 0.5, 0.7, 0.95)]
    assert lengths == sorted(lengths)
    assert lengths[0] < lengths[-1]


def test_more_streams_make_each_guess_shorter() -> None:
    """A step that serves four gives up more for the same gain."""
    alone = measured(plain_s=0.01, extra_s={8: 0.016}).n_worth(rate=0.7, n_streams=1, n_max=8)
    among_four = measured(plain_s=0.01, extra_s={8: 0.016}, n_streams=4)
    assert among_four.n_worth(rate=0.7, n_streams=4, n_max=8) < alone


def test_free_guesses_are_made_for_many_streams_too() -> None:
    assert measured(plain_s=0.01, extra_s={}, n_streams=4).n_worth(rate=0.7, n_streams=4, n_max=8) == 8


def test_the_time_that_guessing_itself_takes_counts() -> None:
    assert measured(plain_s=0.01, extra_s={8: 0.0}, draft_s=0.09).n_worth(rate=0.9, n_streams=1, n_max=8) == 0


def test_one_slow_step_does_not_end_guessing() -> None:
    payoff = measured(plain_s=0.01, extra_s={8: 0.002})
    payoff.add_measurement(n_streams=1, n_drafted=8, step_s=5.0, draft_s=0)
    assert payoff.n_worth(rate=0.9, n_streams=1, n_max=8) > 0


def test_after_many_steps_with_guesses_one_goes_without() -> None:
    payoff = measured(plain_s=0.01, extra_s={})
    n_steps = 0
    while not payoff.needs_baseline(n_streams=1):
        payoff.add_measurement(n_streams=1, n_drafted=4, step_s=0.01, draft_s=0)
        n_steps += 1
        assert n_steps < 200
    payoff.add_measurement(n_streams=1, n_drafted=0, step_s=0.01, draft_s=0)
    assert not payoff.needs_baseline(n_streams=1)


def test_what_guesses_cost_long_ago_is_forgotten() -> None:
    payoff = measured(plain_s=0.01, extra_s={8: 1.0})
    assert payoff.n_worth(rate=0.9, n_streams=1, n_max=8) == 0
    for _ in range(1100):
        payoff.add_measurement(n_streams=1, n_drafted=0, step_s=0.01, draft_s=0)
    assert payoff.n_worth(rate=0.9, n_streams=1, n_max=8) > 0


# The pace of one sequence


def cheap() -> CostModel:
    return measured(plain_s=0.01, extra_s={4: 0.004, 8: 0.008})


def wanted(pace: AcceptanceRate, payoff: CostModel) -> int:
    return pace.n_to_draft(payoff, n_streams=1, n_max=8)


def test_a_sequence_whose_guesses_come_true_gets_long_ones() -> None:
    pace, payoff = AcceptanceRate(), cheap()
    for _ in range(10):
        n = wanted(pace, payoff)
        pace.on_verified(n_drafted=n, n_accepted=n)
    assert wanted(pace, payoff) == 8


def test_a_sequence_whose_guesses_are_wrong_rests_ever_longer() -> None:
    pace, payoff = AcceptanceRate(), cheap()
    asked_at = []
    for step in range(2000):
        n = wanted(pace, payoff)
        if n:
            asked_at.append(step)
        pace.on_verified(n_drafted=n, n_accepted=0)
    pauses = [later - earlier for earlier, later in pairwise(asked_at[5:])]
    assert pauses == sorted(pauses)
    assert pauses[-1] > 4 * pauses[0]
    assert len(asked_at) < 20


def test_a_sequence_that_becomes_predictable_is_guessed_again() -> None:
    pace, payoff = AcceptanceRate(), cheap()
    for _ in range(60):
        pace.on_verified(n_drafted=wanted(pace, payoff), n_accepted=0)
    for _ in range(200):
        n = wanted(pace, payoff)
        pace.on_verified(n_drafted=n, n_accepted=n)
    assert wanted(pace, payoff) > 0


def test_looking_in_vain_counts_as_a_miss() -> None:
    pace, payoff = AcceptanceRate(), cheap()
    for _ in range(30):
        if wanted(pace, payoff):
            pace.count_failure()
        pace.on_verified(n_drafted=0, n_accepted=0)
    assert wanted(pace, payoff) == 0


def test_nothing_is_tried_where_not_even_perfect_guesses_pay() -> None:
    payoff = measured(plain_s=0.01, extra_s={4: 0.04, 8: 0.08})
    assert wanted(AcceptanceRate(), payoff) == 0


def test_what_stands_behind_a_wrong_guess_says_nothing() -> None:
    """One hit and one miss, whatever the length of the guess."""
    long, short = AcceptanceRate(), AcceptanceRate()
    long.on_verified(n_drafted=8, n_accepted=1)
    short.on_verified(n_drafted=2, n_accepted=1)
    assert long.rate == pytest.approx(short.rate)


def test_no_room_means_no_guess() -> None:
    assert AcceptanceRate().n_to_draft(cheap(), n_streams=1, n_max=-1) == 0


def test_what_guesses_cost_is_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    model = CostModel()
    for _ in range(3):
        model.add_measurement(n_streams=1, n_drafted=0, step_s=0.1, draft_s=0.0)
    for n_drafted in (1, 4, 16):
        model.add_measurement(n_streams=1, n_drafted=n_drafted, step_s=0.1 + n_drafted / 1000, draft_s=0.0)
    calls: list[object] = []
    look_up = CostModel._extra_s

    def noted(self: CostModel, n: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        calls.append(n)
        return look_up(self, n)

    monkeypatch.setattr(CostModel, "_extra_s", noted)
    assert model.n_worth(rate=0.9, n_streams=1, n_max=64) > 4
    assert len(calls) == 1
