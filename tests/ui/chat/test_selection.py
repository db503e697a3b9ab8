"""A selection as two points."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fireside.ui.chat.transcript.selection_controller import END, Point, Selection, everything


def point(message: int, block: int, position: int) -> Point:
    return Point(message=message, block=block, position=position)


points = st.builds(point, st.integers(0, 5), st.integers(0, 3), st.integers(0, 9))


@given(points, points)
def test_start_and_end_are_ordered_in_both_directions(a: Point, b: Point) -> None:
    one, other = Selection(anchor=a, caret=b), Selection(anchor=b, caret=a)
    assert (one.start, one.end) == (other.start, other.end)


@given(points, points, points)
def test_a_character_between_start_and_end_is_selected(a: Point, b: Point, c: Point) -> None:
    selection = Selection(anchor=a, caret=b)
    span = selection.span(c.message, block=c.block)
    inside = span is not None and span[0] <= c.position < span[1]
    assert inside == (selection.start <= c < selection.end)


def test_everything_covers_each_message_whole() -> None:
    selection = everything(n_messages=3)
    assert all(selection.covers_whole(k) for k in range(3))


def test_a_message_that_is_selected_in_part_is_not_covered_whole() -> None:
    selection = Selection(anchor=point(0, 0, 1), caret=point(2, 0, 4))
    assert [selection.covers_whole(k) for k in range(3)] == [False, True, False]


def test_end_means_the_last_character_of_a_block() -> None:
    selection = Selection(anchor=point(0, 1, 5), caret=point(1, 0, 2))
    assert selection.span(0, block=1) == (5, END)
    assert selection.span(1, block=0) == (0, 2)
    assert selection.span(1, block=1) is None
