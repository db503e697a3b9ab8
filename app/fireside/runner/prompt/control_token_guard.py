"""Prevent user data from being read as control tokens where a template must see the text itself.

Names, schemas and arguments of tools are data that templates iterate over, so they cannot be placeholders as
messages are. Only what could be read as a control token is replaced by one: a whole token in a text, and the
beginning or end of one at the edge of a text, which the template's own text around it could complete.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from fireside.runner.prompt.text_checks import check_text

Add = Callable[[str], str]
"""Registers a text and returns its placeholder."""


class ControlTokenGuard:
    """Replaces the control tokens of one vocabulary in texts and JSON data by placeholders."""

    def __init__(self, control_tokens: Sequence[str]) -> None:
        tokens = sorted({token for token in control_tokens if token}, key=len, reverse=True)
        self._tokens = re.compile("|".join(map(re.escape, tokens))) if tokens else None
        self._heads = frozenset(token[:n] for token in tokens for n in range(1, len(token)))
        self._tails = frozenset(token[-n:] for token in tokens for n in range(1, len(token)))
        self._all = tuple(tokens)
        self._longest = len(tokens[0]) if tokens else 0

    def text(self, text: str, add: Add) -> str:
        """Return ``text`` with placeholders for all control tokens in it."""
        return self._tokens.sub(lambda match: add(match[0]), text) if self._tokens else text

    def data(self, value: object, add: Add) -> object:
        """Return JSON data with placeholders in all strings, keys included.

        Raises:
            InvalidText: a string contains NUL or a lone surrogate.
        """
        match value:
            case str():
                check_text(value)
                return self._edged(value, add)
            case dict():
                return {self.data(key, add): self.data(item, add) for key, item in value.items()}
            case list():
                return [self.data(item, add) for item in value]
            case _:
                return value

    def _edged(self, text: str, add: Add) -> str:
        if self._tokens is None or not text:
            return text
        if self._is_inside(text):
            return add(text)
        longest = range(min(self._longest, len(text)) - 1, 0, -1)
        n_head = next((n for n in longest if text[:n] in self._tails), 0)
        n_tail = next((n for n in longest if text[-n:] in self._heads), 0)
        n_head, n_tail = _unless_word(text[:n_head]), _unless_word(text[len(text) - n_tail :])
        if n_head + n_tail > len(text):
            return add(text)
        head, middle, tail = text[:n_head], text[n_head : len(text) - n_tail], text[len(text) - n_tail :]
        return (add(head) if head else "") + self.text(middle, add) + (add(tail) if tail else "")

    def _is_inside(self, text: str) -> bool:
        """Whether a control token is ``text`` with something around it, or ``text`` itself."""
        if len(text) > self._longest or not _unless_word(text):
            return False
        return any(text in token for token in self._all)


def _unless_word(edge: str) -> int:
    """Return the length of ``edge``; 0 for a plain word, which no template completes to a control token."""
    return 0 if edge.replace("_", "").isalnum() else len(edge)
