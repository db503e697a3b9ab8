"""The numbers and marks of lists in a Word document, counted as Word counts."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from fireside.documents.archive import XmlReader
from fireside.documents.numerals import numeral

BULLET: Final = "-"
_N_LEVELS: Final = 9
_REFERENCE: Final = re.compile(r"%([1-9])")
_PLAIN: Final = ("none", "bullet")


class _Level(msgspec.Struct, kw_only=True):
    start: int = 1
    format: str = "decimal"
    text: str = ""
    restart: int | None = None
    """The level, from 1, whose numbers start this one anew; 0 for none, ``None`` for each above."""
    is_legal: bool = False
    """All numbers are written in digits."""


class _List(msgspec.Struct, kw_only=True):
    """A list (``w:num``): a definition, and what it sets anew."""

    definition: str = ""
    starts: dict[int, int] = {}
    levels: dict[int, _Level] = {}


class Numbering(XmlReader):
    """Reads ``numbering.xml``, then gives each paragraph of a list its mark."""

    def __init__(self) -> None:
        self._definitions: dict[str, dict[int, _Level]] = {}
        self._by_style: dict[str, str] = {}
        """Definitions by the numbering style that they are for."""
        self._links: dict[str, str] = {}
        """Numbering styles of the definitions that only refer to one."""
        self._lists: dict[str, _List] = {}
        self._counts: dict[str, dict[int, int]] = {}
        """The last numbers of each definition, by level."""
        self._started: set[tuple[str, int]] = set()
        self._definition = ""
        self._list = ""
        self._index = 0
        self._level = _Level()

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        value = attributes.get("val", "")
        match tag:
            case "abstractNum":
                self._definition, self._list = attributes.get("abstractNumId", ""), ""
                self._definitions[self._definition] = {}
            case "num":
                self._list = attributes.get("numId", "")
                self._lists[self._list] = _List()
            case "abstractNumId" if self._list:
                self._lists[self._list].definition = value
            case "styleLink":
                self._by_style[value] = self._definition
            case "numStyleLink":
                self._links[self._definition] = value
            case "lvlOverride":
                self._index = number(attributes.get("ilvl", ""), 0)
            case "startOverride" if self._list:
                self._lists[self._list].starts[self._index] = number(value, 1)
            case "lvl":
                self._index, self._level = number(attributes.get("ilvl", ""), 0), _Level()
                levels = self._lists[self._list].levels if self._list else None
                levels = self._definitions.get(self._definition) if levels is None else levels
                if levels is not None and self._index < _N_LEVELS:
                    levels[self._index] = self._level
            case _:
                self._set(tag, value, is_on=value not in ("0", "false", "off"))

    def _set(self, tag: str, value: str, *, is_on: bool) -> None:
        match tag:
            case "start":
                self._level.start = number(value, 1)
            case "numFmt":
                self._level.format = value
            case "lvlText":
                self._level.text = value
            case "lvlRestart":
                self._level.restart = number(value, 0)
            case "isLgl":
                self._level.is_legal = is_on
            case _:
                pass

    def mark(self, list_id: str, index: int) -> str | None:
        """Count one paragraph of a list at a level from 0. Return its number or ``-``, if any."""
        one = self._lists.get(list_id)
        if one is None:
            return BULLET
        definition = one.definition
        if definition in self._links:
            definition = self._by_style.get(self._links[definition], definition)
        levels = {**self._definitions.get(definition, {}), **one.levels}
        level = levels.get(index)
        if level is None:
            return BULLET
        counts = self._counts.setdefault(definition, {})
        if index in one.starts and (list_id, index) not in self._started:
            counts[index] = one.starts[index]
        else:
            counts[index] = counts[index] + 1 if index in counts else level.start
        self._started.add((list_id, index))
        for below in [each for each in counts if each > index]:
            restart = levels[below].restart if below in levels else None
            if restart is None or index < restart:
                del counts[below]
        if level.format in _PLAIN:
            return BULLET if level.format == "bullet" and level.text else level.text.strip() or None
        return (
            _REFERENCE.sub(lambda found: self._number(found, levels, counts, level), level.text).strip()
            or None
        )

    @staticmethod
    def _number(found: re.Match[str], levels: dict[int, _Level], counts: dict[int, int], of: _Level) -> str:
        index = int(found[1]) - 1
        level = levels.get(index, _Level())
        n = counts.setdefault(index, level.start)
        return str(n) if of.is_legal else numeral(n, level.format)


def number(text: str, default: int) -> int:
    """Return a short whole number of a file's attribute, ``default`` for anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else default
