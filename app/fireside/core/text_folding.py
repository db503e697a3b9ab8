"""Text folded for search: case, accents, scripts without spaces; and a text found in another one."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_KANA: Final = range(0x3040, 0x3100)
_ALONE: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
    "\u2600-\u27bf\U0001f000-\U0001faff]"  # emoji
)
"""Characters that are words of their own: scripts without spaces, and emoji."""


class _Folds(dict[int, int]):
    """A translation table that is filled on demand. Each character is mapped to one character."""

    def __missing__(self, code: int) -> int:
        character = chr(code)
        lower = character.casefold()
        if len(lower) != 1:
            lower = character.lower()
        base = lower if code in _KANA else _without_marks(lower)
        folded = next((c for c in (base, lower) if len(c) == 1), character)
        return self.setdefault(code, ord(folded))


_FOLDS: Final = _Folds()


def composed(text: str) -> str:
    """Return ``text`` in NFC: a letter and its accent are one character if possible."""
    return unicodedata.normalize("NFC", text)


def fold(text: str) -> str:
    """Return ``composed(text)`` in lower case without accents, with the same length."""
    return composed(text).translate(_FOLDS)


def spaced(text: str) -> str:
    """Return ``text`` with spaces around each character that is a word of its own."""
    return _ALONE.sub(r" \g<0> ", text)


def is_one_character_word(word: str) -> bool:
    """Return whether ``word`` is one character that is a word of its own."""
    return _ALONE.fullmatch(word) is not None


def is_word_character(character: str) -> bool:
    """Return whether the search index treats ``character`` as part of a word."""
    category = unicodedata.category(character)
    return category[0] in "LMN" or category in ("So", "Co")


def _without_marks(character: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", character) if not unicodedata.combining(c))


def letter_positions(text: str) -> tuple[str, list[int]]:
    """Return the case-folded letters and digits of a text, and the index of each in it.

    PDF libraries differ in spaces, hyphens and ligatures.
    """
    letters: list[str] = []
    positions: list[int] = []
    for index, char in enumerate(text):
        if char.isascii():
            if char.isalnum():
                letters.append(char.lower())
                positions.append(index)
            continue
        for folded in unicodedata.normalize("NFKC", char).casefold():
            if folded.isalnum():
                letters.append(folded)
                positions.append(index)
    return "".join(letters), positions
