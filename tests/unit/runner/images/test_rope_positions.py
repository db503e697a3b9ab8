"""Positions of tokens where images take fewer positions than tokens."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fireside.runner.images.image_context import RopePositions

Layout = list[tuple[int, int, int]]
layouts = st.lists(st.tuples(st.integers(0, 5), st.integers(1, 9), st.integers(1, 9)), max_size=5)
"""Text before an image, its cells, and its positions, which are never more."""


def laid_out(layout: Layout) -> tuple[RopePositions, list[int]]:
    """The table of a prompt, and the position of each of its text tokens and first cells by index."""
    table = RopePositions()
    positions: list[int] = []
    position = 0
    for n_text, n_cells, drawn in layout:
        n_pos = min(n_cells, drawn)
        positions += range(position, position + n_text)
        position += n_text
        table.add(start=len(positions), n_tokens=n_cells, n_pos=n_pos)
        positions += [position] * n_cells
        position += n_pos
    return table, [*positions, position, position + 1]


def test_without_images_position_and_index_are_equal() -> None:
    assert [RopePositions().position(index) for index in range(3)] == [0, 1, 2]
    assert [RopePositions().index(position) for position in (-1, 0, 7)] == [-1, 0, 7]


def inner_cells(layout: Layout) -> set[int]:
    """Indices of all cells that are not the first of their image."""
    inner: set[int] = set()
    start = 0
    for n_text, n_cells, _ in layout:
        start += n_text
        inner |= set(range(start + 1, start + n_cells))
        start += n_cells
    return inner


@given(layouts)
def test_text_continues_after_the_positions_of_an_image(layout: Layout) -> None:
    table, positions = laid_out(layout)
    for index in set(range(len(positions))) - inner_cells(layout):
        assert table.position(index) == positions[index]


@given(layouts)
def test_last_token_follows_from_the_highest_position(layout: Layout) -> None:
    """As in llama.cpp, all cells of an image are at its first position."""
    _, positions = laid_out(layout)
    for n_tokens in set(range(1, len(positions) + 1)) - inner_cells(layout):
        table, _ = laid_out(layout)
        table.cut(n_tokens)
        assert table.index(max(positions[:n_tokens])) == n_tokens - 1


@given(layouts, st.binary(max_size=20))
def test_positions_are_restored_from_the_end_of_a_state(layout: Layout, state: bytes) -> None:
    table, positions = laid_out(layout)
    saved = np.concatenate([np.frombuffer(state, np.uint8), table.packed()])
    restored = RopePositions()
    rest = restored.unpack(saved)
    assert rest is not None
    assert rest.tobytes() == state
    assert restored.position(len(positions)) == table.position(len(positions))


def test_images_after_a_cut_are_removed() -> None:
    table = RopePositions()
    table.add(start=2, n_tokens=8, n_pos=3)
    table.add(start=12, n_tokens=8, n_pos=3)
    table.cut(11)
    assert (table.position(10), table.position(30)) == (5, 25)
    table.cut(9)
    assert table.position(30) == 30


def test_state_without_a_position_table_is_refused() -> None:
    for damaged in (b"", b"\x01\x00", b"\xff\xff\xff\x7f", b"\xff\xff\xff\xff"):
        assert RopePositions().unpack(np.frombuffer(damaged, np.uint8)) is None
