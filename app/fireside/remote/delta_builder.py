"""Build text events of an answer in any dialect: counted, bounded and valid Unicode. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from fireside.core.generation import OutputKind, TextDelta

MAX_CALLS: Final = 128
_MAX_CHARACTERS: Final = 16 * 1024 * 1024


class AnswerTooLong(Exception):
    """An answer is longer than any model's: the server is faulty."""


class DeltaBuilder:
    """Builds events of pieces of text."""

    def __init__(self) -> None:
        self.n_pieces = 0
        """An estimate of the tokens, if the server sends no usage."""
        self._n_characters = 0

    def deltas(self, pieces: Iterable[tuple[OutputKind, str]]) -> tuple[TextDelta, ...]:
        """Return the events of ``pieces``. Raises ``AnswerTooLong``."""
        deltas = []
        for kind, text in pieces:
            self.n_pieces += 1
            self.count(text)
            # A lone surrogate cannot be stored; the server is faulty.
            valid = text.encode("utf-8", "replace").decode()
            deltas.append(TextDelta(text=valid, n_completion=self.n_pieces, kind=kind))
        return tuple(deltas)

    def count(self, text: str) -> None:
        """Count text that makes no event, such as a tool call's. Raises ``AnswerTooLong``."""
        self._n_characters += len(text)
        if self._n_characters > _MAX_CHARACTERS:
            raise AnswerTooLong
