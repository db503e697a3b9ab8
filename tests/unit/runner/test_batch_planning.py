"""Which slots take part in a decode step, and with how many tokens."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fireside.runner.batch_planning import (
    BACKGROUND_EVERY,
    Demand,
    PromptSpeed,
    Share,
    plan_batch,
)

BESIDE = 128
"""Prompt tokens beside streams."""


@st.composite
def _demands(draw: st.DrawFn) -> list[Demand]:
    return [
        Demand(
            slot,
            draw(st.integers(1, 3000)) if draw(st.booleans()) else 1,
            draw(st.booleans()),
            draw(st.booleans()),
        )
        for slot in range(draw(st.integers(0, 8)))
    ]


def _reading(slot: int, n: int, *, interactive: bool = True) -> Demand:
    return Demand(slot, n, False, interactive)


def _streaming(slot: int, *, interactive: bool = True) -> Demand:
    return Demand(slot, 1, True, interactive)


@given(_demands(), st.integers(8, 600), st.integers(0, 20))
def test_step_never_exceeds_its_limit(demands: list[Demand], n_max: int, step: int) -> None:
    assert (
        sum(share.n_tokens for share in plan_batch(demands, n_max=n_max, n_alongside=BESIDE, step=step))
        <= n_max
    )


@given(_demands(), st.integers(8, 600), st.integers(0, 20))
def test_every_interactive_stream_gets_its_token(demands: list[Demand], n_max: int, step: int) -> None:
    shares = plan_batch(demands, n_max=n_max, n_alongside=BESIDE, step=step)
    front = any(demand.interactive for demand in demands)
    streams = {
        demand.slot
        for demand in demands
        if demand.streaming and demand.n_pending == 1 and demand.interactive is front
    }
    assert streams <= {share.slot for share in shares}


@given(_demands(), st.integers(8, 600), st.integers(0, 20))
def test_no_share_is_empty_or_larger_than_what_is_pending(
    demands: list[Demand], n_max: int, step: int
) -> None:
    pending = {demand.slot: demand.n_pending for demand in demands}
    for share in plan_batch(demands, n_max=n_max, n_alongside=BESIDE, step=step):
        assert 1 <= share.n_tokens <= pending[share.slot]
        assert share.completes == (share.n_tokens == pending[share.slot])


@given(_demands().filter(bool), st.integers(8, 600), st.integers(0, 20))
def test_some_slot_always_advances(demands: list[Demand], n_max: int, step: int) -> None:
    assert plan_batch(demands, n_max=n_max, n_alongside=BESIDE, step=step)


@given(_demands(), st.integers(1, 8), st.integers(0, 20))
def test_step_too_small_for_all_streams_stays_within_its_limit(
    demands: list[Demand], n_max: int, step: int
) -> None:
    """Otherwise llama.cpp would write beyond its buffers."""
    assert (
        sum(share.n_tokens for share in plan_batch(demands, n_max=n_max, n_alongside=BESIDE, step=step))
        <= n_max
    )


def test_background_prompts_rotate() -> None:
    demands = [_reading(0, 900), *(_reading(slot, 900, interactive=False) for slot in range(1, 5))]
    plans = [
        plan_batch(demands, n_max=1, n_alongside=BESIDE, step=BACKGROUND_EVERY * turn) for turn in range(4)
    ]
    assert {share.slot for plan in plans for share in plan} == {1, 2, 3, 4}


def test_prompt_alone_fills_the_step() -> None:
    assert plan_batch([_reading(0, 3000)], n_max=512, n_alongside=BESIDE, step=0) == [Share(0, 512, False)]


def test_prompt_next_to_a_stream_is_evaluated_in_portions() -> None:
    shares = plan_batch([_streaming(0), _reading(1, 3000)], n_max=512, n_alongside=BESIDE, step=0)
    assert shares == [Share(0, 1, True), Share(1, BESIDE, False)]


def test_two_prompts_share_a_step() -> None:
    shares = plan_batch([_reading(0, 3000), _reading(1, 3000)], n_max=512, n_alongside=BESIDE, step=0)
    assert [share.n_tokens for share in shares] == [256, 256]


def test_first_of_two_answers_begins_before_both_prompts_are_evaluated() -> None:
    n_left, n_steps, ends = {0: 3000, 1: 3000}, 0, dict[int, int]()
    while n_left:
        demands = [_reading(slot, n) for slot, n in n_left.items()]
        for share in plan_batch(demands, n_max=512, n_alongside=BESIDE, step=n_steps):
            n_left[share.slot] -= share.n_tokens
            if share.completes:
                ends[share.slot] = n_steps
                del n_left[share.slot]
        n_steps += 1
    first, last = sorted(ends.values())
    assert last == -(-2 * 3000 // 512) - 1
    assert first <= 0.7 * last


def test_short_prompt_leaves_the_rest_to_the_long_one() -> None:
    shares = plan_batch([_reading(0, 10), _reading(1, 3000)], n_max=512, n_alongside=BESIDE, step=0)
    assert shares == [Share(0, 10, True), Share(1, 502, False)]


def test_interactive_prompts_come_before_background_prompts() -> None:
    shares = plan_batch(
        [_reading(0, 900, interactive=False), _reading(1, 900)], n_max=512, n_alongside=BESIDE, step=1
    )
    assert shares == [Share(1, 512, False)]


def test_rest_of_an_interactive_step_is_not_filled_with_background_prompts() -> None:
    """Every token more makes the step longer."""
    shares = plan_batch(
        [_reading(0, 900, interactive=False), _reading(1, 500)], n_max=512, n_alongside=BESIDE, step=1
    )
    assert shares == [Share(1, 500, True)]


def test_background_prompts_come_first_in_their_step() -> None:
    demands = [_reading(0, 900, interactive=False), _reading(1, 900)]
    assert plan_batch(demands, n_max=512, n_alongside=BESIDE, step=BACKGROUND_EVERY) == [Share(0, 512, False)]


def test_background_stream_waits_for_its_step_next_to_an_interactive_one() -> None:
    demands = [_streaming(0), _streaming(1, interactive=False)]
    taking_part = [
        len(plan_batch(demands, n_max=512, n_alongside=BESIDE, step=step)) for step in range(BACKGROUND_EVERY)
    ]
    assert taking_part == [2] + [1] * (BACKGROUND_EVERY - 1)


def test_background_stream_advances_with_interactive_prompts_without_shrinking_steps() -> None:
    shares = plan_batch(
        [_streaming(0, interactive=False), _reading(1, 900)], n_max=512, n_alongside=BESIDE, step=1
    )
    assert shares == [Share(0, 1, True), Share(1, 511, False)]


def test_background_alone_is_not_throttled() -> None:
    demands = [_reading(0, 900, interactive=False), _reading(1, 900, interactive=False)]
    assert sum(share.n_tokens for share in plan_batch(demands, n_max=512, n_alongside=BESIDE, step=1)) == 512


@given(_demands().filter(bool), st.integers(8, 600), st.integers(0, 20))
def test_every_slot_advances_within_a_bounded_number_of_steps(
    demands: list[Demand], n_max: int, start: int
) -> None:
    """Even if no request ever gets done with its prompt."""
    n_steps = BACKGROUND_EVERY * len(demands)
    plans = [plan_batch(demands, n_max=n_max, n_alongside=BESIDE, step=start + n) for n in range(n_steps)]
    assert {share.slot for plan in plans for share in plan} == {demand.slot for demand in demands}


def test_portion_next_to_streams_fits_the_longest_step() -> None:
    """A fast device reads whole batches beside a stream, a slow one a few tokens: the pause is the same."""
    for token_s in (1 / 50_000, 1 / 2_000, 1 / 400):
        pace = PromptSpeed()
        for _ in range(20):
            n_tokens = min(512, pace.n_alongside_streams)
            pace.add_measurement(1 + n_tokens, (1 + n_tokens) * token_s)
        n_tokens = min(512, pace.n_alongside_streams)
        assert n_tokens * token_s <= 0.1
        assert n_tokens == 512 or n_tokens * token_s > 0.05


def test_slow_device_still_evaluates_a_portion() -> None:
    pace = PromptSpeed()
    pace.add_measurement(64, 64.0)
    assert pace.n_alongside_streams == 16


def test_step_of_streams_does_not_measure_prompt_speed() -> None:
    pace = PromptSpeed()
    before = pace.n_alongside_streams
    pace.add_measurement(8, 5.0)
    assert pace.n_alongside_streams == before
