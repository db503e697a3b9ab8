"""Whether drafting pays, with scripted durations."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest

from fireside.runner.speculation.speculator import AcceptanceRate, CostModel


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


def test_nothing_is_drafted_before_the_baseline_is_measured() -> None:
    payoff = CostModel()
    assert payoff.needs_baseline(n_streams=1)
    assert payoff.n_worth(rate=0.9, n_streams=1, n_max=8) == 0


def test_each_number_of_streams_has_its_own_baseline() -> None:
    payoff = measured(plain_s=0.01, extra_s={})
    assert not payoff.needs_baseline(n_streams=1)
    assert payoff.needs_baseline(n_streams=2)


def test_free_drafts_have_full_length() -> None:
    assert measured(plain_s=0.01, extra_s={8: 0.0}).n_worth(rate=0.7, n_streams=1, n_max=8) == 8


def test_drafts_as_expensive_as_steps_never_pay() -> None:
    assert measured(plain_s=0.01, extra_s={8: 0.08}).n_worth(rate=0.99, n_streams=1, n_max=8) == 0


def test_expensive_drafts_pay_only_with_a_high_acceptance_rate() -> None:
    payoff = measured(plain_s=0.01, extra_s={8: 0.04})
    assert payoff.n_worth(rate=0.4, n_streams=1, n_max=8) == 0
    assert payoff.n_worth(rate=0.9, n_streams=1, n_max=8) > 0


def test_lower_acceptance_rate_shortens_drafts() -> None:
    payoff = measured(plain_s=0.01, extra_s={8: 0.016})
    lengths = [payoff.n_worth(rate=rate, n_streams=1, n_max=8) for rate in (0.3, 0.5, 0.7, 0.95)]
    assert lengths == sorted(lengths)
    assert lengths[0] < lengths[-1]


def test_more_streams_shorten_each_draft() -> None:
    """A step of four streams loses more for the same gain."""
    alone = measured(plain_s=0.01, extra_s={8: 0.016}).n_worth(rate=0.7, n_streams=1, n_max=8)
    among_four = measured(plain_s=0.01, extra_s={8: 0.016}, n_streams=4)
    assert among_four.n_worth(rate=0.7, n_streams=4, n_max=8) < alone


def test_free_drafts_pay_for_many_streams_too() -> None:
    assert measured(plain_s=0.01, extra_s={}, n_streams=4).n_worth(rate=0.7, n_streams=4, n_max=8) == 8


def test_drafting_time_counts() -> None:
    assert measured(plain_s=0.01, extra_s={8: 0.0}, draft_s=0.09).n_worth(rate=0.9, n_streams=1, n_max=8) == 0


def test_single_slow_step_does_not_end_drafting() -> None:
    payoff = measured(plain_s=0.01, extra_s={8: 0.002})
    payoff.add_measurement(n_streams=1, n_drafted=8, step_s=5.0, draft_s=0)
    assert payoff.n_worth(rate=0.9, n_streams=1, n_max=8) > 0


def test_baseline_is_measured_again_after_many_steps() -> None:
    payoff = measured(plain_s=0.01, extra_s={})
    n_steps = 0
    while not payoff.needs_baseline(n_streams=1):
        payoff.add_measurement(n_streams=1, n_drafted=4, step_s=0.01, draft_s=0)
        n_steps += 1
        assert n_steps < 200
    payoff.add_measurement(n_streams=1, n_drafted=0, step_s=0.01, draft_s=0)
    assert not payoff.needs_baseline(n_streams=1)


def test_stale_draft_costs_are_dropped() -> None:
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


def test_accepted_drafts_lengthen_the_next() -> None:
    pace, payoff = AcceptanceRate(), cheap()
    for _ in range(10):
        n = wanted(pace, payoff)
        pace.on_verified(n_drafted=n, n_accepted=n)
    assert wanted(pace, payoff) == 8


def test_rejected_drafts_pause_drafting_ever_longer() -> None:
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


def test_predictable_sequence_is_drafted_again() -> None:
    pace, payoff = AcceptanceRate(), cheap()
    for _ in range(60):
        pace.on_verified(n_drafted=wanted(pace, payoff), n_accepted=0)
    for _ in range(200):
        n = wanted(pace, payoff)
        pace.on_verified(n_drafted=n, n_accepted=n)
    assert wanted(pace, payoff) > 0


def test_empty_draft_counts_as_a_miss() -> None:
    pace, payoff = AcceptanceRate(), cheap()
    for _ in range(30):
        if wanted(pace, payoff):
            pace.count_failure()
        pace.on_verified(n_drafted=0, n_accepted=0)
    assert wanted(pace, payoff) == 0


def test_nothing_is_drafted_where_not_even_perfect_drafts_pay() -> None:
    payoff = measured(plain_s=0.01, extra_s={4: 0.04, 8: 0.08})
    assert wanted(AcceptanceRate(), payoff) == 0


def test_tokens_after_a_rejected_one_are_not_counted() -> None:
    """One hit and one miss, whatever the length of the draft."""
    long_draft, short_draft = AcceptanceRate(), AcceptanceRate()
    long_draft.on_verified(n_drafted=8, n_accepted=1)
    short_draft.on_verified(n_drafted=2, n_accepted=1)
    assert long_draft.rate == pytest.approx(short_draft.rate)


def test_nothing_is_drafted_without_space() -> None:
    assert AcceptanceRate().n_to_draft(cheap(), n_streams=1, n_max=-1) == 0


def test_draft_costs_are_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
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
