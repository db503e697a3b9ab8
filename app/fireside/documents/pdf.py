"""The text of a PDF file, page by page."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from ctypes import byref, c_ulong, create_string_buffer
from itertools import islice
from time import process_time
from typing import Final, NamedTuple

import pypdfium2
from pypdfium2 import raw

from fireside.core.i18n import Phrase, PhraseValue, Translatable, tr_noop
from fireside.core.text_folding import letter_positions
from fireside.documents.archive import MAX_PART_BYTES, XmlReader, parse_xml
from fireside.documents.extracted_text import (
    NO_TEXT,
    FileRefused,
    KeepReading,
    TextBuffer,
    mark_hidden,
    strip_marks,
    tidy,
    tidy_prose,
)
from fireside.documents.messages import MAX_PAGES, TOO_SLOW, Heading, ReadReply, Section, SectionKind
from fireside.documents.pdf_annotations import Insertion, insertions, with_insertions
from fireside.documents.pdf_hidden_text import HiddenText
from fireside.documents.pdf_page_text import corrected_text_of, join_words

MEDIA_TYPE: Final = "application/pdf"
_MAX_CPU_S: Final = 40.0
"""Processor time for the pages of a file; those read until then are kept."""

SCANNED: Final = tr_noop("No text found: its pages are images, as from a scanner.")
_LOCKED: Final = tr_noop("it is protected by a password.")
_DAMAGED: Final = tr_noop("it is damaged.")
_XFA: Final = tr_noop(
    "It is an XFA form, of which only what was filled in was read. Print it to a PDF file and use that."
)


def read_pdf(data: bytes, *, keep: KeepReading = lambda _so_far: None) -> ReadReply:
    """Return the text of a PDF file; ``keep`` is given what returns the pages read so far.

    Raises ``FileRefused`` if it is locked or damaged.
    """
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as exc:
        locked = (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY)
        raise FileRefused(_LOCKED if exc.err_code in locked else _DAMAGED) from exc
    try:
        bookmarks = bookmarks_by_page(document)  # before the forms, whose absence pypdfium2 would log
        document.init_forms()
        if not len(document):
            raise FileRefused(tr_noop("it has no pages."))
        reading = _Reading(document, bookmarks)
        keep(reading.reply)
        reading.read_pages()
        return reading.reply()
    finally:
        document.close()


class _Reading:
    """A file that is being read; what was read so far is always complete in itself."""

    def __init__(self, document: pypdfium2.PdfDocument, bookmarks: Mapping[int, Sequence[Bookmark]]) -> None:
        self._document = document
        self._bookmarks = bookmarks
        self._n_pages = len(document)
        self._is_xfa = document.get_formtype() == raw.FORMTYPE_XFA_FULL  # others have fields on their pages
        self._hidden_text = HiddenText()
        self._n_chars = 0
        self._pages: list[str] = []
        """Their texts; empty for those that have none, or could not be read."""
        self._unread: list[int] = []
        self._scans: list[int] = []
        """Numbers of pages, from 1."""

    def read_pages(self) -> None:
        """Read the pages, up to the limits of their number, their text and the time."""
        deadline = process_time() + _MAX_CPU_S
        for index in range(min(self._n_pages, MAX_PAGES)):
            if TextBuffer.is_over(self._n_chars) or process_time() > deadline:
                break
            text, is_scan = "", True
            try:
                text, is_scan = self._read_page(index)
            except MemoryError:
                raise
            except Exception:  # noqa: BLE001  # the other pages may be sound
                self._unread.append(index + 1)
            if is_scan:
                self._scans.append(index + 1)
            self._n_chars += len(text)
            self._pages.append(text)

    def reply(self) -> ReadReply:
        """Return what was read so far. Raises ``FileRefused`` if no page could be read."""
        pages = join_words(self._pages.copy())
        if not pages:
            raise FileRefused(TOO_SLOW)
        if len(self._unread) == len(pages):
            raise FileRefused(_DAMAGED)
        out = TextBuffer()
        sections: list[Section] = []
        headings: list[Heading] = []
        for index, text in enumerate(pages):
            if not text.strip():
                continue
            start = out.n_chars
            sections.append(Section(kind=SectionKind.PAGE, number=index + 1, start=start))
            headings += headings_of(text, self._bookmarks.get(index, ()), start=start)
            out.add(f"{text}\n\n")
        return ReadReply(
            media_type=MEDIA_TYPE,
            text=out.text.strip("\n"),
            n_pages=self._n_pages,
            sections=tuple(sections),
            headings=tuple(headings),
            scans=tuple(self._scans),
            warnings=tuple(self._warnings(n_read=len(pages), has_text=bool(out.n_chars))),
        )

    def _read_page(self, index: int) -> tuple[str, bool]:
        """Return the text of a page, and whether it is one without text that is not blank."""
        page = self._document[index]
        text_page = page.get_textpage()
        try:
            text = corrected_text_of(text_page)
            hidden = self._hidden_text.spans(page, text_page, text)
            inserted = insertions(self._document, page, text_page, text)
            if self._is_xfa and not index:  # its one page asks for another program
                inserted += [Insertion(len(text.text), value) for value in filled_values(self._document)]
            is_scan = not text.text.strip() and any(page.get_objects(max_depth=1))
            return tidy_prose(_marked(text.text, hidden, inserted)), is_scan
        finally:
            text_page.close()
            page.close()

    def _warnings(self, *, n_read: int, has_text: bool) -> list[Translatable]:
        warnings: list[Translatable] = []
        if not has_text:
            warnings.append(SCANNED if self._scans else NO_TEXT)
        if self._is_xfa:
            warnings.append(_XFA)
        if self._unread:
            warnings.append(_unread_warning(self._unread))
        if n_read < self._n_pages:
            counts: dict[str, PhraseValue] = {"n_read": n_read, "n_pages": self._n_pages}
            is_slow = n_read < MAX_PAGES and not TextBuffer.is_over(self._n_chars)
            warnings.append(
                Phrase(
                    tr_noop("Only the first {n_read} of its {n_pages} pages were read: it takes too long.")
                    if is_slow
                    else tr_noop("Only the first {n_read} of its {n_pages} pages were read."),
                    counts,
                )
            )
        return warnings


def _marked(text: str, hidden: Sequence[tuple[int, int]], inserted: list[Insertion]) -> str:
    """Return a page's text with its hidden parts marked, and what was added to the page in its place."""
    if not hidden:
        return with_insertions(text, inserted)
    pieces: list[str] = []
    done = 0
    for start, end in (*hidden, (len(text) + 1, len(text) + 1)):
        between = [Insertion(at - done, content) for at, content in inserted if done <= at <= start]
        # What lies within hidden text follows it.
        inserted = [Insertion(max(at, end), content) for at, content in inserted if at > start]
        pieces += (with_insertions(text[done:start], between), mark_hidden(text[start:end]))
        done = end
    return "".join(pieces)


