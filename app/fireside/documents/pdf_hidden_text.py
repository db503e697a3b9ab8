"""Text of a PDF page that readers cannot see: tiny, off the page, covered, in the colour behind it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from ctypes import addressof, c_double, c_float, c_int, c_uint
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pypdfium2
from pypdfium2 import raw

from fireside.documents.pdf_page_text import PageText, char_box

if TYPE_CHECKING:
    from PIL import Image

_TINY: Final = 1.5
"""Points."""
_LIGHT: Final = 250
"""Of 255."""
_SAME_COLOR: Final = 8
"""Difference of two colours, of 255 for each of red, green and blue."""
_MIN_LETTERS: Final = 3
"""Letters of a text that is marked."""
_MAX_CPU_S: Final = 5.0
"""Processor time for a file; most of the limit is left for its text."""
_MAX_OBJECTS: Final = 20_000
"""Objects of a page that are examined."""
_MAX_DEPTH: Final = 4
"""Of forms within forms."""
_MAX_AREAS: Final = 100
"""Areas of a page that may cover text."""
_SCAN_SHARE: Final = 0.5
"""Of the page that an image fills; then invisible text is that of a scan, which readers see as an image."""

Bounds = tuple[float, float, float, float]
"""Left, bottom, right, top."""
Color = tuple[int, int, int, int]
"""Red, green, blue, alpha."""


class _Area(NamedTuple):
    """An image, or a filled path without a hole."""

    bounds: Bounds
    color: Color | None


class HiddenText:
    """Finds hidden text in the pages of one file, for a limited time."""

    def __init__(self) -> None:
        self._left_s = _MAX_CPU_S

    def spans(
        self, page: pypdfium2.PdfPage, text_page: pypdfium2.PdfTextPage, text: PageText
    ) -> list[tuple[int, int]]:
        """Return start and end of the hidden parts of a page's text, in order."""
        if self._left_s <= 0:
            return []
        began = time.process_time()
        try:
            suspects = _suspects(page, text)
            return list(_hidden_spans(page, text_page, text, suspects)) if suspects else []
        finally:
            self._left_s -= time.process_time() - began


def _suspects(page: pypdfium2.PdfPage, text: PageText) -> set[int]:
    """Return the addresses of the text objects that may be hidden; the rendered page decides."""
    suspects: set[int] = set()
    invisible: set[int] = set()
    texts: list[tuple[int, Bounds]] = []
    unmeasured: list[tuple[int, Any]] = []
    """Texts whose bounds matter only if an area follows."""
    areas: list[_Area] = []
    left, bottom, right, top = page.get_bbox()
    is_inside = _contains((left, bottom, right, top), text.bounds)
    scan_size = _SCAN_SHARE * (right - left) * (top - bottom)
    is_scan = False
    for item, kind, is_nested in islice(_objects(page), _MAX_OBJECTS):
        if kind == raw.FPDF_PAGEOBJ_TEXT:
            address = addressof(item.contents)
            color = _fill_color(item)
            mode = raw.FPDFTextObj_GetTextRenderMode(item)
            if mode in (raw.FPDF_TEXTRENDERMODE_INVISIBLE, raw.FPDF_TEXTRENDERMODE_CLIP):
                invisible.add(address)
            elif (mode == raw.FPDF_TEXTRENDERMODE_FILL and _is_light(color)) or (
                text.min_height < _TINY and _is_tiny(item)
            ):
                suspects.add(address)
            if is_nested:
                continue  # its bounds are those within its form
            if is_inside and not areas:
                unmeasured.append((address, item))
                continue
            bounds = _bounds(item)
            if bounds[2] < left or bounds[0] > right or bounds[3] < bottom or bounds[1] > top:
                suspects.add(address)
            for area in areas:
                if _contains(area.bounds, bounds) and _has_color(area, color):
                    suspects.add(address)
            texts.append((address, bounds))
        elif filled := _area(item, kind):
            x1, y1, x2, y2 = filled.bounds
            is_scan = is_scan or (filled.color is None and (x2 - x1) * (y2 - y1) > scan_size)
            if not is_nested and len(areas) < _MAX_AREAS:
                texts += [(address, _bounds(earlier)) for address, earlier in unmeasured]
                unmeasured.clear()
                areas.append(filled)
                suspects.update(address for address, bounds in texts if _contains(filled.bounds, bounds))
    return suspects if is_scan else suspects | invisible


def _objects(page: pypdfium2.PdfPage) -> Iterator[tuple[Any, int, bool]]:
    """Yield each object of a page with its kind, in the order of drawing, and whether it is within a form.

    Faster than ``PdfPage.get_objects``, since some pages have very many.
    """
    waiting = [iter(_children(page, raw.FPDFPage_CountObjects, raw.FPDFPage_GetObject))]
    while waiting:
        item = next(waiting[-1], None)
        if item is None:
            waiting.pop()
            continue
        kind = raw.FPDFPageObj_GetType(item)
        if kind != raw.FPDF_PAGEOBJ_FORM:
            yield item, kind, len(waiting) > 1
        elif len(waiting) < _MAX_DEPTH:
            waiting.append(iter(_children(item, raw.FPDFFormObj_CountObjects, raw.FPDFFormObj_GetObject)))


def _children(parent: Any, count: Callable[[Any], int], get: Callable[[Any, int], Any]) -> Iterator[Any]:
    return (get(parent, index) for index in range(max(0, count(parent))))


