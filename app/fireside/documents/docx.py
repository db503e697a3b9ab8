"""The text of a Word document: paragraphs, headings, lists, tables. Read as a stream, without pictures."""

from __future__ import annotations

import re
from typing import Final

from fireside.documents.archive import Archive
from fireside.documents.extracted import Found, Gathering, hidden_words, tidy_prose, unmarked

MEDIA_TYPE: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

BODY: Final = "word/document.xml"
_STYLES: Final = "word/styles.xml"
_WHITE: Final = "ffffff"
_TINY: Final = 4
"""Half points."""
_HEADING: Final = re.compile(r"heading\s*([1-9])$", re.IGNORECASE)


def read_docx(archive: Archive) -> Found:
    """Return the text of a Word document. Raises ``Refused`` for a damaged one."""
    styles = _Styles()
    archive.parse(_STYLES, styles)
    body = _Body(levels=styles.levels)
    archive.parse(BODY, body)
    return Found(media_type=MEDIA_TYPE, text=tidy_prose(body.text))


class _Styles:
    """Which styles are headings: Word's ids are in the language of its author."""

    def __init__(self) -> None:
        self.levels: dict[str, int] = {}
        self._style = ""

    @property
    def is_full(self) -> bool:
        return False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "style":
            self._style = attributes.get("styleId", "")
        elif tag == "name" and self._style:
            name = attributes.get("val", "")
            if match := _HEADING.match(name):
                self.levels[self._style] = int(match[1])
            elif name.lower() == "title":
                self.levels[self._style] = 1

    def end(self, tag: str) -> None:
        if tag == "style":
            self._style = ""

    def characters(self, text: str) -> None:
        """Styles have no text."""


class _Body:
    """Writes the text as it goes by."""

    def __init__(self, *, levels: dict[str, int]) -> None:
        self._levels = levels
        self._out = Gathering()
        self._paragraph: list[str] = []
        self._opening = ""
        self._in_text = False
        self._in_run = False
        self._is_hidden = False
        """The run is not shown: so it says, or it is too small, or white on white."""
        self._is_shaded = False
        self._tables: list[list[str]] = []
        """For each table around, the cells of the row so far."""
        self._cell: list[str] = []

    @property
    def is_full(self) -> bool:
        return self._out.is_full

    @property
    def text(self) -> str:
        return self._out.text

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        match tag:
            case "t":
                self._in_text = True
            case "r":
                self._in_run, self._is_hidden = True, False
            case "vanish" | "sz" | "color" if self._in_run:
                self._is_hidden |= self._hides(tag, attributes.get("val", ""))
            case "shd":
                self._is_shaded |= attributes.get("fill", "auto").lower() not in ("auto", _WHITE)
            case "tab":
                self._paragraph.append("\t")
            case "br" | "cr":
                self._paragraph.append("\n")
            case "noBreakHyphen":
                self._paragraph.append("-")
            case "pStyle":
                level = self._levels.get(attributes.get("val", ""))
                if level is not None:
                    self._opening = "#" * min(level, 6) + " "
            case "ilvl" if not self._opening:
                depth = attributes.get("val", "0")
                self._opening = (
                    "  " * min(int(depth) if depth.isdecimal() and len(depth) < 3 else 0, 8) + "- "
                )
            case "tbl":
                self._tables.append([])
            case "tr" if self._tables:
                self._tables[-1] = []
            case _:
                pass

    def end(self, tag: str) -> None:
        match tag:
            case "t":
                self._in_text = False
            case "r":
                self._in_run = False
            case "p":
                self._end_paragraph()
                self._is_shaded &= bool(self._tables)
            case "tc" if self._tables:
                self._is_shaded = False
                self._tables[-1].append(" ".join(" ".join(self._cell).split()))
                self._cell = []
            case "tr" if self._tables:
                self._out.add(" | ".join(self._tables[-1]) + "\n")
            case "tbl" if self._tables:
                self._tables.pop()
                self._out.add("\n")
            case _:
                pass

    def characters(self, text: str) -> None:
        if self._in_text:
            self._paragraph.append(hidden_words(text) if self._is_hidden else unmarked(text))

    def _hides(self, tag: str, value: str) -> bool:
        """Tell whether a property of a run keeps readers from seeing it."""
        if tag == "vanish":
            return value not in ("0", "false", "off")
        if tag == "sz":
            return value.isdecimal() and len(value) < 4 and int(value) <= _TINY
        return value.lower() == _WHITE and not self._is_shaded

    def _end_paragraph(self) -> None:
        words = "".join(self._paragraph)
        if self._tables:
            self._cell.append(words)
        elif words.strip():
            is_item = self._opening.endswith("- ")
            self._out.add(f"{self._opening}{words}" + ("\n" if is_item else "\n\n"))
        self._paragraph, self._opening = [], ""
