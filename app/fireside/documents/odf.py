"""The text of OpenDocument texts (paragraphs, headings, lists, tables) and presentations (slides, notes)."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from typing import Final

from fireside.core.i18n import Phrase, tr_noop
from fireside.documents.archive import Archive, XmlReader
from fireside.documents.docx_numbering import number
from fireside.documents.extracted_text import FileRefused, TextBuffer, mark_heading, tidy_prose
from fireside.documents.messages import ReadReply, Section, SectionKind
from fireside.documents.odf_lists import BULLET, ListCounter, ListStyles
from fireside.documents.odf_paragraphs import Paragraphs
from fireside.documents.odf_styles import OdfStyles
from fireside.documents.ods import read_sheets
from fireside.documents.table_stack import TableStack

CONTENT: Final = "content.xml"
_STYLES: Final = "styles.xml"
_MANIFEST: Final = "META-INF/manifest.xml"
_TYPE: Final = "application/vnd.oasis.opendocument."
_MAX_FORMULA: Final = 4_000
_MAX_LIST_DEPTH: Final = 8
_SLIDE_FURNITURE: Final = ("date-time", "footer", "header", "page-number")
"""Classes of the frames that are on every slide."""


def read_odf(archive: Archive) -> ReadReply:
    """Return the text of an OpenDocument file. Raises ``FileRefused`` for one that is locked or damaged."""
    kind = archive.read("mimetype").decode("ascii", "replace").strip()
    if not kind.startswith(_TYPE):
        raise FileRefused(tr_noop("it is an archive. Extract it and attach its files."))
    manifest, styles, lists, margins = _Manifest(), OdfStyles(), ListStyles(), _Margins()
    archive.parse(_MANIFEST, manifest)
    if manifest.is_locked:
        raise FileRefused(tr_noop("it is protected by a password."))
    archive.parse(_STYLES, styles)
    archive.parse(CONTENT, styles)
    archive.parse(_STYLES, lists)
    archive.parse(CONTENT, lists)
    if kind.removeprefix(_TYPE).startswith("spreadsheet"):
        return read_sheets(archive, CONTENT, styles=styles, media_type=kind)
    has_paper = kind.removeprefix(_TYPE).startswith("text")
    body = _Body(styles, lists, has_paper=has_paper, objects=lambda name: _object_text(archive, name))
    if has_paper:
        archive.parse(_STYLES, margins)
    archive.parse(CONTENT, body)
    body.end_page()
    headers, footers = (
        [f"[{kind}: {text}]" for text in dict.fromkeys(margins.texts[kind]) if any(map(str.isalpha, text))]
        for kind in ("Header", "Footer")
    )
    n_hidden = len(body.hidden)
    warning = Phrase(tr_noop("{n} of its slides are hidden; their text was read too."), {"n": n_hidden})
    return ReadReply(
        media_type=kind,
        text="\n\n".join(filter(None, (*headers, body.text.rstrip("\n"), *footers))),
        sections=tuple(body.sections),
        hidden=tuple(body.hidden),
        warnings=(warning,) if n_hidden else (),
    )


class _Manifest(XmlReader):
    """Whether the parts are encrypted."""

    def __init__(self) -> None:
        self.is_locked = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        del attributes
        self.is_locked |= tag == "encryption-data"


class _Margins(XmlReader):
    """The headers and footers of the pages, each on one line."""

    def __init__(self) -> None:
        self.texts: dict[str, list[str]] = {"Header": [], "Footer": []}
        self._lines: list[str] = []
        self._paragraphs = Paragraphs(OdfStyles(), self._lines.append)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        kind = tag.partition("-")[0].capitalize()
        if kind in self.texts and "style" not in tag:
            self._lines.clear()
        self._paragraphs.start(tag, attributes)

    def end(self, tag: str) -> None:
        self._paragraphs.end(tag)
        kind = tag.partition("-")[0].capitalize()
        if kind in self.texts and "style" not in tag:
            lines = (" ".join(line.split()) for line in self._lines)
            self.texts[kind].append(" / ".join(filter(None, lines)))

    def characters(self, text: str) -> None:
        self._paragraphs.characters(text)


class _FormulaSource(XmlReader):
    """What a formula was written as."""

    def __init__(self) -> None:
        self.text = ""
        self._is_source = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        del attributes
        self._is_source = tag == "annotation"

    def end(self, tag: str) -> None:
        self._is_source &= tag != "annotation"

    def characters(self, text: str) -> None:
        if self._is_source and len(self.text) < _MAX_FORMULA:
            self.text += text


def _object_text(archive: Archive, address: str) -> str:
    """Return the text of an object: lines for a chart or a spreadsheet, one without its end for a formula."""
    part = posixpath.join(posixpath.normpath(address), CONTENT)
    body = _Body(OdfStyles(), ListStyles(), has_paper=False, objects=lambda _: "")
    archive.parse(part, body)
    body.end_page()
    if body.text.strip():
        return body.text.rstrip("\n") + "\n\n"
    formula = _FormulaSource()
    archive.parse(part, formula)
    return " ".join(formula.text.split())


class _Body(XmlReader):
    def __init__(
        self, styles: OdfStyles, lists: ListStyles, *, has_paper: bool, objects: Callable[[str], str]
    ) -> None:
        self._styles = styles
        self._objects = objects
        """Returns the text of an object within the file by its address: a chart, a formula, a spreadsheet."""
        # Slides have backgrounds of any colour, so white text on them need not be hidden.
        self._paragraphs = Paragraphs(styles if has_paper else OdfStyles(), self._end_paragraph)
        self._out = TextBuffer()
        self._page = TextBuffer()
        """The text of the current slide, or the whole document."""
        self.sections: list[Section] = []
        self.hidden: list[tuple[int, int]] = []
        self._n_pages = 0
        self._is_hidden = False
        self._prefix = ""
        self._is_item = False
        self._lists = ListCounter(lists)
        self._frame_class = ""
        """The presentation class of the enclosing frame: ``title``, ``footer``, …"""
        self._tables = TableStack(self._write)

    @property
    def is_full(self) -> bool:
        return self._out.is_full or self._page.is_full

    @property
    def text(self) -> str:
        return self._out.text

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._paragraphs.start(tag, attributes)
        if self._paragraphs.is_skipping:
            return
        match tag:
            case "page":
                self._n_pages += 1
                style = self._styles.style("drawing-page", attributes.get("style-name", ""))
                self._is_hidden = bool(style.is_hidden)
            case "notes":
                self._page.add("\n\nNotes: ")
            case "frame":
                self._frame_class = attributes.get("class", "")
            case "h":
                level = max(1, number(attributes.get("outline-level", ""), 1))
                mark = self._lists.heading(level, attributes)
                in_list = self._prefix.strip() if self._is_item else ""
                mark = mark or in_list.removeprefix(BULLET)
                self._prefix, self._is_item = mark_heading(level) + (f"{mark} " if mark else ""), False
            case "list":
                self._lists.start_list(attributes)
            case "list-item":
                indent = "  " * min(len(self._lists) - 1, _MAX_LIST_DEPTH)
                self._prefix, self._is_item = f"{indent}{self._lists.mark(attributes)} ", True
            case "table":
                self._tables.start_table()
            case "object":
                text = self._objects(attributes.get("href", ""))
                (self._tables.put if text.endswith("\n") else self._paragraphs.add)(text)
            case _:
                pass

    def end(self, tag: str) -> None:
        if self._paragraphs.is_skipping:
            self._paragraphs.end(tag)
            return
        self._paragraphs.end(tag)
        match tag:
            case "page":
                self.end_page()
            case "frame":
                self._frame_class = ""
            case "list":
                self._lists.end_list()
                if not self._lists:
                    self._tables.put("\n")
            case "list-item":
                self._prefix, self._is_item = "", False
            case "table-cell" | "covered-table-cell":
                self._tables.end_cell()
            case "table-row":
                self._tables.end_row()
            case "table":
                self._tables.end_table()
            case _:
                pass

    def characters(self, text: str) -> None:
        self._paragraphs.characters(text)

    def end_page(self) -> None:
        """Append the current slide, as a numbered section, or the whole document to the text."""
        text, self._page = tidy_prose(self._page.text).removesuffix("Notes: ").rstrip(), TextBuffer()
        if not text:
            return
        start = self._out.n_chars
        if self._n_pages:
            self.sections.append(Section(kind=SectionKind.SLIDE, number=self._n_pages, start=start))
        self._out.add(f"{text}\n\n")
        if self._is_hidden:
            self.hidden.append((start, self._out.n_chars))

    def _end_paragraph(self, text: str) -> None:
        if text.strip() and self._frame_class not in _SLIDE_FURNITURE:
            prefix = mark_heading(1) if self._frame_class == "title" else self._prefix
            self._tables.put(f"{prefix}{text}" + ("\n" if self._is_item else "\n\n"))
            self._prefix = ""

    def _write(self, block: str) -> None:
        self._page.add(block)
