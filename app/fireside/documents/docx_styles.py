"""The styles of a Word document: which are headings, which number their paragraphs, which hide their text."""

from __future__ import annotations

import re
from typing import Final

from fireside.documents.archive import XmlReader
from fireside.documents.docx_numbering import number

_WHITE: Final = "ffffff"
_TINY: Final = 4
"""Half points; text of at most this size cannot be read."""
_HIDING_PROPERTIES: Final = ("vanish", "sz", "color")
_MAX_BASES: Final = 10
_HEADING: Final = re.compile(r"heading\s*([1-9])$", re.IGNORECASE)
OFF: Final = ("0", "false", "off")
"""Values of what is switched on where it stands without one."""
_BODY_TEXT: Final = 9
"""The outline level of text that is no heading."""


class DocxStyles(XmlReader):
    """Reads ``styles.xml``. Headings are known by name or outline level: ids are in the author's language."""

    def __init__(self) -> None:
        self._style = ""
        self._levels: dict[str, int] = {}
        self._lists: dict[str, str] = {}
        self._list_levels: dict[str, int] = {}
        self._bases: dict[str, str] = {}
        self._shaded: set[str] = set()
        self._hiding: dict[str, dict[str, bool]] = {}
        """By style, the properties that it sets, and whether each hides text on white paper."""

    def level(self, style: str) -> int | None:
        """Return the level of a heading, from 1, or ``None`` for a style of other text."""
        level = next(
            (self._levels[each] for each in self._family(style) if each in self._levels), _BODY_TEXT + 1
        )
        return level if level <= _BODY_TEXT else None

    def numbering(self, style: str) -> tuple[str, int] | None:
        """Return the list that a style puts its paragraphs in, and the level in it."""
        family = self._family(style)
        list_id = next((self._lists[each] for each in family if each in self._lists), None)
        level = next((self._list_levels[each] for each in family if each in self._list_levels), 0)
        return None if list_id is None else (list_id, level)

    def hides(self, style: str, *, is_shaded: bool) -> bool:
        """Return whether text of a style is invisible; a style inherits from the one that it is based on."""
        hiding: dict[str, bool] = {}
        for each in self._family(style):
            hiding = {**self._hiding.get(each, {}), **hiding}
            is_shaded |= each in self._shaded
        if is_shaded:
            hiding.pop("color", None)
        return any(hiding.values())

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        value = attributes.get("val", "")
        if tag == "style":
            self._style = attributes.get("styleId", "")
        elif not self._style:
            return
        elif tag == "name":
            if match := _HEADING.match(value):
                self._levels[self._style] = int(match[1])
            elif value.lower() == "title":
                self._levels[self._style] = 1
        elif tag == "outlineLvl":
            self._levels.setdefault(self._style, number(value, _BODY_TEXT) + 1)
        elif tag == "basedOn":
            self._bases[self._style] = value
        elif tag == "numId":
            self._lists[self._style] = value
        elif tag == "ilvl":
            self._list_levels[self._style] = number(value, 0)
        elif tag == "shd" and is_dark(attributes):
            self._shaded.add(self._style)
        elif tag in _HIDING_PROPERTIES:
            self._hiding.setdefault(self._style, {})[tag] = hides(tag, value)

    def end(self, tag: str) -> None:
        if tag == "style":
            self._style = ""

    def _family(self, style: str) -> list[str]:
        """Return a style and those that it is based on."""
        family: list[str] = []
        while style and style not in family and len(family) < _MAX_BASES:
            family.append(style)
            style = self._bases.get(style, "")
        return family


def hides(tag: str, value: str) -> bool:
    """Return whether a run property makes text invisible on white paper."""
    match tag:
        case "vanish":
            return value not in OFF
        case "sz":
            return value.isdecimal() and len(value) < 4 and int(value) <= _TINY
        case "color":
            return value.lower() == _WHITE
        case _:
            return False


def is_dark(shading: dict[str, str]) -> bool:
    """Return whether a shading is another colour than that of paper."""
    return shading.get("fill", "auto").lower() not in ("auto", _WHITE)
