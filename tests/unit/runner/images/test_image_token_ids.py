"""Images as cells in an array of tokens."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fireside.runner.image_token_ids import (
    begins_span,
    has_images,
    n_before_image,
    span_cells,
    span_end,
    span_start,
    text_only,
    whole_images,
)
from fireside.runner.tokens import Tokens

texts = st.lists(st.integers(0, 300_000), max_size=6).map(lambda ids: np.array(ids, np.int32))
spans = st.tuples(st.binary(max_size=4), st.integers(1, 9)).map(
    lambda drawn: span_cells(drawn[0], n_tokens=drawn[1])
)
prompts = st.lists(texts | spans, max_size=6)


def joined(parts: list[Tokens]) -> Tokens:
    return np.concatenate([np.empty(0, np.int32), *parts])


def borders(parts: list[Tokens]) -> list[tuple[int, int]]:
    """Start and end of each image."""
    spans, position = [], 0
    for part in parts:
        if has_images(part):
            spans.append((position, position + len(part)))
        position += len(part)
    return spans


def test_cells_are_determined_by_their_key() -> None:
    assert np.array_equal(span_cells(b"a", n_tokens=40), span_cells(b"a", n_tokens=40))
    assert not np.array_equal(span_cells(b"a", n_tokens=40), span_cells(b"b", n_tokens=40))


def test_cells_are_never_tokens_of_a_vocabulary() -> None:
    assert (span_cells(b"a", n_tokens=5000) < 0).all()


@given(prompts)
def test_every_span_is_found_in_the_tokens(parts: list[Tokens]) -> None:
    tokens = joined(parts)
    for start, end in borders(parts):
        assert begins_span(tokens, start)
        assert span_end(tokens, start) == end
        assert {span_start(tokens, index) for index in range(start, end)} == {start}


@given(prompts)
def test_prefix_never_cuts_an_image(parts: list[Tokens]) -> None:
    tokens = joined(parts)
    for n in range(len(tokens) + 1):
        inside = next((start for start, end in borders(parts) if start < n < end), None)
        assert whole_images(tokens, n) == (n if inside is None else inside)


@given(prompts)
def test_text_and_images_are_distinguished(parts: list[Tokens]) -> None:
    tokens = joined(parts)
    spans = borders(parts)
    assert has_images(tokens) == bool(spans)
    assert n_before_image(tokens) == (spans[0][0] if spans else len(tokens))
    assert np.array_equal(text_only(tokens), joined([part for part in parts if not has_images(part)]))
