"""Text is cut before the first stop string."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from fireside.runner.output.output_stream import StopMatcher


def _fed(matcher: StopMatcher, pieces: list[str]) -> str:
    out = []
    for piece in pieces:
        out.append(matcher.feed(piece))
        if matcher.found:
            break
    return "".join(out) + matcher.release()


def _cut(text: str, points: list[int]) -> list[str]:
    edges = [0, *sorted(point % (len(text) + 1) for point in points), len(text)]
    return [text[start:end] for start, end in pairwise(edges)]


@given(
    st.text("abc", max_size=30),
    st.lists(st.text("abc", min_size=1, max_size=4), max_size=3),
    st.lists(st.integers(0, 30)),
)
def test_text_ends_before_the_first_stop_string(text: str, stop: list[str], points: list[int]) -> None:
    """The first stop string to be complete, wherever it began."""
    matcher = StopMatcher(stop)
    output = _fed(matcher, _cut(text, points))
    assert text.startswith(output)
    assert not any(s in output for s in stop)
    assert bool(matcher.found) == any(s in text for s in stop)
    assert text.startswith(output + matcher.found)
    if not matcher.found:
        assert output == text


def test_possible_stop_string_is_held_back() -> None:
    assert StopMatcher(["\nUser:"]).feed("Hi.\nUs") == "Hi."


def test_only_a_possible_stop_string_is_held_back() -> None:
    assert StopMatcher(["\nUser:"]).feed("Hi.\n\nUs") == "Hi.\n"


def test_held_text_is_released_once_it_is_no_stop_string() -> None:
    matcher = StopMatcher(["\nUser:"])
    matcher.feed("Hi.\nUs")
    assert matcher.feed(" two") == "\nUs two"


def test_held_text_is_released_at_the_end() -> None:
    matcher = StopMatcher(["\nUser:"])
    matcher.feed("Hi.\nUs")
    assert matcher.release() == "\nUs"


def test_nothing_follows_a_stop_string() -> None:
    matcher = StopMatcher(["END"])
    assert matcher.feed("one END two") == "one "
    assert matcher.release() == ""
