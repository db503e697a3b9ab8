"""Colour code: text and a language to runs of token types, lazily. Pure: no Qt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pygments.lexer import Lexer
from pygments.lexers import find_lexer_class_by_name
from pygments.util import ClassNotFound

MAX_HIGHLIGHTED = 200_000
"""Characters; a longer text stays plain."""

TokenType = Any
"""Pygments' own tuple type, which its stubs leave open."""

Run = tuple[int, int, int, TokenType]
"""Line, column, length, token type."""


def find_lexer(language: str) -> Lexer | None:
    """Return the lexer that answers to ``language``; never guesses."""
    if not language or len(language) > 40:
        return None
    try:
        return find_lexer_class_by_name(language)(stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


def runs(text: str, lexer: Lexer, *, first_line: int = 0) -> Iterator[Run]:
    """Yield coloured runs of ``text``, in order, none across a line end. Columns as Qt counts: UTF-16."""
    if len(text) > MAX_HIGHLIGHTED:
        return
    line, column = first_line, 0
    for token_type, value in lexer.get_tokens(text):
        head, *rest = value.split("\n")
        if head.strip():
            yield line, column, _width(head), token_type
        column += _width(head)
        for part in rest:
            line, column = line + 1, _width(part)
            if part.strip():
                yield line, 0, column, token_type


def _width(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def tail_start(text: str, *, n_lines: int) -> tuple[int, int]:
    """Where the last ``n_lines`` lines begin: the character and the line number."""
    position = len(text)
    for _ in range(n_lines):
        position = text.rfind("\n", 0, position)
        if position < 0:
            return 0, 0
    return position + 1, text.count("\n", 0, position + 1)
