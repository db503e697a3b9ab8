"""Syntax highlighting with Pygments: text and language to runs of token types, lazily. Pure: no Qt."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fireside.ui.utf16 import utf16_length

if TYPE_CHECKING:
    from pygments.lexer import Lexer

MAX_HIGHLIGHTED = 200_000
"""Characters; a longer text stays plain."""

TokenType = Any
"""Pygments' own tuple type, which its stubs leave open."""

Run = tuple[int, int, int, TokenType]
"""Line, column, length, token type."""


_DIFF = "diff"


class Lexers:
    """Finds lexers by name, without guessing from the text.

    The first lexer of a language takes up to 100 ms, most of it compiling expressions, so that happens in a
    thread. Only lexers that come with Pygments are used, none of installed plug-ins.
    """

    def __init__(self) -> None:
        self._classes: dict[str, type[Lexer]] = {}
        self._started: set[str] = set()

    @cached_property
    def _names(self) -> dict[str, str]:
        from pygments.lexers import get_all_lexers

        return {alias: aliases[0] for _, aliases, _, _ in get_all_lexers(plugins=False) for alias in aliases}

    def knows(self, language: str) -> bool:
        """Return whether there is a lexer for ``language``."""
        return language.lower() in self._names

    def get(self, language: str) -> Lexer | None:
        """Return a new lexer, or ``None`` while its class is being loaded: call again later."""
        name = self._names[language.lower()]
        lexer_class = self._classes.get(name)
        if lexer_class is not None:
            # While streaming, no final line end is added, except for diff, which lexes only complete lines.
            return lexer_class(stripnl=False, ensurenl=name == _DIFF)
        if name not in self._started:
            self._started.add(name)
            threading.Thread(target=self._load, args=(name,), name=f"lexer {name}", daemon=True).start()
        return None

    def _load(self, name: str) -> None:
        from pygments.lexers import find_lexer_class_by_name

        lexer_class = find_lexer_class_by_name(name)
        lexer_class()  # the first instance compiles the expressions
        self._classes[name] = lexer_class


def runs(text: str, lexer: Lexer, *, first_line: int = 0) -> Iterator[Run]:
    """Yield the runs of ``text``, in order, none across a line end; columns in UTF-16 code units as in Qt."""
    if len(text) > MAX_HIGHLIGHTED:
        return
    line, column = first_line, 0
    for token_type, value in lexer.get_tokens(text):
        head, *rest = value.split("\n")
        if head.strip():
            yield line, column, utf16_length(head), token_type
        column += utf16_length(head)
        for part in rest:
            line, column = line + 1, utf16_length(part)
            if part.strip():
                yield line, 0, column, token_type


def tail_start(text: str, *, n_lines: int) -> tuple[int, int]:
    """Return where the last ``n_lines`` lines begin, as character index and line number."""
    position = len(text)
    for _ in range(n_lines):
        position = text.rfind("\n", 0, position)
        if position < 0:
            return 0, 0
    return position + 1, text.count("\n", 0, position + 1)
