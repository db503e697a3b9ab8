"""Penalties and biases equal the formula, and are always undone."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fireside.core.options import SamplingParams
from fireside.runner.sampling.penalties import Adjustments
from fireside.runner.sampling.shortlist import Logits

N_VOCAB = 24


def some_logits(seed: int = 3) -> Logits:
    return np.random.default_rng(seed).normal(0, 4, N_VOCAB).astype(np.float32)


def spelled_out(logits: Logits, recent: list[int], params: SamplingParams) -> Logits:
    """llama.cpp's formula, one token at a time."""
    out = logits.copy()
    for token, count in Counter(recent).items():
        repeat = np.float32(params.repeat_penalty)
        value = out[token] * repeat if out[token] <= 0 else out[token] / repeat
        fall = np.float32(count) * np.float32(params.frequency_penalty) + np.float32(params.presence_penalty)
        out[token] = value - fall
    return out


@given(
    prompt=st.lists(st.integers(0, N_VOCAB - 1), max_size=30),
    taken=st.lists(st.integers(0, N_VOCAB - 1), max_size=100),
    last_n=st.integers(1, 90),
    repeat=st.floats(0.5, 2, width=32),
    frequency=st.floats(-1, 1, width=32),
    presence=st.floats(-1, 1, width=32),
)
def test_penalties_are_those_of_the_last_tokens(
    prompt: list[int], taken: list[int], last_n: int, repeat: float, frequency: float, presence: float
) -> None:
    params = SamplingParams(
        repeat_last_n=last_n,
        repeat_penalty=repeat,
        frequency_penalty=frequency,
        presence_penalty=presence,
    )
    adjustments = Adjustments(params, prompt=np.array(prompt, np.int32), forbidden=())
    for token in taken:
        adjustments.accept(token)
    logits = some_logits()
    adjustments.apply(logits)
    np.testing.assert_array_equal(logits, spelled_out(some_logits(), [*prompt, *taken][-last_n:], params))


def test_what_ends_an_answer_is_forbidden_for_as_long_as_asked() -> None:
    params = SamplingParams(logit_bias=((3, 2.0),))
    adjustments = Adjustments(params, prompt=np.empty(0, np.int32), forbidden=[5, 3], n_forbidden=2)
    seen = []
    for _ in range(3):
        logits = some_logits()
        adjustments.apply(logits)
        seen.append([float(logits[token]) for token in (3, 5)])
        adjustments.undo(logits)
        np.testing.assert_array_equal(logits, some_logits())
        adjustments.accept(1)
    free = [float(some_logits()[3]) + 2, float(some_logits()[5])]
    assert seen[:2] == [[-np.inf, -np.inf]] * 2
    assert seen[2] == pytest.approx(free)


@given(recent=st.lists(st.integers(0, N_VOCAB - 1), max_size=20), token=st.integers(0, N_VOCAB - 1))
def test_undo_restores_the_logits(recent: list[int], token: int) -> None:
    params = SamplingParams(
        repeat_penalty=1.3, frequency_penalty=0.1, logit_bias=((token, 3.3), (5, -1000.0))
    )
    adjustments = Adjustments(params, prompt=np.array(recent, np.int32), forbidden=[7])
    logits = some_logits()
    adjustments.apply(logits)
    adjustments.undo(logits)
    np.testing.assert_array_equal(logits, some_logits())


def test_biases_of_one_token_add_up() -> None:
    params = SamplingParams(logit_bias=((2, 1.0), (2, 0.5)))
    logits = some_logits()
    Adjustments(params, prompt=np.empty(0, np.int32), forbidden=()).apply(logits)
    assert logits[2] == some_logits()[2] + np.float32(1.5)


@pytest.mark.parametrize(
    ("params", "forbidden"), [(SamplingParams(logit_bias=((2, -1000.0),)), ()), (SamplingParams(), (2,))]
)
def test_forbidden_token_has_a_logit_of_minus_infinity(
    params: SamplingParams, forbidden: tuple[int, ...]
) -> None:
    logits = some_logits()
    Adjustments(params, prompt=np.empty(0, np.int32), forbidden=forbidden).apply(logits)
    assert logits[2] == -np.inf
