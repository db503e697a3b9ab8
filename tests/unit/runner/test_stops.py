"""Text of an answer: whole characters, and nothing of a stop string."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from fireside.runner.stops import AnswerText


def _fed(answer: AnswerText, pieces: list[bytes]) -> str:
    out = []
    for piece in pieces:
        out.append(answer.feed(piece))
        if answer.stopped:
            break
    return "".join(out) + answer.end()


def _cut(encoded: bytes, points: list[int]) -> list[bytes]:
    edges = [0, *sorted(point % (len(encoded) + 1) for point in points), len(encoded)]
    return [encoded[start:end] for start, end in pairwise(edges)]


@settings(max_examples=200)
@given(st.text(), st.lists(st.integers(0, 10_000)))
def test_text_survives_any_cut_into_tokens(text: str, points: list[int]) -> None:
    assert (
        _fed(AnswerText(), _cut(text.encode("utf-8", "replace"), points))
        == text.encode("utf-8", "replace").decode()
    )


@settings(max_examples=200)
@given(st.text("abc", max_size=30), st.lists(st.text("abc", min_size=1, max_size=4), max_size=3), st.data())
def test_an_answer_ends_before_its_first_stop_string(text: str, stop: list[str], data: st.DataObject) -> None:
    """The first in time: the stop string that is complete first, wherever it began."""
    points = data.draw(st.lists(st.integers(0, 30)))
    answer = AnswerText(stop)
    written = _fed(answer, _cut(text.encode(), points))
    assert text.startswith(written)
    assert not any(s in written for s in stop)
    assert answer.stopped == any(s in text for s in stop)
    if not answer.stopped:
        assert written == text


def test_half_a_character_is_held_back() -> None:
    answer = AnswerText()
    llama = "🦙".encode()
    assert [answer.feed(llama[:2]), answer.feed(llama[2:3]), answer.feed(llama[3:])] == ["", "", "🦙"]


def test_bytes_that_are_no_text_become_replacement_characters() -> None:
    assert AnswerText().feed(b"a\xffb") == "a�b"


def test_the_first_bytes_of_a_character_that_never_comes_are_dropped_at_the_end() -> None:
    answer = AnswerText()
    answer.feed("🦙".encode()[:3])
    assert answer.end() == ""


def test_what_may_become_a_stop_string_is_held_back() -> None:
    answer = AnswerText(["\nUser:"])
    assert answer.feed(b"Hi.\nUs") == "Hi."


def test_what_was_held_back_comes_out_when_it_is_no_stop_string() -> None:
    answer = AnswerText(["\nUser:"])
    answer.feed(b"Hi.\nUs")
    assert answer.feed(b" two") == "\nUs two"


def test_what_was_held_back_comes_out_at_the_end() -> None:
    answer = AnswerText(["\nUser:"])
    answer.feed(b"Hi.\nUs")
    assert answer.end() == "\nUs"


def test_nothing_follows_a_stop_string() -> None:
    answer = AnswerText(["END"])
    assert answer.feed(b"one END two") == "one "
    assert answer.end() == ""
