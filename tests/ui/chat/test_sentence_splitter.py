"""Sentences of streamed text for screen readers."""

from __future__ import annotations

from fireside.ui.chat.transcript.transcript import SentenceSplitter


def announced(*parts: str) -> list[str]:
    sentences = SentenceSplitter()
    return [*(sentences.add(part) for part in parts), sentences.finish()]


def test_a_sentence_is_returned_once_complete() -> None:
    heard = announced("Good ", "day", ". How", " are you? ", "Well")
    assert heard == ["", "", "Good day.", "How are you?", "", "Well"]


def test_languages_without_spaces_are_split_at_their_full_stop() -> None:
    assert announced("空は青い。海", "も青い。") == ["空は青い。", "海も青い。", ""]


def test_a_decimal_point_does_not_end_a_sentence() -> None:
    assert announced("Pi is 3.", "14 or so.\n") == ["", "Pi is 3.14 or so.", ""]


def test_markup_is_removed() -> None:
    text = "## Sky\n\n- **Blue** [light](https://example.org) `x`.\n"
    assert " ".join(announced(text)).split() == ["Sky", "Blue", "light", "x", "."]


def test_code_blocks_are_omitted() -> None:
    assert announced("So:\n```py\n", "x = 1\n", "```\n", "Done.\n") == ["So:", "", "", "Done.", ""]


def test_an_endless_sentence_is_split() -> None:
    first, rest = announced("word " * 100)
    assert first.count("word") == 100
    assert rest == ""
