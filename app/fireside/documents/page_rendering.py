"""Draw a page of a PDF file, in a process of its own: ``python -P -m fireside.documents.page_rendering``."""

from __future__ import annotations

import io
import re
import sys
from ctypes import byref, c_int
from typing import TYPE_CHECKING, Final

from fireside.core.collection import PageBox
from fireside.core.i18n import tr_noop
from fireside.documents.extracted_text import FileRefused
from fireside.documents.letter_positions import letter_positions
from fireside.documents.messages import MAX_PAGES
from fireside.documents.page_messages import (
    MOST_CHARS,
    MOST_PIXELS,
    MOST_WIDTH,
    PageReply,
    PageRequest,
    decode_request,
    encode,
)
from fireside.documents.picture import is_picture, read_picture

if TYPE_CHECKING:
    import pypdfium2

_LEAST_WIDTH: Final = 16
_PIECES: Final = re.compile(r"[\n.!?:;]+")
_GAP: Final = 4
"""Letters between two pieces, too few to be looked for, that belong to both."""
_LEAST_PIECE: Final = 6
"""Letters of a piece of a sentence that is looked for by itself."""
_DAMAGED: Final = tr_noop("it is damaged.")
_GRID: Final = 100_000
"""Steps of a page's width and height by which boxes are told."""


def main() -> int:
    """Answer the one request that comes on standard input."""
    from fireside.documents.__main__ import confine

    confine()
    reply = render(decode_request(sys.stdin.buffer.read()))
    sys.stdout.buffer.write(encode(reply))
    sys.stdout.buffer.flush()
    return 0


def render(request: PageRequest) -> PageReply:
    """Return a page as a picture with its text, and where the passage stands on it; an image file is its one
    page. One thread at a time."""
    import pypdfium2  # native, and only here

    if is_picture(request.data):
        try:
            return PageReply(page=1, n_pages=1, image=read_picture(request.data).picture)
        except FileRefused as exc:
            return PageReply(problem=exc.reason)
    try:
        document = pypdfium2.PdfDocument(request.data)
    except pypdfium2.PdfiumError as exc:
        is_locked = exc.err_code == pypdfium2.raw.FPDF_ERR_PASSWORD
        return PageReply(problem=tr_noop("it is protected by a password.") if is_locked else _DAMAGED)
    try:
        n_pages = min(len(document), MAX_PAGES)
        if not n_pages:
            return PageReply(problem=tr_noop("it has no pages."))
        number = max(1, min(request.page, n_pages))
        page = document[number - 1]
        text, places = _text_of(page)
        return PageReply(
            page=number,
            n_pages=n_pages,
            image=_drawn(page, width=request.width),
            text=text,
            boxes=_boxes(page, _found(request.passage, text, places)),
        )
    except (pypdfium2.PdfiumError, ValueError, OverflowError):
        return PageReply(problem=_DAMAGED)
    except MemoryError:
        return PageReply(problem=tr_noop("showing it takes too much memory."))
    finally:
        document.close()


def _drawn(page: pypdfium2.PdfPage, *, width: int) -> bytes:
    """Return the page as PNG, at most as large as agreed."""
    page_width, page_height = (max(1.0, side) for side in page.get_size())
    scale = max(_LEAST_WIDTH, min(width, MOST_WIDTH)) / page_width
    n_pixels = page_width * page_height * scale * scale
    if n_pixels > MOST_PIXELS:
        scale *= (MOST_PIXELS / n_pixels) ** 0.5
    drawn = io.BytesIO()
    page.render(scale=scale).to_pil().convert("RGB").save(drawn, "PNG", compress_level=1)
    return drawn.getvalue()


def _text_of(page: pypdfium2.PdfPage) -> tuple[str, list[int]]:
    """Return the text of a page, and of each of its characters the number that the page has it by."""
    from pypdfium2 import raw

    text_page = page.get_textpage()
    text: list[str] = []
    places: list[int] = []
    for index in range(min(text_page.count_chars(), MOST_CHARS)):
        code = raw.FPDFText_GetUnicode(text_page, index)
        if code == ord("\r") or not 0 < code < 0x110000 or 0xD800 <= code < 0xE000:
            continue
        text.append(chr(code))
        places.append(index)
    return "".join(text), places


def _found(passage: str, text: str, places: list[int]) -> list[tuple[int, int]]:
    """Return the stretches of a page's characters that a passage stands in, or its pieces."""
    letters, at = letter_positions(text)
    whole, _ = letter_positions(passage)
    if whole and (start := letters.find(whole)) >= 0:
        return [(places[at[start]], places[_with_marks(text, at[start + len(whole) - 1])])]
    found: list[tuple[int, int]] = []
    behind = 0
    for piece in _PIECES.split(passage):
        wanted, _ = letter_positions(piece)
        if len(wanted) < _LEAST_PIECE:
            continue
        start = letters.find(wanted, behind)
        if start < 0 and (start := letters.find(wanted)) < 0:
            continue
        first = places[at[start]]
        if found and 0 <= start - behind <= _GAP:
            first = found.pop()[0]
        behind = start + len(wanted)
        found.append((first, places[_with_marks(text, at[behind - 1])]))
    return found


def _with_marks(text: str, last: int) -> int:
    """Return where the marks end that stand right behind a letter, such as a full stop."""
    while last + 1 < len(text) and not (text[last + 1].isspace() or text[last + 1].isalnum()):
        last += 1
    return last


def _boxes(page: pypdfium2.PdfPage, found: list[tuple[int, int]]) -> tuple[PageBox, ...]:
    """Return the boxes of stretches of characters, each line one, as shares of the page as it is drawn."""
    from pypdfium2 import raw

    text_page = page.get_textpage()
    boxes: list[PageBox] = []
    for first, last in found:
        for index in range(text_page.count_rects(first, last - first + 1)):
            left, bottom, right, top = text_page.get_rect(index)
            corners = []
            for x, y in ((left, top), (right, bottom)):
                shown_x, shown_y = c_int(), c_int()
                raw.FPDF_PageToDevice(page, 0, 0, _GRID, _GRID, 0, x, y, byref(shown_x), byref(shown_y))
                corners.append((shown_x.value / _GRID, shown_y.value / _GRID))
            (x1, y1), (x2, y2) = corners
            boxes.append(PageBox(left=min(x1, x2), top=min(y1, y2), right=max(x1, x2), bottom=max(y1, y2)))
    return tuple(boxes)


if __name__ == "__main__":
    sys.exit(main())
