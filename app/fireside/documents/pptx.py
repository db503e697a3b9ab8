"""The text of a PowerPoint presentation: its slides in order, with charts, notes and comments."""

from __future__ import annotations

import re
from typing import Final

from fireside.core.i18n import Phrase, tr_noop
from fireside.documents.archive import Archive, Relation, XmlReader
from fireside.documents.docx_numbering import number
from fireside.documents.drawings import drawing_text
from fireside.documents.extracted_text import (
    TextBuffer,
    comment_text,
    image_text,
    link_text,
    mark_heading,
    mark_hidden,
    strip_marks,
    tidy_prose,
)
from fireside.documents.messages import ReadReply, Section, SectionKind
from fireside.documents.numerals import numeral
from fireside.documents.office_math import FORMULA, Formula
from fireside.documents.table_stack import TableStack

MEDIA_TYPE: Final = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
PRESENTATION: Final = "ppt/presentation.xml"
_TITLES: Final = ("title", "ctrTitle")
_SLIDE_FURNITURE: Final = ("sldNum", "dt", "ftr", "hdr", "sldImg")
"""Placeholders on every slide: number, date, footer, header; on notes the image of the slide."""
_NUMBERED: Final = re.compile(
    r"(arabic|alphaLc|alphaUc|romanLc|romanUc|circleNum)\w*?(Period|ParenR|ParenBoth|Plain)"
)
_FORMATS: Final = {
    "arabic": "decimal", "alphaLc": "lowerLetter", "alphaUc": "upperLetter", "romanLc": "lowerRoman",
    "romanUc": "upperRoman", "circleNum": "decimalEnclosedCircle",
}  # fmt: skip
_AROUND: Final = {"Period": "{}.", "ParenR": "{})", "ParenBoth": "({})", "Plain": "{}"}
_MAX_INDENT: Final = 8


def read_pptx(archive: Archive, part: str = PRESENTATION) -> ReadReply:
    """Return the text of all slides. Raises ``FileRefused`` for a damaged presentation."""
    order, authors = _Order(), _Comments({})
    archive.parse(part, order)
    relations = archive.relations(part)
    for relation in relations.values():
        if relation.kind in ("commentAuthors", "authors"):
            archive.parse(relation.target, authors)
    out, sections, hidden = TextBuffer(), list[Section](), list[tuple[int, int]]()
    for slide_number, id_ in enumerate(order.ids, start=1):
        text, is_hidden = _slide_text(archive, relations[id_].target if id_ in relations else "", authors)
        if text.strip():
            start = out.n_chars
            sections.append(Section(kind=SectionKind.SLIDE, number=slide_number, start=start))
            out.add(f"{text}\n\n")
            if is_hidden:
                hidden.append((start, out.n_chars))
        if out.is_full:
            break
    n_hidden = len(hidden)
    warning = Phrase(tr_noop("{n} of its slides are hidden; their text was read too."), {"n": n_hidden})
    return ReadReply(
        media_type=MEDIA_TYPE,
        text=out.text.rstrip("\n"),
        sections=tuple(sections),
        hidden=tuple(hidden),
        warnings=(warning,) if n_hidden else (),
    )


def _slide_text(archive: Archive, part: str, authors: _Comments) -> tuple[str, bool]:
    """Return the text of a slide with its notes and comments, and whether it is hidden."""
    relations = archive.relations(part)
    slide, notes, comments = _Slide(archive, relations), _Slide(archive, {}), _Comments(authors.names)
    archive.parse(part, slide)
    for relation in relations.values():
        if relation.kind == "notesSlide":
            archive.parse(relation.target, notes)
        elif relation.kind == "comments":
            archive.parse(relation.target, comments)
    said = f"Notes: {notes.text}" if notes.text else ""
    return "\n\n".join(filter(None, (slide.text, said, "\n".join(comments.texts)))), slide.is_hidden


class _Order(XmlReader):
    """The ids of the relations to the slides, in order."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self._is_list = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "sldIdLst":
            self._is_list = True
        elif tag == "sldId" and self._is_list:
            self.ids.append(attributes.get("id", ""))

    def end(self, tag: str) -> None:
        if tag == "sldIdLst":
            self._is_list = False


class _Comments(XmlReader):
    """The comments on a slide, or the names of all who wrote one, by their ids."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names
        self.texts: list[str] = []
        self._author = ""
        self._pieces: list[str] = []
        self._is_text = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag in ("cmAuthor", "author"):
            self.names[attributes.get("id", "")] = attributes.get("name", "")
        elif tag in ("cm", "reply"):
            self._end()
            self._author = self.names.get(attributes.get("authorId", ""), "")
        self._is_text = tag in ("t", "text")

    def end(self, tag: str) -> None:
        self._is_text = False
        if tag in ("cm", "reply"):
            self._end()
        elif tag == "p":
            self._pieces.append(" ")

    def characters(self, text: str) -> None:
        if self._is_text:
            self._pieces.append(text)

    def _end(self) -> None:
        if text := comment_text("".join(self._pieces), self._author):
            self.texts.append(text)
        self._pieces = []


