"""The text of OpenDocument texts (paragraphs, headings, lists, tables) and presentations (slides, notes)."""

from __future__ import annotations

from typing import Final

from fireside.core.i18n import Phrase, tr_noop
from fireside.documents.archive import Archive, XmlReader
from fireside.documents.extracted_text import FileRefused, TextBuffer, mark_heading, tidy_prose
from fireside.documents.messages import ReadReply, Section, SectionKind
from fireside.documents.odf_paragraphs import Paragraphs
from fireside.documents.odf_styles import Styles
from fireside.documents.ods import read_sheets

CONTENT: Final = "content.xml"
_STYLES: Final = "styles.xml"
_MANIFEST: Final = "META-INF/manifest.xml"
_TYPE: Final = "application/vnd.oasis.opendocument."
_MAX_LIST_DEPTH: Final = 8
_SLIDE_FURNITURE: Final = ("date-time", "footer", "header", "page-number")
"""Classes of the frames that are on every slide."""


def read_odf(archive: Archive) -> ReadReply:
    """Return the text of an OpenDocument file. Raises ``FileRefused`` for one that is locked or damaged."""
    kind = archive.read("mimetype").decode("ascii", "replace").strip()
    if not kind.startswith(_TYPE):
        raise FileRefused(tr_noop("it is an archive. Extract it and attach its files."))
    manifest, styles = _Manifest(), Styles()
    archive.parse(_MANIFEST, manifest)
    if manifest.is_locked:
        raise FileRefused(tr_noop("it is protected by a password."))
    archive.parse(_STYLES, styles)
    archive.parse(CONTENT, styles)
    if kind.removeprefix(_TYPE).startswith("spreadsheet"):
        return read_sheets(archive, CONTENT, styles=styles, media_type=kind)
    body = _Body(styles, has_paper=kind.removeprefix(_TYPE).startswith("text"))
    archive.parse(CONTENT, body)
    body.end_page()
    n_hidden = len(body.hidden)
    warning = Phrase(tr_noop("{n} of its slides are hidden; their text was read too."), {"n": n_hidden})
    return ReadReply(
        media_type=kind,
        text=body.text.rstrip("\n"),
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


class _Table:
    """The current row and cell of a table."""

    def __init__(self) -> None:
        self.row: list[str] = []
        self.cell: list[str] = []


class _Body(XmlReader):
    def __init__(self, styles: Styles, *, has_paper: bool) -> None:
        self._styles = styles
        # Slides have backgrounds of any colour, so white text on them need not be hidden.
        self._paragraphs = Paragraphs(styles if has_paper else Styles(), self._end_paragraph)
        self._out = TextBuffer()
        self._page = TextBuffer()
        """The text of the current slide, or the whole document."""
        self.sections: list[Section] = []
        self.hidden: list[tuple[int, int]] = []
        self._n_pages = 0
        self._is_hidden = False
        self._prefix = ""
        self._n_lists = 0
        self._frame_class = ""
        """The presentation class of the enclosing frame: ``title``, ``footer``, …"""
        self._tables: list[_Table] = []

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
                level = attributes.get("outline-level", "1")
                self._prefix = mark_heading(int(level) if level in "123456789" and level else 1)
            case "list":
                self._n_lists += 1
            case "list-item":
                self._prefix = "  " * min(self._n_lists - 1, _MAX_LIST_DEPTH) + "- "
            case "table":
                self._tables.append(_Table())
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
                self._n_lists -= 1
                if not self._n_lists:
                    self._page.add("\n")
            case "list-item":
                self._prefix = ""
            case "table-cell" | "covered-table-cell" if self._tables:
                table = self._tables[-1]
                table.row.append(" ".join(" ".join(table.cell).split()))
                table.cell = []
            case "table-row" if self._tables:
                self._page.add(" | ".join(self._tables[-1].row) + "\n")
                self._tables[-1].row = []
            case "table" if self._tables:
                self._tables.pop()
                self._page.add("\n")
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
        if self._tables:
            self._tables[-1].cell.append(text)
        elif text.strip() and self._frame_class not in _SLIDE_FURNITURE:
            prefix = mark_heading(1) if self._frame_class == "title" else self._prefix
            self._page.add(f"{prefix}{text}" + ("\n" if prefix.endswith("- ") else "\n\n"))
            self._prefix = ""
