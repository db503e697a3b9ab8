"""Page breaks: all rows, in order, none cut, and pages end only where allowed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from fireside.bridge.pdf.paging import Row, Slice, pages

HEIGHT = 100.0


class Box(msgspec.Struct, frozen=True, kw_only=True):
    rows: Sequence[Row]
    gap: float = 0.0
    repeated_height: float = 0.0
    min_scale: float = 1.0


def box(
    *heights: float, gap: float = 0.0, kept_rows: Sequence[int] = (), repeated_height: float = 0.0
) -> Box:
    rows, top = [], 0.0
    for index, height in enumerate(heights):
        rows.append(Row(top=top, bottom=top + height, keeps_next=index in kept_rows))
        top += height
    return Box(rows=rows, gap=gap, repeated_height=repeated_height)


def layout(*boxes: Box) -> list[list[tuple[int, float, float, float]]]:
    """Return what is on each page: which box, where, and which part of it."""
    return [
        [(boxes.index(part.piece), part.y, part.top, part.bottom) for part in page]
        for page in pages(boxes, height=HEIGHT)
    ]


boxes = st.builds(
    box,
    st.floats(1, 90),
    st.floats(1, 90),
    st.floats(1, 90),
    gap=st.floats(0, 30),
    kept_rows=st.lists(st.integers(0, 2), max_size=2),
)


@given(st.lists(boxes, min_size=1, max_size=12))
def test_each_row_is_on_one_page_in_order(given_boxes: list[Box]) -> None:
    found: list[tuple[int, float]] = []
    for page in pages(given_boxes, height=HEIGHT):
        for before, after in pairwise(page):
            assert after.y >= before.y + before.bottom - before.top - 0.01
        for part in page:
            assert part.y + part.bottom - part.top <= HEIGHT + 0.01
            found += [
                (id(part.piece), row.top)
                for row in part.piece.rows
                if part.top <= row.top and row.bottom <= part.bottom + 1e-6
            ]
    assert found == [(id(part), row.top) for part in given_boxes for row in part.rows]


@given(st.lists(boxes, min_size=1, max_size=12))
def test_a_page_ends_only_where_the_next_rows_do_not_fit(given_boxes: list[Box]) -> None:
    all_pages: list[Sequence[Slice[Box]]] = list(pages(given_boxes, height=HEIGHT))
    for before, after in pairwise(all_pages):
        last, first = before[-1], after[0]
        used = last.y + last.bottom - last.top
        rows = [(part, row) for part in given_boxes for row in part.rows]
        index = next(n for n, (part, row) in enumerate(rows) if part is first.piece and row.top == first.top)
        needed = 0.0
        for piece, row in rows[index:]:
            needed += row.bottom - row.top + (piece.gap if row.top == 0 else 0.0)
            if not row.keeps_next:
                break
        assert used + needed > HEIGHT - 0.01


def test_a_heading_goes_with_what_follows_it() -> None:
    assert layout(box(80), box(15, kept_rows=[0]), box(10)) == [
        [(0, 0, 0, 80)],
        [(1, 0, 0, 15), (2, 15, 0, 10)],
    ]


def test_the_head_of_a_table_is_shown_again() -> None:
    assert layout(box(10, 60, 60, 60, repeated_height=10)) == [
        [(0, 0, 0, 70)],
        [(0, 0, 0, 10), (0, 10, 70, 130)],
        [(0, 0, 0, 10), (0, 10, 130, 190)],
    ]


def test_no_page_begins_with_free_space() -> None:
    assert layout(box(90), box(20, gap=15)) == [[(0, 0, 0, 90)], [(1, 0, 0, 20)]]


def test_a_picture_is_drawn_smaller_rather_than_leave_a_page_empty() -> None:
    picture = Box(rows=(Row(top=0.0, bottom=80.0),), min_scale=0.4)
    (page,) = pages([box(60), picture], height=HEIGHT)
    assert (page[1].y, page[1].scale) == (60.0, 0.5)
    assert len(list(pages([box(80), picture], height=HEIGHT))) == 2


def test_a_row_higher_than_a_page_is_cut() -> None:
    assert [page[0][2:] for page in layout(box(250))] == [(0, 100), (100, 200), (200, 250)]
