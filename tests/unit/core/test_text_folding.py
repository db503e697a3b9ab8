"""Folding keeps each character in its place, so that what is found can be marked."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fireside.core.text_folding import composed, fold, spaced


@given(st.text())
def test_folding_keeps_the_length_and_is_idempotent(text: str) -> None:
    assert len(fold(text)) == len(composed(text))
    assert len(fold(fold(text))) == len(composed(fold(text)))


def test_folding_removes_case_and_accents_but_not_kana_marks() -> None:
    assert fold("ÀÉÎõü Łódź ΆΛΦΑ ガ") == "aeiou łodz αλφα ガ"


def test_scripts_without_spaces_get_spaces() -> None:
    assert spaced("a日本b").split() == ["a", "日", "本", "b"]
