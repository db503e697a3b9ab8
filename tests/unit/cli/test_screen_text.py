"""Nothing that a file, a chat or a server is called leaves its place in a terminal."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fireside.cli.screen import columns, cut, one_line, printable, width_of

BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
texts = st.text(st.one_of(st.characters(), st.sampled_from("\x1b\r\n\t\0\x85\u2028" + BIDI)), max_size=20)


@given(texts)
@example("evil\u202egpj.exe")
@example("two\nlines\r\nand\x85more\u2028")
@example("\x1b]0;title\x07\x1b[2J")
@example("\udcff")
def test_a_name_is_one_line_in_its_own_direction(text: str) -> None:
    line = one_line(text)
    assert len(line.splitlines()) <= 1
    assert not {unicodedata.category(character) for character in line} & {"Cc", "Cs", "Zl", "Zp"}
    assert not set(line) & set(BIDI)
    line.encode()


@given(texts)
def test_an_answer_keeps_its_lines_and_loses_what_controls_the_terminal(text: str) -> None:
    shown = printable(text)
    assert shown.count("\n") == text.count("\n")
    assert not {each for each in shown if unicodedata.category(each) == "Cc"} - {"\n", "\t"}
    assert not set(shown) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@pytest.mark.parametrize("text", ["שלום עולם", "👩‍👩‍👧 family", "नमस्ते", "日本語", "e\u0301", "a\tb\nc"])
def test_text_of_every_script_is_shown_as_it_is(text: str) -> None:
    assert printable(text) == text


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=5))
@example([("日本語モデル", "1"), ("abc", "2")])
@example([("👨‍👩‍👧", "1"), ("e\u0301e\u0301", "2")])
def test_columns_are_aligned_by_what_a_terminal_shows(rows: list[tuple[str, str]]) -> None:
    lines = columns([(first, "|", second) for first, second in rows]).split("\n")[:-1]
    assert len(lines) == len(rows)
    width = max(width_of(one_line(first)) for first, _ in rows)
    for line, (first, _) in zip(lines, rows, strict=True):
        assert line.startswith(one_line(first) + " " * (width - width_of(one_line(first))) + "  |")


def test_wide_characters_are_aligned() -> None:
    assert columns([("日本", "1"), ("abcde", "22")], numbers=(1,)) == "日本    1\nabcde  22\n"


@given(texts, st.integers(1, 20))
def test_a_cut_line_fits(text: str, width: int) -> None:
    line = one_line(text)
    assert line.startswith(cut(line, width=width))
    assert width_of(cut(line, width=width)) <= width
