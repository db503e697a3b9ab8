"""Words on the pages of a PDF file that no reader sees: too small, or as white as the paper."""

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
"""Points as they are shown."""
_WHITE: Final = 250
"""Of 255: as light as paper."""
_LEAST: Final = 3
"""Letters of a word that is looked for."""
_MOST_S: Final = 5.0
"""Of processor time for a file, most of whose time is for its text."""
_MOST_OBJECTS: Final = 20_000
"""Of a page that are looked at."""


def hidden_text_by_page(data: bytes) -> Mapping[int, Sequence[str]]:
    """Return text that cannot be seen, by the page from 0; nothing where the file cannot be opened."""
    import pypdfium2  # native, and only in the process that reads files

    found: dict[int, list[str]] = {}
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError:
        return found
    try:
        until = time.process_time() + _MOST_S
        for index in range(min(len(document), MAX_PAGES)):
            if time.process_time() > until:
                break
            try:
                if unseen := _on_page(document[index]):
                    found[index] = unseen
            except (pypdfium2.PdfiumError, ValueError, OverflowError):
                continue
    finally:
        document.close()
    return found


def mark_hidden_text(text: str, unseen: Sequence[str]) -> str:
    """Return the text of a page with the pieces marked that cannot be seen."""
    if not unseen:
        return text
    letters, at = letter_positions(text)
    stretches: list[tuple[int, int]] = []
    for piece in unseen:
        wanted, _ = letter_positions(piece)
        start = letters.find(wanted) if len(wanted) >= _LEAST else -1
        while start >= 0:
            stretches.append((at[start], at[start + len(wanted) - 1] + 1))
            start = letters.find(wanted, start + len(wanted))
    out, done = "", 0
    for start, end in sorted(stretches):
        if start >= done:
            out += text[done:start] + mark_hidden(text[start:end])
            done = end
    return out + text[done:]


def _on_page(page: pypdfium2.PdfPage) -> list[str]:
    from pypdfium2 import raw

    found: list[str] = []
    picture: Image.Image | None = None
    text_page = page.get_textpage()
    for n, each in enumerate(page.get_objects(filter=(raw.FPDF_PAGEOBJ_TEXT,), max_depth=4)):
        if n >= _MOST_OBJECTS:
            break
        size = c_float()
        if not raw.FPDFTextObj_GetFontSize(each, byref(size)):
            continue
        is_unseen = 0 < size.value * abs(each.get_matrix().d or 1.0) < _TINY
        if not is_unseen and _is_white(each):
            # White words on a dark ground are seen: the page as it is drawn decides.
            picture = picture or page.render(scale=1).to_pil().convert("L")
            is_unseen = _is_blank(picture, page, each)
        if is_unseen:
            found.append(_text_of(each, text_page))
    return [words for words in found if words.strip()]


def _is_white(each: pypdfium2.PdfObject) -> bool:
    from pypdfium2 import raw

    red, green, blue, alpha = c_uint(), c_uint(), c_uint(), c_uint()
    if not raw.FPDFPageObj_GetFillColor(each, byref(red), byref(green), byref(blue), byref(alpha)):
        return False
    if raw.FPDFTextObj_GetTextRenderMode(each) not in (
        raw.FPDF_TEXTRENDERMODE_FILL,
        raw.FPDF_TEXTRENDERMODE_FILL_CLIP,
    ):
        return False  # as the words behind a scan, which readers see as its picture
    return not alpha.value or min(red.value, green.value, blue.value) >= _WHITE


def _is_blank(picture: Image.Image, page: pypdfium2.PdfPage, each: pypdfium2.PdfObject) -> bool:
    """Tell whether a page is nothing but white where an object stands."""
    width, height = page.get_size()
    left, bottom, right, top = each.get_bounds()
    across, down = picture.width / max(1.0, width), picture.height / max(1.0, height)
    box = (
        max(0, int(left * across)),
        max(0, int((height - top) * down)),
        min(picture.width, int(right * across) + 1),
        min(picture.height, int((height - bottom) * down) + 1),
    )
    if box[0] >= box[2] or box[1] >= box[3]:
        return True  # off the page
    darkest, _ = picture.crop(box).getextrema()
    return isinstance(darkest, int | float) and darkest >= _WHITE


def _text_of(each: pypdfium2.PdfObject, text_page: pypdfium2.PdfTextPage) -> str:
    from pypdfium2 import raw

    n_bytes = raw.FPDFTextObj_GetText(each, text_page, None, 0)
    if not 0 < n_bytes < 1_000_000:
        return ""
    buffer = (raw.FPDF_WCHAR * (n_bytes // 2 + 1))()
    raw.FPDFTextObj_GetText(each, text_page, buffer, n_bytes)
    return bytes(buffer)[: n_bytes - 2].decode("utf-16-le", errors="replace")
