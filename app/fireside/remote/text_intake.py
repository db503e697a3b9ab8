"""What comes in of an answer's text, whatever the dialect: counted, bounded, fit to be stored. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from fireside.core.generation import OutputKind, TextDelta

MOST_CALLS: Final = 128
_MOST_CHARACTERS: Final = 16 * 1024 * 1024


class AnswerTooLong(Exception):
    """More than any model writes: the server is faulty."""


class TextIntake:
    """Makes events of pieces of text."""

    def __init__(self) -> None:
        self.n_pieces = 0
        """About as many as tokens, where the server does not count those."""
        self._n_characters = 0

    def deltas(self, pieces: Iterable[tuple[OutputKind, str]]) -> tuple[TextDelta, ...]:
        """Return the events of ``pieces``. Raises ``AnswerTooLong``."""
        deltas = []
        for kind, text in pieces:
            self.n_pieces += 1
            self.count(text)
            # A lone half of a pair cannot be stored; it is a fault of the server's.
            whole = text.encode("utf-8", "replace").decode()
            deltas.append(TextDelta(text=whole, n_completion=self.n_pieces, kind=kind))
        return tuple(deltas)

    def count(self, text: str) -> None:
        """Count text that is not shown, such as a call's. Raises ``AnswerTooLong``."""
        self._n_characters += len(text)
        if self._n_characters > _MOST_CHARACTERS:
            raise AnswerTooLong