def _unread_warning(pages: list[int]) -> Phrase:
    if len(pages) == 1:
        return Phrase(tr_noop("Page {page} could not be read."), {"page": pages[0]})
    listed: PhraseValue = ", ".join(map(str, pages[:5]))
    if len(pages) > 5:
        listed = Phrase(tr_noop("{pages} and others"), {"pages": listed})
    return Phrase(tr_noop("{n} pages could not be read: {pages}."), {"n": len(pages), "pages": listed})


_MAX_BOOKMARKS: Final = 20_000
_MAX_LEVEL: Final = 6
_MAX_TITLE: Final = 200
_MAX_NUMBER: Final = 12
"""Characters before the title on its line, such as the number of a chapter."""


class Bookmark(NamedTuple):
    """A title, and its level from 1."""

    level: int
    title: str


def bookmarks_by_page(document: pypdfium2.PdfDocument) -> Mapping[int, Sequence[Bookmark]]:
    """Return the bookmarks of each page, from 0, in the order of the outline.

    One that leads nowhere belongs to the page of the next one, as a title of several chapters does.
    """
    logging.getLogger("pypdfium2").setLevel(logging.CRITICAL)  # it logs circular outlines
    by_page: dict[int, list[Bookmark]] = defaultdict(list)
    waiting: list[Bookmark] = []
    try:
        for entry in islice(document.get_toc(max_depth=_MAX_LEVEL), _MAX_BOOKMARKS):
            title = " ".join(tidy(strip_marks(entry.get_title())).split())[:_MAX_TITLE]
            if not title:
                continue
            waiting.append(Bookmark(entry.level + 1, title))
            target = entry.get_dest()
            page = target.get_index() if target else None
            if page is not None:
                by_page[page] += waiting
                waiting = []
    except (pypdfium2.PdfiumError, ValueError):
        pass  # what comes before a damaged entry is right
    return by_page


