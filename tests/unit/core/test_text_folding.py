"""Folding keeps each character in its place, so that what is found can be marked."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fireside.core.text_folding import composed, fold, spaced


@given(st.text())
def test_folding_gives_one_character_for_one_and_is_done_once(text: str) -> None:
    assert len(fold(text)) == len(composed(text))
    assert len(fold(fold(text))) == len(composed(fold(text)))


def test_capitals_and_accents_fall_away_and_marks_of_kana_stay() -> None:
    assert fold("ÀÉÎõü Łódź ΆΛΦΑ ガ") == "aeiou łodz αλφα ガ"


def test_what_is_written_without_spaces_gets_some() -> None:
    assert spaced("a日本b").split() == ["a", "日", "本", "b"]
