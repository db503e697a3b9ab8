"""The text of a Word document: paragraphs, headings, lists and tables, without pictures."""

from __future__ import annotations

import re
from typing import Final

from fireside.documents.archive import Archive, XmlReader
from fireside.documents.extracted_text import TextBuffer, mark_heading, mark_hidden, strip_marks, tidy_prose
from fireside.documents.messages import ReadReply

MEDIA_TYPE: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

BODY: Final = "word/document.xml"
_STYLES: Final = "word/styles.xml"
_WHITE: Final = "ffffff"
_TINY: Final = 4
"""Half points; text of at most this size cannot be read."""
_HIDING_PROPERTIES: Final = ("vanish", "sz", "color")
_MAX_BASES: Final = 10
_HEADING: Final = re.compile(r"heading\s*([1-9])$", re.IGNORECASE)


def read_docx(archive: Archive) -> ReadReply:
    """Return the text of a Word document. Raises ``FileRefused`` for a damaged one."""
    styles = _Styles()
    archive.parse(_STYLES, styles)
    body = _Body(styles=styles)
    archive.parse(BODY, body)
    return ReadReply(media_type=MEDIA_TYPE, text=tidy_prose(body.text))


class _Styles(XmlReader):
    """Which styles are headings (by name: ids are in the author's language), and which hide their text."""

    def __init__(self) -> None:
        self.levels: dict[str, int] = {}
        self._style = ""
        self._bases: dict[str, str] = {}
        self._shaded: set[str] = set()
        self._hiding: dict[str, dict[str, bool]] = {}
        """By style, the properties that it sets, and whether each hides text on white paper."""

    def hides(self, style: str, *, is_shaded: bool) -> bool:
        """Return whether text of a style is invisible; a style inherits from the one that it is based on."""
        hiding: dict[str, bool] = {}
        for _ in range(_MAX_BASES):
            hiding = {**self._hiding.get(style, {}), **hiding}
            is_shaded |= style in self._shaded
            style = self._bases.get(style, "")
        if is_shaded:
            hiding.pop("color", None)
        return any(hiding.values())

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "style":
            self._style = attributes.get("styleId", "")
        elif tag == "name" and self._style:
            name = attributes.get("val", "")
            if match := _HEADING.match(name):
                self.levels[self._style] = int(match[1])
            elif name.lower() == "title":
                self.levels[self._style] = 1
        elif tag == "basedOn":
            self._bases[self._style] = attributes.get("val", "")
        elif tag == "shd" and _is_dark(attributes):
            self._shaded.add(self._style)
        elif self._style and tag in _HIDING_PROPERTIES:
            self._hiding.setdefault(self._style, {})[tag] = _hides(tag, attributes.get("val", ""))

    def end(self, tag: str) -> None:
        if tag == "style":
            self._style = ""


class _Body(XmlReader):
    def __init__(self, *, styles: _Styles) -> None:
        self._styles = styles
        self._style = ""
        """Of the current paragraph."""
        self._out = TextBuffer()
        self._paragraph: list[str] = []
        self._prefix = ""
        self._in_text = False
        self._in_run = False
        self._is_hidden = False
        """The run is hidden, tiny, or white on white."""
        self._is_shaded = False
        self._tables: list[list[str]] = []
        """For each enclosing table, the cells of its current row so far."""
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
                self._in_run = True
                self._is_hidden = self._styles.hides(self._style, is_shaded=self._is_shaded)
            case "vanish" | "sz" | "color" if self._in_run:
                value = attributes.get("val", "")
                self._is_hidden |= _hides(tag, value) and not (tag == "color" and self._is_shaded)
            case "rStyle":
                style = attributes.get("val", "")
                self._is_hidden |= self._styles.hides(style, is_shaded=self._is_shaded)
            case "shd":
                self._is_shaded |= _is_dark(attributes)
            case "tab":
                self._paragraph.append("\t")
            case "br" | "cr":
                self._paragraph.append("\n")
            case "noBreakHyphen":
                self._paragraph.append("-")
            case "pStyle":
                self._style = attributes.get("val", "")
                level = self._styles.levels.get(self._style)
                if level is not None:
                    self._prefix = mark_heading(level)
            case "ilvl" if not self._prefix:
                depth = attributes.get("val", "0")
                self._prefix = "  " * min(int(depth) if depth.isdecimal() and len(depth) < 3 else 0, 8) + "- "
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
                self._style = ""
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
            self._paragraph.append(mark_hidden(text) if self._is_hidden else strip_marks(text))

    def _end_paragraph(self) -> None:
        text = "".join(self._paragraph)
        if self._tables:
            self._cell.append(text)
        elif text.strip():
            is_item = self._prefix.endswith("- ")
            self._out.add(f"{self._prefix}{text}" + ("\n" if is_item else "\n\n"))
        self._paragraph, self._prefix = [], ""


def _hides(tag: str, value: str) -> bool:
    """Return whether a run property makes text invisible on white paper."""
    match tag:
        case "vanish":
            return value not in ("0", "false", "off")
        case "sz":
            return value.isdecimal() and len(value) < 4 and int(value) <= _TINY
        case "color":
            return value.lower() == _WHITE
        case _:
            return False


def _is_dark(shading: dict[str, str]) -> bool:
    return shading.get("fill", "auto").lower() not in ("auto", _WHITE)
