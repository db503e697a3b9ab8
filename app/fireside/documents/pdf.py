"""The text of a PDF file, page by page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import process_time
from typing import Final

import pypdfium2
from pypdfium2 import raw

from fireside.core.i18n import Phrase, PhraseValue, Translatable, tr_noop
from fireside.documents.extracted_text import (
    NO_TEXT,
    FileRefused,
    KeepReading,
    TextBuffer,
    mark_hidden,
    tidy_prose,
)
from fireside.documents.messages import MAX_PAGES, TOO_SLOW, Heading, ReadReply, Section, SectionKind
from fireside.documents.pdf_annotations import Insertion, insertions, with_insertions
from fireside.documents.pdf_hidden_text import HiddenText
from fireside.documents.pdf_outline import Bookmark, bookmarks_by_page, headings_of
from fireside.documents.pdf_page_text import corrected_text_of, join_words
from fireside.documents.pdf_xfa import filled_values

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
