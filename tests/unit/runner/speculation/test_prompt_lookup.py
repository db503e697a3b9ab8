"""Drafts from n-grams of the context."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fireside.runner.decoder import DraftRequest
from fireside.runner.speculation.prompt_lookup import NgramIndex, PromptLookup
from fireside.runner.tokens import Tokens


def tokens(*values: int) -> Tokens:
    return np.array(values, np.int32)


def full_search(text: list[int], *, n_max: int) -> list[int]:
    """The same by a full search, the last match first."""
    n = len(text)
    for size in (3, 2):
        for end in range(n - 1, size - 1, -1):
            if n > size and text[end - size : end] == text[n - size :]:
                follows = text[end:n]
                n_wanted = n_max if size == 3 else min(n_max, 3)
                return [follows[offset % len(follows)] for offset in range(n_wanted)]
    return []


@given(
    st.lists(st.lists(st.integers(0, 3), max_size=12), min_size=1, max_size=6),
    st.integers(1, 9),
)
def test_index_of_a_growing_text_equals_a_full_search(parts: list[list[int]], n_max: int) -> None:
    index = NgramIndex()
    text: list[int] = []
    for part in parts:
        text += part
        assert index.draft(tokens(*text), n_max=n_max).tolist() == full_search(text, n_max=n_max)


def test_continuation_of_the_last_match_is_drafted() -> None:
    index = NgramIndex()
    assert index.draft(tokens(1, 2, 3, 7, 1, 2, 3, 8, 1, 2, 3), n_max=2).tolist() == [8, 1]


def test_looping_text_is_drafted_beyond_its_end() -> None:
    assert NgramIndex().draft(tokens(5, 6, 5, 6, 5), n_max=5).tolist() == [6, 5, 6, 5, 6]


def test_match_of_two_tokens_drafts_three_at_most() -> None:
    assert len(NgramIndex().draft(tokens(1, 2, 3, 4, 5, 6, 9, 1, 2), n_max=8)) == 3


def test_other_text_is_not_drafted_from_the_previous_one() -> None:
    """It is longer, so that only the tokens themselves show the difference."""
    index = NgramIndex()
    assert index.draft(tokens(1, 2, 3, 7, 1, 2, 3), n_max=1).tolist() == [7]
    other = tokens(8, 8, 9, 4, 5, 6, 5, 4, 1, 2, 3)
    assert index.draft(other, n_max=1).tolist() == []
    longer = np.concatenate([other, tokens(9, 4, 5)])
    assert index.draft(longer, n_max=1).tolist() == [6]


def test_slots_are_independent() -> None:
    drafter = PromptLookup()
    assert drafter.draft([DraftRequest(0, tokens(1, 2, 3, 4, 1, 2, 3), 1)])[0] is not None
    (draft,) = drafter.draft([DraftRequest(1, tokens(9, 1, 2, 3), 1)])
    assert draft is not None
    assert len(draft) == 0


def test_image_cells_are_handled() -> None:
    draft = NgramIndex().draft(tokens(1, -1, -1, -1, 2, -1, -1, -1), n_max=3)
    assert draft.tolist() == [2, -1, -1]