def _area(item: Any, kind: int) -> _Area | None:
    """Return the area that an object fills, if it may cover a letter."""
    color = None
    if kind == raw.FPDF_PAGEOBJ_PATH:
        fill, stroke = c_int(), c_int()
        if not raw.FPDFPath_GetDrawMode(item, fill, stroke) or not fill.value:
            return None
        color = _fill_color(item)
        if color[3] < 255:
            return None
    elif kind != raw.FPDF_PAGEOBJ_IMAGE:
        return None
    bounds = _bounds(item)
    return _Area(bounds, color) if min(bounds[2] - bounds[0], bounds[3] - bounds[1]) > _TINY else None


def _hidden_spans(
    page: pypdfium2.PdfPage, text_page: pypdfium2.PdfTextPage, text: PageText, suspects: set[int]
) -> Iterator[tuple[int, int]]:
    image: Image.Image | None = None

    def object_of(position: int) -> int:
        index = text.indices[position]
        item = raw.FPDFText_GetTextObject(text_page, index) if index >= 0 else None
        return addressof(item.contents) if item else 0

    letters = [n for n, char in enumerate(text.text) if not char.isspace() and text.indices[n] >= 0]
    hidden: list[tuple[int, int]] = []
    for address, run in groupby(letters, object_of):
        if address not in suspects:
            continue
        positions = list(run)
        boxes = [char_box(text_page.raw, text.indices[position]) for position in positions]
        is_hidden = all(0 < box.high - box.low < _TINY for box in boxes)
        if not is_hidden:
            box = _pixels_of(page, _tight_bounds(text_page, [text.indices[n] for n in positions]))
            if box is None:
                is_hidden = True
            else:
                image = image or page.render(scale=1).to_pil().convert("RGB")
                is_hidden = _is_blank(image.crop(box))
        if not is_hidden:
            continue
        start, end = positions[0], positions[-1] + 1
        if hidden and not text.text[hidden[-1][1] : start].strip():
            start, _ = hidden.pop()
        hidden.append((start, end))
    for start, end in hidden:
        if sum(char.isalnum() for char in text.text[start:end]) >= _MIN_LETTERS:
            yield start, end


def _pixels_of(page: pypdfium2.PdfPage, bounds: Bounds) -> tuple[int, int, int, int] | None:
    """Return left, top, right, bottom in the page rendered at scale 1; ``None`` for what is off the page."""
    width, height = math.ceil(page.get_width()), math.ceil(page.get_height())
    corners = []
    for x, y in ((bounds[0], bounds[1]), (bounds[2], bounds[3])):
        device_x, device_y = c_int(), c_int()
        raw.FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, device_x, device_y)
        corners.append((device_x.value, device_y.value))
    (x1, y1), (x2, y2) = corners
    left, right = max(0, min(x1, x2)), min(width, max(x1, x2) + 1)
    top, bottom = max(0, min(y1, y2)), min(height, max(y1, y2) + 1)
    return (left, top, right, bottom) if left < right and top < bottom else None


def _is_blank(image: Image.Image) -> bool:
    """Return whether all of an image has one colour."""
    bands = (band.tobytes() for band in image.split())
    return all(max(band) - min(band) < _SAME_COLOR for band in bands)


def _tight_bounds(text_page: pypdfium2.PdfTextPage, indices: list[int]) -> Bounds:
    left, right, bottom, top = c_double(), c_double(), c_double(), c_double()
    boxes = []
    for index in indices:
        if raw.FPDFText_GetCharBox(text_page, index, left, right, bottom, top):
            boxes.append((left.value, bottom.value, right.value, top.value))
    if not boxes:
        return (0.0, 0.0, 0.0, 0.0)
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return min(lefts), min(bottoms), max(rights), max(tops)


def _bounds(item: Any) -> Bounds:
    left, bottom, right, top = c_float(), c_float(), c_float(), c_float()
    raw.FPDFPageObj_GetBounds(item, left, bottom, right, top)
    return left.value, bottom.value, right.value, top.value


def _contains(outer: Bounds, inner: Bounds) -> bool:
    return (
        outer[0] - 1 <= inner[0]
        and outer[1] - 1 <= inner[1]
        and outer[2] + 1 >= inner[2]
        and outer[3] + 1 >= inner[3]
    )


def _fill_color(item: Any) -> Color:
    red, green, blue, alpha = c_uint(), c_uint(), c_uint(), c_uint()
    if not raw.FPDFPageObj_GetFillColor(item, red, green, blue, alpha):
        return (0, 0, 0, 255)
    return red.value, green.value, blue.value, alpha.value


def _is_light(color: Color) -> bool:
    return not color[3] or min(color[:3]) >= _LIGHT


def _has_color(area: _Area, color: Color) -> bool:
    return area.color is not None and all(
        abs(one - other) <= _SAME_COLOR for one, other in zip(area.color, color, strict=True)
    )


def _is_tiny(item: Any) -> bool:
    """Return whether a text may be tiny; a form around it may enlarge it."""
    size, matrix = c_float(), raw.FS_MATRIX()
    if not raw.FPDFTextObj_GetFontSize(item, size) or not raw.FPDFPageObj_GetMatrix(item, matrix):
        return False
    return bool(0 < size.value * max(abs(matrix.b), abs(matrix.d)) < _TINY)
