"""The text of a PDF file, page by page."""

from __future__ import annotations

import logging
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from ctypes import byref, c_ulong, create_string_buffer
from itertools import islice
from time import process_time
from typing import Any, Final, NamedTuple

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
from fireside.documents.pdf_hidden_text import HiddenText
from fireside.documents.pdf_page_text import Box, PageText, char_box, corrected_text_of, join_words

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


# What was added to the pages of a PDF file: values of forms, text boxes, comments


_MAX_ANNOTATIONS: Final = 5_000
"""Of a page."""
_MAX_STRING_BYTES: Final = 200_000
_MAX_LABEL: Final = 100
"""Characters; some forms have instructions in its place."""
_TOKEN: Final = re.compile(r"[^\s\ufffe]+")
_FIELD_NAME: Final = re.compile(r"(?:^|.*\.)([^.]*?)(?:\[\d+\])?$", re.DOTALL)
"""The last part of a name such as ``form1[0].page1[0].street[0]``."""
_UNNAMED: Final = frozenset(("", "yes", "on", "1", "true", "x"))
"""Values of a button that say no more than that it is chosen."""


class Insertion(NamedTuple):
    """A text that stands before ``text[at]`` of a page."""

    at: int
    text: str


class _Token(NamedTuple):
    start: int
    end: int
    box: Box


def insertions(
    document: pypdfium2.PdfDocument,
    page: pypdfium2.PdfPage,
    text_page: pypdfium2.PdfTextPage,
    text: PageText,
) -> list[Insertion]:
    """Return the texts of a page's form fields and comments, where readers see them, in order.

    A field's value has its label: ``[Street: Main St]``, ``[x] Married``, ``[ ] Single``. The forms of the
    document are initialized (``init_forms``).
    """
    found: list[tuple[int, float, float, str]] = []
    tokens: list[_Token] | None = None
    for annotation, content in _contents(document, page):
        if tokens is None:
            tokens = _tokens(text_page, text)
        box = _box_of(annotation)
        found.append((_place(box, tokens, text.text), -box.high, box.start, content))
    return [Insertion(at, content) for at, _, _, content in sorted(found)]


def with_insertions(text: str, inserted: list[Insertion]) -> str:
    """Return the text of a page with all insertions, each separated from the words around it."""
    out = ""
    done = 0
    for at, content in inserted:
        out += text[done:at]
        if out and not out[-1].isspace():
            out += " "
        out += content
        done = at
        if text[at : at + 1].strip():
            out += " "
    return out + text[done:]


def _contents(document: pypdfium2.PdfDocument, page: pypdfium2.PdfPage) -> Iterator[tuple[Any, str]]:
    """Yield each annotation that says something, open, with its text."""
    without_text = (raw.FPDF_ANNOT_LINK, raw.FPDF_ANNOT_POPUP, raw.FPDF_ANNOT_FILEATTACHMENT)
    for index in range(min(raw.FPDFPage_GetAnnotCount(page), _MAX_ANNOTATIONS)):
        annotation = raw.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        try:
            kind = raw.FPDFAnnot_GetSubtype(annotation)
            if kind == raw.FPDF_ANNOT_WIDGET:
                content = _field_text(document, annotation) if document.formenv else ""
            elif kind in without_text:
                content = ""
            else:
                content = _comment(annotation, is_text_box=kind == raw.FPDF_ANNOT_FREETEXT)
            if content:
                flags = raw.FPDFAnnot_GetFlags(annotation)
                is_hidden = flags & (raw.FPDF_ANNOT_FLAG_HIDDEN | raw.FPDF_ANNOT_FLAG_NOVIEW)
                yield annotation, mark_hidden(content) if is_hidden else content
        finally:
            raw.FPDFPage_CloseAnnot(annotation)


def _comment(annotation: Any, *, is_text_box: bool) -> str:
    contents = _key(annotation, b"Contents")
    if not contents:
        return ""
    author = "" if is_text_box else _key(annotation, b"T")
    return f"[{author}: {contents}]" if author else f"[{contents}]"


