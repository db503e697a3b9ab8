"""Render a page of a PDF file, in a separate process: ``python -P -m fireside.documents.page_rendering``."""

from __future__ import annotations

import io
import math
import re
import sys
from collections.abc import Sequence
from ctypes import byref, c_int
from typing import TYPE_CHECKING, Final, NamedTuple

from fireside.core.collection import PageBox
from fireside.core.i18n import tr_noop
from fireside.core.text_folding import letter_positions
from fireside.documents.extracted_text import FileRefused
from fireside.documents.messages import MAX_PAGES
from fireside.documents.page_messages import (
    MAX_PAGE_CHARS,
    MAX_PIXELS,
    MAX_WIDTH,
    PageReply,
    PageRequest,
    decode_request,
    encode,
)
from fireside.documents.picture import is_picture, read_picture

if TYPE_CHECKING:
    import pypdfium2

_MIN_WIDTH: Final = 16
_SENTENCE_END: Final = re.compile(r"[\n.!?:;\[\]]+")
"""Brackets enclose values of forms and comments, which are no text of the page."""
_MAX_GAP: Final = 4
"""Letters between two matched sentences that are highlighted with them."""
_MIN_LETTERS: Final = 6
"""Letters of a sentence that is searched for by itself."""
_DAMAGED: Final = tr_noop("it is damaged.")
_GRID: Final = 100_000
"""Units of the width and height of a page in which boxes are computed."""
_MAX_SPACE: Final = 3.0
"""Heights of a line between two runs of it that are marked as one; columns are further apart, or apart in the
order of reading."""
_UPRIGHT: Final = 0.7
"""Sine of the angle from which on text runs up or down the page."""
_RECENT_LINES: Final = 4
"""Lines that a further run may belong to: raised and bidirectional text is not in the order of its lines."""


def main() -> int:
    """Answer the one request on standard input."""
    from fireside.documents.__main__ import confine

    confine()
    reply = render(decode_request(sys.stdin.buffer.read()))
    sys.stdout.buffer.write(encode(reply))
    sys.stdout.buffer.flush()
    return 0


def render(request: PageRequest) -> PageReply:
    """Return a page as an image with its text and the boxes of the passage; an image file is its only page.

    Not thread-safe. Never raises: a reply may have a ``problem``.
    """
    import pypdfium2  # native, only in this process

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
        document.init_forms()  # their values are drawn
        n_pages = min(len(document), MAX_PAGES)
        if not n_pages:
            return PageReply(problem=tr_noop("it has no pages."))
        number = max(1, min(request.page, n_pages))
        page = document[number - 1]
        text, char_indices = _text_of(page)
        return PageReply(
            page=number,
            n_pages=n_pages,
            image=_png_of(page, width=request.width),
            text=text,
            boxes=_boxes(page, _passage_spans(request.passage, text, char_indices)),
            sentence_boxes=_boxes(
                page,
                [
                    span
                    for sentence in request.sentences
                    for span in _passage_spans(sentence, text, char_indices)
                ],
            ),
        )
    except (pypdfium2.PdfiumError, ValueError, OverflowError):
        return PageReply(problem=_DAMAGED)
    except MemoryError:
        return PageReply(problem=tr_noop("showing it takes too much memory."))
    finally:
        document.close()


def _png_of(page: pypdfium2.PdfPage, *, width: int) -> bytes:
    """Return the page as PNG, within ``MAX_WIDTH`` and ``MAX_PIXELS``."""
    page_width, page_height = (max(1.0, side) for side in page.get_size())
    scale = max(_MIN_WIDTH, min(width, MAX_WIDTH)) / page_width
    n_pixels = page_width * page_height * scale * scale
    if n_pixels > MAX_PIXELS:
        scale *= (MAX_PIXELS / n_pixels) ** 0.5
    png = io.BytesIO()
    page.render(scale=scale).to_pil().convert("RGB").save(png, "PNG", compress_level=1)
    return png.getvalue()


def _text_of(page: pypdfium2.PdfPage) -> tuple[str, Sequence[int]]:
    """Return the text of a page, and for each of its characters the index in pdfium's text page, or -1."""
    from fireside.documents.pdf_page_text import HYPHEN, corrected_text_of

    text = corrected_text_of(page.get_textpage())
    return text.text[:MAX_PAGE_CHARS].replace(HYPHEN, "-"), text.indices


