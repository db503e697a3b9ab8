"""Overlong words are split before a tokenizer gets them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fireside.runner.vocab import MAX_RUN_CHARS, cut_long_runs


@given(st.lists(st.tuples(st.sampled_from(["a", " ", "\n", "é"]), st.integers(1, 10_000)), max_size=6))
def test_splitting_loses_nothing(runs: list[tuple[str, int]]) -> None:
    text = "".join(char * n for char, n in runs)
    assert "".join(cut_long_runs(text)) == text


@pytest.mark.parametrize("char", ["a", " ", "\n"])
def test_no_part_contains_a_longer_run(char: str) -> None:
    parts = cut_long_runs(f"some words {char * 50_000} and more")
    longest = max(len(run) for part in parts for run in re.findall(r"\S+|\s+", part))
    assert longest <= MAX_RUN_CHARS


def test_ordinary_text_stays_whole() -> None:
    text = "an ordinary sentence, repeated. " * 5000
    assert cut_long_runs(text) == [text]
