"""Who takes part in a decode step."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fireside.runner.batch import N_PREFILL_BESIDE_STREAMS, Demand, Share, plan_batch


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


def _streaming(slot: int) -> Demand:
    return Demand(slot, 1, True, True)


@given(_demands(), st.integers(8, 600), st.integers(0, 20))
def test_a_step_never_exceeds_its_limit(demands: list[Demand], n_max: int, rotation: int) -> None:
    assert sum(share.n_tokens for share in plan_batch(demands, n_max=n_max, rotation=rotation)) <= n_max


@given(_demands(), st.integers(8, 600), st.integers(0, 20))
def test_every_stream_gets_its_token(demands: list[Demand], n_max: int, rotation: int) -> None:
    shares = plan_batch(demands, n_max=n_max, rotation=rotation)
    streams = {demand.slot for demand in demands if demand.streaming and demand.n_pending == 1}
    assert streams <= {share.slot for share in shares}


@given(_demands(), st.integers(8, 600), st.integers(0, 20))
def test_no_share_is_empty_or_larger_than_what_is_pending(
    demands: list[Demand], n_max: int, rotation: int
) -> None:
    pending = {demand.slot: demand.n_pending for demand in demands}
    for share in plan_batch(demands, n_max=n_max, rotation=rotation):
        assert 1 <= share.n_tokens <= pending[share.slot]
        assert share.completes == (share.n_tokens == pending[share.slot])


@given(_demands().filter(bool), st.integers(8, 600), st.integers(0, 20))
def test_somebody_always_moves(demands: list[Demand], n_max: int, rotation: int) -> None:
    assert plan_batch(demands, n_max=n_max, rotation=rotation)


def test_a_prompt_alone_fills_the_step() -> None:
    assert plan_batch([_reading(0, 3000)], n_max=512, rotation=0) == [Share(0, 512, False)]


def test_a_prompt_beside_a_stream_is_read_in_small_parts() -> None:
    shares = plan_batch([_streaming(0), _reading(1, 3000)], n_max=512, rotation=0)
    assert shares == [Share(0, 1, True), Share(1, N_PREFILL_BESIDE_STREAMS, False)]


def test_two_prompts_share_a_step() -> None:
    shares = plan_batch([_reading(0, 3000), _reading(1, 3000)], n_max=512, rotation=0)
    assert [share.n_tokens for share in shares] == [256, 256]


def test_a_short_prompt_leaves_its_rest_to_the_long_one() -> None:
    shares = plan_batch([_reading(0, 10), _reading(1, 3000)], n_max=512, rotation=0)
    assert shares == [Share(0, 10, True), Share(1, 502, False)]


def test_the_front_is_read_before_the_background() -> None:
    shares = plan_batch([_reading(0, 900, interactive=False), _reading(1, 900)], n_max=512, rotation=0)
    assert shares == [Share(1, 512, False)]


def test_the_background_gets_what_the_front_leaves() -> None:
    shares = plan_batch([_reading(0, 900, interactive=False), _reading(1, 500)], n_max=512, rotation=0)
    assert shares == [Share(1, 500, True), Share(0, 12, False)]