class _Slide(XmlReader):
    """The text of one slide, or of the notes of one."""

    def __init__(self, archive: Archive, relations: dict[str, Relation]) -> None:
        self._archive = archive
        self._relations = relations
        self._titles: list[str] = []
        self._pieces: list[str] = []
        self.is_hidden = False
        self._tables = TableStack(self._pieces.append)
        self._is_text = False
        self._is_title = False
        self._is_skipped = False
        self._is_shape_hidden = False
        self._line: list[str] = []
        self._link = ""
        self._level = 0
        self._numbered: re.Match[str] | None = None
        """How the paragraph is numbered, if it is."""
        self._first = 1
        self._counts: dict[int, int] = {}
        """The last numbers of the text, by level."""
        self._formula: Formula | None = None

    @property
    def text(self) -> str:
        """Its titles, then what is below them."""
        return tidy_prose("".join((*self._titles, *self._pieces)))

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if self._formula is not None:
            self._formula.start(tag, attributes)
            return
        match tag:
            case "sld":
                self.is_hidden = attributes.get("show") == "0"
            case "cNvPr":
                self._is_shape_hidden = attributes.get("hidden") in ("1", "true")
                if image := image_text(attributes.get("descr", "")):
                    self._put(f"{image}\n")
            case "ph":
                self._is_title = attributes.get("type") in _TITLES
                self._is_skipped = attributes.get("type") in _SLIDE_FURNITURE
            case "tbl":
                self._tables.start_table()
            case "txBody":
                self._counts = {}
            case "p":
                self._level, self._numbered, self._line = 0, None, []
            case "t":
                self._is_text = True
            case "br":
                self._line.append(" " if self._is_title else "\n")
            case "oMath":
                self._formula = Formula()
            case "chart" | "relIds":
                relation = self._relations.get(attributes.get("id", "") or attributes.get("dm", ""))
                if relation is not None and not relation.is_external:
                    self._put(drawing_text(self._archive, relation.target) + "\n")
            case _:
                self._paragraph_property(tag, attributes)

    def _paragraph_property(self, tag: str, attributes: dict[str, str]) -> None:
        match tag:
            case "pPr":
                self._level = number(attributes.get("lvl", ""), 0)
            case "buAutoNum":
                self._numbered = _NUMBERED.match(attributes.get("type", ""))
                self._first = number(attributes.get("startAt", ""), 1)
            case "hlinkClick":
                relation = self._relations.get(attributes.get("id", ""))
                self._link = relation.target if relation is not None and relation.is_external else ""
            case _:
                pass

    def end(self, tag: str) -> None:
        if self._formula is not None:
            if tag == FORMULA:
                self._line.append(self._formula.text)
                self._formula = None
            else:
                self._formula.end(tag)
            return
        match tag:
            case "t":
                self._is_text = False
            case "r" if self._link:
                self._line.append(link_text("".join(self._line), self._link))
                self._link = ""
            case "sp" | "pic" | "graphicFrame":
                self._is_title, self._is_skipped, self._is_shape_hidden = False, False, False
            case "p":
                self._end_paragraph()
            case "tc":
                self._tables.end_cell()
            case "tr":
                self._tables.end_row()
            case "tbl":
                self._tables.end_table()
            case "txBody":
                self._put("\n")
            case _:
                pass

    def characters(self, text: str) -> None:
        if self._formula is not None:
            self._formula.characters(text)
        elif self._is_text and not self._is_skipped:
            self._line.append(mark_hidden(text) if self._is_shape_hidden else strip_marks(text))

    def _end_paragraph(self) -> None:
        text = "".join(self._line)
        self._line = []
        if text.strip():
            self._put(f"{mark_heading(1) if self._is_title else self._mark()}{text}\n")

    def _mark(self) -> str:
        """Count the paragraph. Return its number, empty if it has none."""
        level = self._level
        for below in [each for each in self._counts if each > level]:
            del self._counts[below]
        if self._numbered is None:
            self._counts.pop(level, None)
            return ""
        n = self._counts[level] = self._counts.get(level, self._first - 1) + 1
        text = _AROUND[self._numbered[2]].format(numeral(n, _FORMATS[self._numbered[1]]))
        return "  " * min(level, _MAX_INDENT) + text + " "

    def _put(self, block: str) -> None:
        if self._is_title and not self._tables:
            self._titles.append(block)
        else:
            self._tables.put(block)
