"""The shortlist contains every token that can be sampled."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fireside.runner.sampling.shortlist import REACH, tokens_in_reach, top_tokens


@given(
    seed=st.integers(0, 10_000),
    n_vocab=st.integers(1, 3000),
    n=st.integers(1, 60),
    n_values=st.sampled_from([1, 3, 1000]),
)
def test_n_best_tokens_are_in_the_shortlist(seed: int, n_vocab: int, n: int, n_values: int) -> None:
    logits = np.random.default_rng(seed).integers(0, n_values, n_vocab).astype(np.float32)
    shortlist = top_tokens(logits, n)
    if shortlist is not None:
        best = np.sort(logits)[-n:]
        np.testing.assert_array_equal(np.sort(shortlist.logits)[-n:], best)
        np.testing.assert_array_equal(shortlist.logits, logits[shortlist.ids])
        assert (np.diff(shortlist.ids) > 0).all()


def test_shortlist_of_a_large_vocabulary_is_short() -> None:
    logits = np.random.default_rng(1).normal(0, 3, 49_152).astype(np.float32)
    shortlist = top_tokens(logits, 40)
    assert shortlist is not None
    assert 40 <= len(shortlist.ids) < 80


@pytest.mark.parametrize("n_top", [0, 2])
@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("index", [0, 77, 1023, 1024, 1054])
def test_nan_is_detected(n_top: int, bad: float, index: int) -> None:
    logits = np.zeros(1055, np.float32)
    logits[index] = bad
    assert tokens_in_reach(logits, among=None, n_top=n_top) is None


def test_forbidden_and_unreachable_tokens_are_excluded() -> None:
    logits = np.array([-np.inf, 10, 10 - REACH + 1, 10 - REACH - 1], np.float32)
    shortlist = tokens_in_reach(logits, among=None, n_top=0)
    assert shortlist is not None
    assert shortlist.ids.tolist() == [1, 2]
    assert shortlist.logits.tolist() == logits[1:3].tolist()


def test_only_allowed_tokens_are_listed() -> None:
    shortlist = tokens_in_reach(np.arange(1000, dtype=np.float32), among=np.array([3, 950, 960]), n_top=5)
    assert shortlist is not None
    assert shortlist.ids.tolist() == [950, 960]


def test_list_is_empty_where_all_tokens_are_forbidden() -> None:
    shortlist = tokens_in_reach(np.full(1000, -np.inf, np.float32), among=None, n_top=0)
    assert shortlist is not None
    assert len(shortlist.ids) == 0
