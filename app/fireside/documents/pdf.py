"""The text of a PDF file, page by page."""

from __future__ import annotations

import io
import logging
from typing import Final

from pypdf import PdfReader
from pypdf.errors import DependencyError

from fireside.core.i18n import Phrase, PhraseValue, Translatable, tr_noop
from fireside.documents.extracted_text import FileRefused, TextBuffer, strip_marks, tidy_prose
from fireside.documents.messages import MAX_PAGES, ReadReply, Section, SectionKind
from fireside.documents.pdf_hidden_text import hidden_text_by_page, mark_hidden_text

MEDIA_TYPE: Final = "application/pdf"
_SNIFF_BYTES: Final = 1024

SCANNED: Final = tr_noop("No text found: its pages are images, as from a scanner.")
_LOCKED: Final = tr_noop("it is protected by a password.")
_DAMAGED: Final = tr_noop("it is damaged.")


def is_pdf(data: bytes) -> bool:
    """Return whether the signature is in the first kilobyte; some bytes may precede it."""
    return b"%PDF-" in data[:_SNIFF_BYTES]


def read_pdf(data: bytes) -> ReadReply:
    """Return the text of a PDF file. Raises ``FileRefused`` if it is locked or damaged."""
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it logs a line for every flaw of a file
    try:
        reader = PdfReader(io.BytesIO(data), strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            raise FileRefused(_LOCKED)
        n_pages = len(reader.pages)
    except (FileRefused, MemoryError):
        raise
    except (DependencyError, NotImplementedError) as exc:  # an unsupported encryption
        raise FileRefused(_LOCKED) from exc
    except Exception as exc:  # the parsers of pypdf raise errors of any class for damaged files
        raise FileRefused(_DAMAGED) from exc
    if not n_pages:
        raise FileRefused(tr_noop("it has no pages."))
    return _read_pages(reader, data, n_pages=n_pages)


def _read_pages(reader: PdfReader, data: bytes, *, n_pages: int) -> ReadReply:
    out = TextBuffer()
    hidden = hidden_text_by_page(data)
    sections: list[Section] = []
    unread: list[int] = []
    """Numbers of the pages that could not be read, from 1."""
    empty: list[int] = []
    """Indices of the pages without text, from 0."""
    n_read = 0
    for index in range(min(n_pages, MAX_PAGES)):
        if out.is_full:
            break
        try:
            # Some programs' fonts name the space as a tab.
            text = strip_marks(reader.pages[index].extract_text()).replace("\t", " ")
            text = mark_hidden_text(tidy_prose(text), hidden.get(index, ()))
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001  # see above; the other pages may be sound
            unread.append(index + 1)
            empty.append(index)
            continue
        n_read += 1
        if text.strip():
            sections.append(Section(kind=SectionKind.PAGE, number=index + 1, start=out.n_chars))
            out.add(f"{text}\n\n")
        else:
            empty.append(index)
    if not n_read:
        raise FileRefused(_DAMAGED)
    warnings: list[Translatable] = []
    if not out.text:
        warnings.append(SCANNED)
    if unread:
        warnings.append(_unread_warning(unread))
    if n_pages > MAX_PAGES:
        warnings.append(
            Phrase(
                tr_noop("Only the first {n_read} of its {n_pages} pages were read."),
                {"n_read": MAX_PAGES, "n_pages": n_pages},
            )
        )
    return ReadReply(
        media_type=MEDIA_TYPE,
        text=out.text.strip("\n"),
        n_pages=n_pages,
        sections=tuple(sections),
        scans=tuple(index + 1 for index in _without_blank(data, empty)),
        warnings=tuple(warnings),
    )


def _without_blank(data: bytes, pages: list[int]) -> list[int]:
    """Return the indices of ``pages`` that are not blank; all of them where pdfium cannot read the file."""
    import pypdfium2  # native, only in the process that reads files

    if not pages:
        return []
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError:
        return pages
    try:
        return [index for index in pages if any(document[index].get_objects(max_depth=1))]
    except pypdfium2.PdfiumError:
        return pages
    finally:
        document.close()


def _unread_warning(pages: list[int]) -> Phrase:
    if len(pages) == 1:
        return Phrase(tr_noop("Page {page} could not be read."), {"page": pages[0]})
    listed: PhraseValue = ", ".join(map(str, pages[:5]))
    if len(pages) > 5:
        listed = Phrase(tr_noop("{pages} and others"), {"pages": listed})
    return Phrase(tr_noop("{n} pages could not be read: {pages}."), {"n": len(pages), "pages": listed})
