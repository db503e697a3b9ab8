"""The numbers of lists and headings in an OpenDocument text."""

from __future__ import annotations

from typing import Final

import msgspec

from fireside.documents.archive import XmlReader
from fireside.documents.docx_numbering import number
from fireside.documents.numerals import letters, roman

BULLET: Final = "-"
OUTLINE: Final = ""
"""The name of the style that numbers headings."""
_N_LEVELS: Final = 10
_LEVEL_STYLES: Final = ("list-level-style-number", "list-level-style-bullet", "outline-level-style")


class _Level(msgspec.Struct, frozen=True, kw_only=True):
    format: str
    """``1``, ``a``, ``A``, ``i`` or ``I``; empty for no number."""
    prefix: str
    suffix: str
    start: int
    n_shown: int
    """How many levels a number shows: 2 for ``1.2``."""
    is_bullet: bool


class ListStyles(XmlReader):
    """Reads the list styles of ``styles.xml`` and ``content.xml``."""

    def __init__(self) -> None:
        self._levels: dict[str, dict[int, _Level]] = {}
        self._style = OUTLINE

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "list-style":
            self._style = attributes.get("name", "")
            self._levels[self._style] = {}
        elif tag == "outline-style":
            self._style = OUTLINE
        elif tag in _LEVEL_STYLES:
            self._levels.setdefault(self._style, {})[number(attributes.get("level", ""), 1)] = _Level(
                format=attributes.get("num-format", ""),
                prefix=attributes.get("num-prefix", ""),
                suffix=attributes.get("num-suffix", ""),
                start=number(attributes.get("start-value", ""), 1),
                n_shown=number(attributes.get("display-levels", ""), 1),
                is_bullet=tag == "list-level-style-bullet",
            )

    def level(self, style: str, level: int) -> _Level | None:
        """Return how a level, from 1, of a style is numbered, if it is known."""
        return self._levels.get(style, {}).get(level)


class ListCounter:
    """Counts the items of lists, which may be within each other, and headings."""

    def __init__(self, styles: ListStyles) -> None:
        self._styles = styles
        self._open: list[str] = []
        """The styles of the enclosing lists."""
        self._counts: dict[str, dict[int, int]] = {}
        """The last numbers by style and level."""

    def __len__(self) -> int:
        """Return how many lists enclose what comes next."""
        return len(self._open)

    def start_list(self, attributes: dict[str, str]) -> None:
        """Start a list; one within another has its style unless it names one."""
        style = attributes.get("style-name", "") or (self._open[-1] if self._open else "-")
        goes_on = attributes.get("continue-numbering") == "true" or "continue-list" in attributes
        self._open.append(style)
        if not goes_on:
            self._forget(style, len(self._open))

    def end_list(self) -> None:
        """End a list."""
        if self._open:
            self._open.pop()

    def mark(self, attributes: dict[str, str]) -> str:
        """Count an item. Return its number, or ``-`` for one without."""
        if not self._open:
            return BULLET
        return self._count(self._open[-1], len(self._open), attributes.get("start-value", "")) or BULLET

    def heading(self, level: int, attributes: dict[str, str]) -> str:
        """Count a heading. Return its number, empty for none."""
        if attributes.get("is-list-header") == "true":
            return ""
        return self._count(OUTLINE, level, attributes.get("start-value", ""))

    def _count(self, style: str, level: int, start: str) -> str:
        shown = self._styles.level(style, level)
        if shown is None or shown.is_bullet or level > _N_LEVELS:
            return ""
        counts = self._counts.setdefault(style, {})
        counts[level] = number(start, counts.get(level, shown.start - 1) + 1)
        self._forget(style, level + 1)
        if not shown.format:
            return f"{shown.prefix}{shown.suffix}".strip()
        numbers = [
            _numeral(counts.get(each, of.start), of.format)
            for each in range(max(1, level - shown.n_shown + 1), level + 1)
            if (of := self._styles.level(style, each)) is not None and of.format
        ]
        return f"{shown.prefix}{'.'.join(numbers)}{shown.suffix}".strip()

    def _forget(self, style: str, level: int) -> None:
        """Start the numbers of a level and those below it anew."""
        counts = self._counts.get(style, {})
        for each in [each for each in counts if each >= level]:
            del counts[each]


def _numeral(n: int, number_format: str) -> str:
    match number_format[:1]:
        case "a":
            return letters(n)
        case "A":
            return letters(n).upper()
        case "i":
            return roman(n)
        case "I":
            return roman(n).upper()
        case _:
            return str(n)