def headings_of(text: str, bookmarks: Sequence[Bookmark], *, start: int) -> Iterator[Heading]:
    """Yield the headings of a page: the lines of its text with the titles of its bookmarks, in order.

    A title that the page does not show, as of one that is an image, has no length. ``start`` is where the
    page's text starts in that of the file.
    """
    letters: str | None = None
    positions: Sequence[int] = ()
    done = 0
    for level, title in bookmarks:
        found = _find(text, text, range(len(text)), title, done)
        if found is None or not found[2]:
            if letters is None:
                letters, positions = letter_positions(text)
            found = _find(text, letters, positions, letter_positions(title)[0], done) or found
        first, done, _ = found or (done, done, False)
        yield Heading(start=start + first, end=start + done, level=level, title=title)


def _find(
    text: str, searched: str, positions: Sequence[int], title: str, done: int
) -> tuple[int, int, bool] | None:
    """Return where a title stands after ``text[done]``, and whether it is on a line of its own, which is
    preferred to one that only begins with it.

    ``positions`` are those in the text of each character of ``searched``.
    """
    begins: tuple[int, int, bool] | None = None
    found = searched.find(title) if title else -1
    while found >= 0:
        start, last = positions[found], positions[found + len(title) - 1]
        line = text.rfind("\n", 0, start) + 1
        found = searched.find(title, found + 1)
        if line < done or start - line > _MAX_NUMBER or sum(map(str.isalpha, text[line:start])) > 1:
            continue
        end = text.find("\n", last) + 1 or len(text)
        if not text[last + 1 : end].strip(" .:\n"):
            return line, end, True
        begins = begins or (line, last + 1, False)
    return begins


_MAX_PACKETS: Final = 100
_MAX_NAME: Final = 100
_RICH_TEXT: Final = frozenset(("body", "html", "p", "span", "b", "i"))
"""Elements of a value that is formatted; it has the name of the field around them."""


def filled_values(document: pypdfium2.PdfDocument) -> list[str]:
    """Return ``[name: value]`` for each field of the form with a value, in order."""
    reader = _Values()
    for packet in _packets(document, "datasets"):
        try:
            parse_xml(packet, reader)
        except FileRefused:  # what comes before the damage is right
            continue
    return reader.found


def _packets(document: pypdfium2.PdfDocument, name: str) -> Iterator[bytes]:
    for index in range(min(raw.FPDF_GetXFAPacketCount(document), _MAX_PACKETS)):
        n_bytes = raw.FPDF_GetXFAPacketName(document, index, None, 0)
        written = create_string_buffer(n_bytes)
        raw.FPDF_GetXFAPacketName(document, index, written, n_bytes)
        if written.value.decode("utf-8", "replace") != name:
            continue
        size = c_ulong()
        raw.FPDF_GetXFAPacketContent(document, index, None, 0, byref(size))
        if 0 < size.value <= MAX_PART_BYTES:
            content = create_string_buffer(size.value)
            raw.FPDF_GetXFAPacketContent(document, index, content, size.value, byref(size))
            yield content.raw


class _Values(XmlReader):
    """The texts of the innermost elements below ``data``."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._open: list[str] = []
        self._text = ""

    def start(self, tag: str, attributes: dict[str, str]) -> None:  # noqa: ARG002
        if self._open or tag == "data":
            self._open.append(tag)
            self._text = ""

    def end(self, tag: str) -> None:  # noqa: ARG002
        if not self._open:
            return
        if value := tidy(strip_marks(self._text)).strip():
            field = next((name for name in reversed(self._open) if name not in _RICH_TEXT), "")
            self.found.append(f"[{field[:_MAX_NAME]}: {value}]")
        self._text = ""
        self._open.pop()

    def characters(self, text: str) -> None:
        self._text += text
