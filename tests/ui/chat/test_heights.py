"""Heights and offsets of messages."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fireside.ui.chat.transcript.message_column import Heights

heights = st.lists(st.integers(1, 500), min_size=1, max_size=40)


@given(heights, st.lists(st.tuples(st.integers(0, 39), st.integers(1, 500)), max_size=20))
def test_offsets_are_the_sums_of_the_heights_before(
    given_heights: list[int], changes: list[tuple[int, int]]
) -> None:
    expected = [float(h) for h in given_heights]
    model = Heights(expected)
    for index, height in changes:
        if index < len(expected):
            model.total()
            model.set(index, height)
            expected[index] = height
    assert [model.offset(k) for k in range(len(expected) + 1)] == [
        sum(expected[:k]) for k in range(len(expected) + 1)
    ]


@given(heights, st.integers(-50, 25_000))
def test_index_at_returns_the_message_that_contains_y(given_heights: list[int], y: int) -> None:
    model = Heights(float(h) for h in given_heights)
    index = model.index_at(y)
    if 0 <= y < model.total():
        assert model.offset(index) <= y < model.offset(index + 1)
    else:
        assert index in (0, len(model) - 1)


def test_an_appended_message_is_below_the_others() -> None:
    model = Heights([10.0, 20.0])
    model.total()
    model.append(5.0)
    assert model.offset(2) == 30.0
    assert model.total() == 35.0