def _passage_spans(passage: str, text: str, char_indices: Sequence[int]) -> list[tuple[int, int]]:
    """Return the first and last characters of a passage on a page, or of each of its sentences."""
    letters, positions = letter_positions(text)
    whole, _ = letter_positions(passage)
    if whole and (start := letters.find(whole)) >= 0:
        last = _with_punctuation(text, positions[start + len(whole) - 1])
        return [(char_indices[positions[start]], char_indices[last])]
    spans: list[tuple[int, int]] = []
    end = 0
    for sentence in _SENTENCE_END.split(passage):
        needle, _ = letter_positions(sentence)
        if len(needle) < _MIN_LETTERS:
            continue
        start = letters.find(needle, end)
        if start < 0 and (start := letters.find(needle)) < 0:
            continue
        first = char_indices[positions[start]]
        if spans and 0 <= start - end <= _MAX_GAP:
            first, _ = spans.pop()
        end = start + len(needle)
        spans.append((first, char_indices[_with_punctuation(text, positions[end - 1])]))
    return spans


def _with_punctuation(text: str, last: int) -> int:
    """Return the index of the last punctuation mark that directly follows a letter, or of the letter."""
    while last + 1 < len(text) and not (text[last + 1].isspace() or text[last + 1].isalnum()):
        last += 1
    return last


class _Rect(NamedTuple):
    """A rectangle of letters on a page, in its own units; ``across`` is their extent from line to line."""

    along: tuple[float, float]
    across: tuple[float, float]
    is_upright: bool
    """Whether the letters run from the bottom to the top or back, so that lines are beside each other."""

    def on_line_of(self, other: _Rect) -> bool:
        """Return whether the letters of both are on one line, next to each other."""
        height = min(self.across[1] - self.across[0], other.across[1] - other.across[0])
        shared = min(self.across[1], other.across[1]) - max(self.across[0], other.across[0])
        gap = max(self.along[0], other.along[0]) - min(self.along[1], other.along[1])
        is_near = gap <= _MAX_SPACE * max(self.across[1] - self.across[0], other.across[1] - other.across[0])
        return self.is_upright is other.is_upright and shared > height / 2 and is_near

    def united(self, other: _Rect) -> _Rect:
        """Return the least rectangle around both."""
        return _Rect(
            (min(self.along[0], other.along[0]), max(self.along[1], other.along[1])),
            (min(self.across[0], other.across[0]), max(self.across[1], other.across[1])),
            self.is_upright,
        )


def _boxes(page: pypdfium2.PdfPage, spans: list[tuple[int, int]]) -> tuple[PageBox, ...]:
    """Return the boxes of spans of characters, one per line, in fractions of the rendered page."""
    from pypdfium2 import raw

    text_page = page.get_textpage()
    lines: list[_Rect] = []
    for first, last in spans:
        is_upright = abs(math.sin(raw.FPDFText_GetCharAngle(text_page, first))) > _UPRIGHT
        # Producers write a line as one run, as a run a word, or as one a letter.
        for index in range(text_page.count_rects(first, last - first + 1)):
            left, bottom, right, top = text_page.get_rect(index)
            across, up = (left, right), (bottom, top)
            rect = _Rect(up, across, True) if is_upright else _Rect(across, up, False)
            same = [line for line in lines[-_RECENT_LINES:] if line.on_line_of(rect)]
            for line in same:
                lines.remove(line)
                rect = rect.united(line)
            lines.append(rect)
    return tuple(_on_device(page, line) for line in lines)


def _on_device(page: pypdfium2.PdfPage, rect: _Rect) -> PageBox:
    """Return a rectangle in fractions of the page as it is rendered, which may be turned."""
    from pypdfium2 import raw

    xs, ys = (rect.across, rect.along) if rect.is_upright else (rect.along, rect.across)
    corners = []
    for x, y in zip(xs, ys, strict=True):
        device_x, device_y = c_int(), c_int()
        raw.FPDF_PageToDevice(page, 0, 0, _GRID, _GRID, 0, x, y, byref(device_x), byref(device_y))
        corners.append((device_x.value / _GRID, device_y.value / _GRID))
    (x1, y1), (x2, y2) = corners
    return PageBox(left=min(x1, x2), top=min(y1, y2), right=max(x1, x2), bottom=max(y1, y2))


if __name__ == "__main__":
    sys.exit(main())
