"""The format codes of workbooks and charts (ECMA-376 Part 1, 18.8.31), as what they consist of."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from typing import Final

import msgspec

MAX_SECTIONS: Final = 4
_TOKEN: Final = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.?)|_(?P<space>.?)|\*(?P<fill>.?)|'
    r"(?P<elapsed>\[(?:h+|m+|s+)\])|\[(?P<bracket>[^\]]*)\]?|(?P<general>general)|(?P<noon>am/pm|a/p)|"
    r"(?P<date>y+|m+|d+|h+|s+|e+|b+|g+)|(?P<exponent>e[+-])|(?P<digit>[0#?])|(?P<mark>[.,%/@])|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_EXPONENT: Final = re.compile(r"e[+-]", re.IGNORECASE)
_CONDITION: Final = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?\d{1,15}(?:\.\d{1,15})?)$")
_SECTION: Final = re.compile(r'(?:"[^"]*"?|\\.|_.|\*.|\[[^\]]*\]?|[^;])*', re.DOTALL)


class Token(msgspec.Struct, frozen=True):
    """A piece of a code."""

    kind: str
    """``text``, ``general``, ``date``, ``elapsed``, ``noon``, ``digit``, ``exponent``, or a mark."""
    text: str


class FormatSection(msgspec.Struct, frozen=True, kw_only=True):
    """One of the up to four parts of a code: for positive and negative numbers, zero, and text."""

    tokens: tuple[Token, ...]
    condition: tuple[str, Decimal] | None = None

    def has(self, *kinds: str) -> bool:
        """Return whether a token is of one of these kinds."""
        return any(token.kind in kinds for token in self.tokens)

    def holds(self, number: Decimal) -> bool:
        """Return whether ``number`` meets the condition of the section."""
        if self.condition is None:
            return False
        sign, other = self.condition
        return {
            "<": number < other, ">": number > other, "=": number == other,
            "<=": number <= other, ">=": number >= other, "<>": number != other,
        }[sign]  # fmt: skip


@lru_cache(maxsize=1_000)
def sections_of(code: str) -> tuple[FormatSection, ...]:
    """Return the sections of a code."""
    texts: list[str] = []
    position = 0
    while position <= len(code) and len(texts) < MAX_SECTIONS:
        match = _SECTION.match(code, position)
        assert match is not None  # it matches the empty text
        texts.append(match[0])
        position = match.end() + 1
    return tuple(_parsed(text) for text in texts)


def _parsed(text: str) -> FormatSection:
    tokens: list[Token] = []
    condition: tuple[str, Decimal] | None = None
    position = 0
    is_number = False
    while match := _TOKEN.match(text, position):
        kind, found, position = match.lastgroup or "", match[match.lastgroup or 0] or "", match.end()
        if kind == "date" and found[0] in "eE" and _EXPONENT.match(text, match.start()) and is_number:
            kind, found, position = "exponent", text[match.start() : match.start() + 2], match.start() + 2
        is_number |= kind == "digit"
        if kind == "bracket":
            if limit := _CONDITION.match(found):
                condition = (limit[1], Decimal(limit[2]))
            elif found.startswith("$"):
                tokens.append(Token("text", found[1:].partition("-")[0]))
        elif kind == "space":
            tokens.append(Token("text", " "))
        elif kind == "mark":
            tokens.append(Token(found, found))
        elif kind in ("quoted", "escaped", "other"):
            tokens.append(Token("text", found))
        elif kind != "fill":
            tokens.append(Token(kind, found.lower().strip("[]") if kind in ("date", "elapsed") else found))
    return FormatSection(tokens=tuple(tokens), condition=condition)


def section_for(number: Decimal, sections: tuple[FormatSection, ...]) -> tuple[FormatSection | None, bool]:
    """Return the section for a number, if any, and whether its sign is written in front."""
    numeric = sections[:3]
    if len(sections) < MAX_SECTIONS and sections[-1].has("@"):
        numeric = sections[:-1]
    if not numeric:  # for texts alone
        return (sections[-1] if len(sections) > 1 else None), number < 0
    first = numeric[0]
    second = numeric[1] if len(numeric) > 1 else first
    if first.condition or second.condition:
        for section in (first, second):
            if section.holds(number):
                return section, number < 0 and section is first
        last = numeric[2] if len(numeric) > 2 else second
        return last, number < 0
    if number < 0:
        return second, second is first or second.has("general")
    return (numeric[2] if len(numeric) > 2 and not number else first), False
