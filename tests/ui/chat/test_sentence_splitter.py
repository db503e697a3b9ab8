"""What is said of text that streams in."""

from __future__ import annotations

from fireside.ui.chat.sentence_splitter import SentenceSplitter


def said(*parts: str) -> list[str]:
    sentences = SentenceSplitter()
    return [*(sentences.add(part) for part in parts), sentences.finish()]


def test_a_sentence_is_said_once_it_is_whole() -> None:
    heard = said("Good ", "day", ". How", " are you? ", "Well")
    assert heard == ["", "", "Good day.", "How are you?", "", "Well"]


def test_languages_without_spaces_are_cut_at_their_own_full_stop() -> None:
    assert said("空は青い。海", "も青い。") == ["空は青い。", "海も青い。", ""]


def test_a_number_with_a_point_is_no_end() -> None:
    assert said("Pi is 3.", "14 or so.\n") == ["", "Pi is 3.14 or so.", ""]


def test_markup_is_not_said() -> None:
    text = "## Sky\n\n- **Blue** [light](https://example.org) `x`.\n"
    assert " ".join(said(text)).split() == ["Sky", "Blue", "light", "x", "."]


def test_code_is_left_out() -> None:
    assert said("So:\n```py\n", "x = 1\n", "```\n", "Done.\n") == ["So:", "", "", "Done.", ""]


def test_what_never_ends_is_said_in_pieces() -> None:
    first, rest = said("word " * 100)
    assert first.count("word") == 100
    assert rest == ""
