"""Syntax highlighting."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pygments.lexers import PythonLexer
from pytestqt.qtbot import QtBot

from fireside.ui.chat.answer.highlight import Lexers, runs, tail_start

LEXER = PythonLexer(stripnl=False, ensurenl=False)


def utf16(text: str) -> bytes:
    return text.encode("utf-16-le")


@given(st.lists(st.sampled_from(["x = 1", "'😀'", "def f():", '"""', "", "  # é", "日本"]), max_size=12))
def test_each_run_lies_inside_its_line_as_qt_counts(lines: list[str]) -> None:
    for line, column, length, _ in runs("\n".join(lines), LEXER):
        assert column + length <= len(utf16(lines[line])) // 2


def test_columns_count_an_emoji_as_two_like_qt() -> None:
    spans = [(column, length) for _, column, length, _ in runs("'😀' + x", LEXER)]
    assert spans[-1] == (7, 1)


@given(st.lists(st.sampled_from(["a", "", "bc"]), min_size=1, max_size=60), st.integers(1, 30))
def test_the_tail_begins_at_the_start_of_a_line(lines: list[str], n_lines: int) -> None:
    text = "\n".join(lines)
    start, line = tail_start(text, n_lines=n_lines)
    assert text[start:].split("\n") == lines[-n_lines:]
    assert line == max(0, len(lines) - n_lines)


@pytest.mark.parametrize("language", ["", "no-such-language", "x" * 5000, "../python"])
def test_an_unknown_language_has_no_lexer(language: str) -> None:
    assert not Lexers().knows(language)


def test_a_language_is_known_by_its_aliases() -> None:
    assert Lexers().knows("PY3")


def test_the_last_line_of_a_diff_is_coloured_like_the_others(qtbot: QtBot) -> None:
    lexers = Lexers()
    qtbot.waitUntil(lambda: lexers.get("diff") is not None, timeout=20_000)
    lexer = lexers.get("diff")
    assert lexer is not None
    kinds = [str(kind) for *_, kind in runs("-a\n+b", lexer)]
    assert kinds == ["Token.Generic.Deleted", "Token.Generic.Inserted"]