def _field_text(document: pypdfium2.PdfDocument, annotation: Any) -> str:
    """Return the label and the value of a field; nothing for one without a value."""
    form = document.formenv
    kind = raw.FPDFAnnot_GetFormFieldType(form, annotation)
    if kind in (raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON):
        return _button_text(form, annotation)
    if kind not in (
        raw.FPDF_FORMFIELD_TEXTFIELD,
        raw.FPDF_FORMFIELD_COMBOBOX,
        raw.FPDF_FORMFIELD_LISTBOX,
    ):
        return ""
    if raw.FPDFAnnot_GetFormFieldFlags(form, annotation) & raw.FPDF_FORMFLAG_TEXT_PASSWORD and (
        kind == raw.FPDF_FORMFIELD_TEXTFIELD
    ):
        return ""
    chosen = [
        _string(raw.FPDFAnnot_GetOptionLabel, form, annotation, option)
        for option in range(min(max(0, raw.FPDFAnnot_GetOptionCount(form, annotation)), _MAX_ANNOTATIONS))
        if raw.FPDFAnnot_IsOptionSelected(form, annotation, option)
    ]
    value = ", ".join(filter(None, chosen)) or _string(raw.FPDFAnnot_GetFormFieldValue, form, annotation)
    label = _label(form, annotation)
    return (f"[{label}: {value}]" if label else f"[{value}]") if value else ""


def _button_text(form: Any, annotation: Any) -> str:
    """Return ``[x]`` with what a chosen button stands for, ``[ ]`` with the name of one that is not."""
    if not raw.FPDFAnnot_IsChecked(form, annotation):
        return f"[ ] {_readable_name(form, annotation)}".rstrip()
    label = _label(form, annotation)
    choice = _string(raw.FPDFAnnot_GetFormFieldExportValue, form, annotation)
    if choice.casefold() in _UNNAMED or choice == label:
        choice = ""
    return f"[x] {': '.join(filter(None, (label, choice)))}".rstrip()


def _label(form: Any, annotation: Any) -> str:
    """Return the name of a field for its readers, or else the last part of its own."""
    if label := _readable_name(form, annotation):
        return label
    name = _FIELD_NAME.match(_string(raw.FPDFAnnot_GetFormFieldName, form, annotation))
    return name[1].strip() if name else ""


def _readable_name(form: Any, annotation: Any) -> str:
    name = _string(raw.FPDFAnnot_GetFormFieldAlternateName, form, annotation)
    return " ".join(name.split())[:_MAX_LABEL].rstrip(": ")


def _key(annotation: Any, key: bytes) -> str:
    return _string(raw.FPDFAnnot_GetStringValue, annotation, key)


def _string(get: Callable[..., int], *arguments: Any) -> str:
    """Return a string that pdfium writes into a buffer, as UTF-16."""
    n_bytes = get(*arguments, None, 0)
    if not 2 < n_bytes <= _MAX_STRING_BYTES:
        return ""
    buffer = (raw.FPDF_WCHAR * (n_bytes // 2 + 1))()
    get(*arguments, buffer, n_bytes)
    text = bytes(buffer)[: n_bytes - 2].decode("utf-16-le", errors="replace")
    return tidy(strip_marks(text)).strip()


def _box_of(annotation: Any) -> Box:
    rect = raw.FS_RECTF()
    raw.FPDFAnnot_GetRect(annotation, rect)
    return Box(
        min(rect.left, rect.right),
        max(rect.left, rect.right),
        min(rect.bottom, rect.top),
        max(rect.bottom, rect.top),
    )


def _tokens(text_page: pypdfium2.PdfTextPage, text: PageText) -> list[_Token]:
    tokens = []
    for match in _TOKEN.finditer(text.text):
        start, end = match.span()
        first, last = text.indices[start], text.indices[end - 1]
        if first < 0 or last < 0:
            continue
        left, right = char_box(text_page.raw, first), char_box(text_page.raw, last)
        box = Box(left.start, right.end, min(left.low, right.low), max(left.high, right.high))
        tokens.append(_Token(start, end, box))
    return tokens


def _place(box: Box, tokens: list[_Token], text: str) -> int:
    """Return where a text in a box stands among the words of a page: behind the nearest on its left, before
    the nearest on its right, or below the line above it."""
    beside = [token for token in tokens if _is_beside(box, token.box)]
    left = [token for token in beside if token.box.start <= box.start]
    if left:
        return max(left, key=lambda token: (token.box.end, token.box.high)).end
    if beside:
        return min(beside, key=lambda token: (token.box.start, -token.box.high)).start
    above = [token for token in tokens if token.box.low >= box.high - token.box.height / 2]
    if not above:
        return 0
    nearest = min(above, key=lambda token: (token.box.low - box.high, abs(token.box.start - box.start)))
    end = text.find("\n", nearest.end)
    return end if end >= 0 else len(text)


def _is_beside(box: Box, token: Box) -> bool:
    middle = (token.low + token.high) / 2
    return box.low <= middle <= box.high or token.low <= (box.low + box.high) / 2 <= token.high
