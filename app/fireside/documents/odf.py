"""The text of OpenDocument files: of a text its paragraphs, headings, lists and tables, of a presentation its
slides with their notes."""

from __future__ import annotations

from typing import Final

from fireside.core.i18n import Phrase, tr_noop
from fireside.documents.archive import Archive
from fireside.documents.extracted_text import Extracted, FileRefused, TextBuffer, tidy_prose
from fireside.documents.messages import Section, SectionKind
from fireside.documents.odf_paragraphs import Paragraphs
from fireside.documents.odf_styles import Styles
from fireside.documents.ods import read_sheets

CONTENT: Final = "content.xml"
_STYLES: Final = "styles.xml"
_MANIFEST: Final = "META-INF/manifest.xml"
_TYPE: Final = "application/vnd.oasis.opendocument."
_DEEPEST_LIST: Final = 8
_PAGE_PARTS: Final = ("date-time", "footer", "header", "page-number")
"""What stands on every slide."""


def read_odf(archive: Archive) -> Extracted:
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
    return Extracted(
        media_type=kind,
        text=body.text.rstrip("\n"),
        sections=tuple(body.sections),
        hidden=tuple(body.hidden),
        warnings=(warning,) if n_hidden else (),
    )


class _Manifest:
    """Whether the parts are encrypted."""

    is_full = False

    def __init__(self) -> None:
        self.is_locked = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        del attributes
        self.is_locked |= tag == "encryption-data"

    def end(self, tag: str) -> None:
        """It holds nothing."""

    def characters(self, text: str) -> None:
        """It has no text."""


class _Table:
    """A table that is being read."""

    def __init__(self) -> None:
        self.row: list[str] = []
        self.cell: list[str] = []


class _Body:
    """Writes the text as it goes by."""

    def __init__(self, styles: Styles, *, has_paper: bool) -> None:
        self._styles = styles
        # Slides have grounds of any colour, so what is white on them says nothing.
        self._paragraphs = Paragraphs(styles if has_paper else Styles(), self._end_paragraph)
        self._out = TextBuffer()
        self._page = TextBuffer()
        """What is written of the text, or of the slide, since it began."""
        self.sections: list[Section] = []
        self.hidden: list[tuple[int, int]] = []
        self._n_pages = 0
        self._is_hidden = False
        self._opening = ""
        self._n_lists = 0
        self._frame = ""
        """What the frame around is for."""
        self._tables: list[_Table] = []

    @property
    def is_full(self) -> bool:
        return self._out.is_full or self._page.is_full

    @property
    def text(self) -> str:
        return self._out.text

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._paragraphs.start(tag, attributes)
        if self._paragraphs.is_left_out:
            return
        match tag:
            case "page":
                self._n_pages += 1
                look = self._styles.style("drawing-page", attributes.get("style-name", ""))
                self._is_hidden = bool(look.is_hidden)
            case "notes":
                self._page.add("\n\nNotes: ")
            case "frame":
                self._frame = attributes.get("class", "")
            case "h":
                level = attributes.get("outline-level", "1")
                self._opening = "#" * (min(int(level), 6) if level in "123456789" and level else 1) + " "
            case "list":
                self._n_lists += 1
            case "list-item":
                self._opening = "  " * min(self._n_lists - 1, _DEEPEST_LIST) + "- "
            case "table":
                self._tables.append(_Table())
            case _:
                pass

    def end(self, tag: str) -> None:
        if self._paragraphs.is_left_out:
            self._paragraphs.end(tag)
            return
        self._paragraphs.end(tag)
        match tag:
            case "page":
                self.end_page()
            case "frame":
                self._frame = ""
            case "list":
                self._n_lists -= 1
                if not self._n_lists:
                    self._page.add("\n")
            case "list-item":
                self._opening = ""
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
        """Take over what was written: a whole text, or a slide under its number."""
        text, self._page = tidy_prose(self._page.text).removesuffix("Notes: ").rstrip(), TextBuffer()
        if not text:
            return
        start = self._out.n_chars
        if self._n_pages:
            self.sections.append(Section(kind=SectionKind.SLIDE, number=self._n_pages, start=start))
        self._out.add(f"{text}\n\n")
        if self._is_hidden:
            self.hidden.append((start, self._out.n_chars))

    def _end_paragraph(self, words: str) -> None:
        if self._tables:
            self._tables[-1].cell.append(words)
        elif words.strip() and self._frame not in _PAGE_PARTS:
            opening = "# " if self._frame == "title" else self._opening
            self._page.add(f"{opening}{words}" + ("\n" if opening.endswith("- ") else "\n\n"))
            self._opening = ""
