"""Text of a PDF file that readers cannot see: tiny, or white on white."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from ctypes import byref, c_float, c_uint
from typing import TYPE_CHECKING, Final

from fireside.documents.extracted_text import mark_hidden
from fireside.documents.letter_positions import letter_positions
from fireside.documents.messages import MAX_PAGES

if TYPE_CHECKING:
    import pypdfium2
    from PIL import Image

_TINY: Final = 1.5
"""Points, with the transformation of the text applied."""
_WHITE: Final = 250
"""Of 255."""
_MIN_LETTERS: Final = 3
"""Letters of a text that is searched for."""
_MAX_CPU_S: Final = 5.0
"""Processor time for a file; most of the limit is left for its text."""
_MAX_OBJECTS: Final = 20_000
"""Text objects of a page that are examined."""


def hidden_text_by_page(data: bytes) -> Mapping[int, Sequence[str]]:
    """Return the invisible texts by page, from 0; nothing where the file cannot be opened."""
    import pypdfium2  # native, and only in the process that reads files

    hidden: dict[int, list[str]] = {}
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError:
        return hidden
    try:
        deadline = time.process_time() + _MAX_CPU_S
        for index in range(min(len(document), MAX_PAGES)):
            if time.process_time() > deadline:
                break
            try:
                if texts := _hidden_texts(document[index]):
                    hidden[index] = texts
            except (pypdfium2.PdfiumError, ValueError, OverflowError):
                continue
    finally:
        document.close()
    return hidden


def mark_hidden_text(text: str, hidden: Sequence[str]) -> str:
    """Return the text of a page with all occurrences of the hidden texts marked."""
    if not hidden:
        return text
    letters, positions = letter_positions(text)
    spans: list[tuple[int, int]] = []
    for hidden_text in hidden:
        needle, _ = letter_positions(hidden_text)
        start = letters.find(needle) if len(needle) >= _MIN_LETTERS else -1
        while start >= 0:
            spans.append((positions[start], positions[start + len(needle) - 1] + 1))
            start = letters.find(needle, start + len(needle))
    out, done = "", 0
    for start, end in sorted(spans):
        if start >= done:
            out += text[done:start] + mark_hidden(text[start:end])
            done = end
    return out + text[done:]


def _hidden_texts(page: pypdfium2.PdfPage) -> list[str]:
    from pypdfium2 import raw

    texts: list[str] = []
    image: Image.Image | None = None
    text_page = page.get_textpage()
    for n, text_object in enumerate(page.get_objects(filter=(raw.FPDF_PAGEOBJ_TEXT,), max_depth=4)):
        if n >= _MAX_OBJECTS:
            break
        size = c_float()
        if not raw.FPDFTextObj_GetFontSize(text_object, byref(size)):
            continue
        is_hidden = 0 < size.value * abs(text_object.get_matrix().d or 1.0) < _TINY
        if not is_hidden and _is_white(text_object):
            # White text on a dark background is visible: the rendered page decides.
            image = image or page.render(scale=1).to_pil().convert("L")
            is_hidden = _is_blank(image, page, text_object)
        if is_hidden:
            texts.append(_text_of(text_object, text_page))
    return [text for text in texts if text.strip()]


def _is_white(text_object: pypdfium2.PdfObject) -> bool:
    from pypdfium2 import raw

    red, green, blue, alpha = c_uint(), c_uint(), c_uint(), c_uint()
    if not raw.FPDFPageObj_GetFillColor(text_object, byref(red), byref(green), byref(blue), byref(alpha)):
        return False
    if raw.FPDFTextObj_GetTextRenderMode(text_object) not in (
        raw.FPDF_TEXTRENDERMODE_FILL,
        raw.FPDF_TEXTRENDERMODE_FILL_CLIP,
    ):
        return False  # such as the invisible text over a scan, which readers see as an image
    return not alpha.value or min(red.value, green.value, blue.value) >= _WHITE


def _is_blank(image: Image.Image, page: pypdfium2.PdfPage, text_object: pypdfium2.PdfObject) -> bool:
    """Return whether the rendered page is white where an object is."""
    width, height = page.get_size()
    left, bottom, right, top = text_object.get_bounds()
    scale_x, scale_y = image.width / max(1.0, width), image.height / max(1.0, height)
    box = (
        max(0, int(left * scale_x)),
        max(0, int((height - top) * scale_y)),
        min(image.width, int(right * scale_x) + 1),
        min(image.height, int((height - bottom) * scale_y) + 1),
    )
    if box[0] >= box[2] or box[1] >= box[3]:
        return True  # off the page
    darkest, _ = image.crop(box).getextrema()
    return isinstance(darkest, int | float) and darkest >= _WHITE


def _text_of(text_object: pypdfium2.PdfObject, text_page: pypdfium2.PdfTextPage) -> str:
    from pypdfium2 import raw

    n_bytes = raw.FPDFTextObj_GetText(text_object, text_page, None, 0)
    if not 0 < n_bytes < 1_000_000:
        return ""
    buffer = (raw.FPDF_WCHAR * (n_bytes // 2 + 1))()
    raw.FPDFTextObj_GetText(text_object, text_page, buffer, n_bytes)
    return bytes(buffer)[: n_bytes - 2].decode("utf-16-le", errors="replace")
