"""Text as users see it: where it may be cut, and which characters are invisible to them."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_ZWJ: Final = "\u200d"
_EXTENDING: Final = re.compile(
    "[\u200c\u200d\uff9e\uff9f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f\u0e33\u0eb3]"
)
"""Characters that belong to the one before them, besides marks."""
_BETWEEN_PICTURES: Final = "\u0308\u200d\ufe0f\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"
"""Characters between the pictures of one emoji."""
_PREPENDED: Final = re.compile("[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\U000110bd\U000110cd]")
"""Characters that belong to the one after them."""
_FLAG_LETTER: Final = re.compile("[\U0001f1e6-\U0001f1ff]")
_HANGUL_LEADS: Final = re.compile("[\u1100-\u115f\ua960-\ua97c]")
_HANGUL_VOWELS: Final = re.compile("[\u1160-\u11a7\ud7b0-\ud7c6]")
_HANGUL_TAILS: Final = re.compile("[\u11a8-\u11ff\ud7cb-\ud7fb]")
_HANGUL_SYLLABLES: Final = range(0xAC00, 0xD7A4)
_N_TAILS: Final = 28
_LONGEST: Final = 100
"""Longer clusters are cut: text may pile up marks without end."""


def cut(text: str, length: int) -> str:
    """Return the beginning of ``text``: whole characters, of at most ``length`` code points."""
    return text[: boundary_before(text, length)]


def boundary_before(text: str, position: int) -> int:
    """Return the last position up to ``position`` at which ``text`` can be cut."""
    if position >= len(text):
        return len(text)
    for place in range(max(0, position), max(0, position - _LONGEST), -1):
        if is_boundary(text, place):
            return place
    return 0 if 0 <= position <= _LONGEST else max(0, position)


def is_boundary(text: str, position: int) -> bool:
    """Return whether ``text`` can be cut at ``position``."""
    if not 0 < position < len(text):
        return True
    before, after = text[position - 1], text[position]
    if before == "\r" and after == "\n":
        return False
    if _is_control(before) or _is_control(after):
        return True
    if _joins_hangul(before, after) or _PREPENDED.match(before):
        return False
    if _EXTENDING.match(after) or unicodedata.category(after) in ("Mn", "Me", "Mc"):
        return False
    if before == _ZWJ and _is_picture(after):
        return not _is_picture(text[max(0, position - _LONGEST) : position].rstrip(_BETWEEN_PICTURES)[-1:])
    if _FLAG_LETTER.match(before) and _FLAG_LETTER.match(after):
        start = position
        while start and _FLAG_LETTER.match(text[start - 1]):
            start -= 1
        return (position - start) % 2 == 0
    return True


def _is_control(char: str) -> bool:
    kind = unicodedata.category(char)
    if kind == "Cf":
        return not (_EXTENDING.match(char) or _PREPENDED.match(char))
    return kind in ("Cc", "Zl", "Zp", "Cs")


def _is_picture(char: str) -> bool:
    return char != "" and unicodedata.category(char) == "So" and not _FLAG_LETTER.match(char)


def _joins_hangul(before: str, after: str) -> bool:
    """Return whether two letters are parts of one syllable."""
    is_after_syllable = ord(after) in _HANGUL_SYLLABLES
    is_before_syllable = ord(before) in _HANGUL_SYLLABLES
    if _HANGUL_LEADS.match(before):
        return bool(_HANGUL_LEADS.match(after) or _HANGUL_VOWELS.match(after) or is_after_syllable)
    is_open = is_before_syllable and (ord(before) - _HANGUL_SYLLABLES.start) % _N_TAILS == 0
    if is_open or _HANGUL_VOWELS.match(before):
        return bool(_HANGUL_VOWELS.match(after) or _HANGUL_TAILS.match(after))
    return bool((is_before_syllable or _HANGUL_TAILS.match(before)) and _HANGUL_TAILS.match(after))


_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]"
    "|[\u200c\u200d]{2,}|[\ufe00-\ufe0f]{2,}"
)
"""Scripts and emoji use single joiners and variation selectors; several in a row may hide a message."""


def without_invisible(text: str) -> str:
    """Return ``text`` without invisible characters."""
    return _INVISIBLE.sub("", text)


def with_invisible_named(text: str) -> str:
    """Return ``text`` with each invisible character replaced by its code point, ``[U+200B]``."""
    return _INVISIBLE.sub(lambda match: "".join(f"[U+{ord(char):04X}]" for char in match[0]), text)
