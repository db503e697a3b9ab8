"""Formulas of the transcript: drawn once in a thread, cached, rasterised in the theme's colour when shown."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from math import ceil

from PySide6.QtCore import QByteArray, QCoreApplication, QObject, QPointF, QRectF, QSize, QTimer, Signal
from PySide6.QtGui import QFont, QImage, QPainter, QTextImageFormat
from PySide6.QtSvg import QSvgRenderer

from fireside.bridge.formula_object import FormulaObject, outline_text
from fireside.markup.escape import escape
from fireside.markup.formula import CannotDraw, Drawing, draw
from fireside.markup.formula_delimiters import split_formula
from fireside.markup.rich_text import FORMULA, FORMULA_EM, formula_image, formula_source

_MAX_DRAWINGS = 2_000
_MAX_PENDING = 1_000
_POLL_MS = 30
_MAX_PAUSE_S = 0.05
_MAX_PIXELS = 8_000
_MAX_END_S = 1.0
"""A drawing takes up to a third of a second."""


class Formulas(QObject):
    """Cache of the drawn formulas of one transcript. GUI thread only; drawing happens in a thread."""

    drawn = Signal()
    """Requested formulas have been drawn, or could not be."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._drawings: OrderedDict[str, Drawing | None] = OrderedDict()
        self._pending: list[str] = []
        self._finished: list[tuple[str, Drawing | None]] = []
        self._lock = threading.Lock()
        self._is_drawing = False
        self._thread: threading.Thread | None = None
        self._poll_timer = QTimer(self, interval=_POLL_MS)
        self._poll_timer.timeout.connect(self._on_poll)
        if (app := QCoreApplication.instance()) is not None:
            app.aboutToQuit.connect(self._stop)

    @property
    def is_idle(self) -> bool:
        """Whether nothing that was requested is still to be drawn."""
        return not self._poll_timer.isActive()

    def insert_formulas(self, html: str, *, font: QFont) -> str:
        """Return ``html`` with an image for each formula that has been drawn, and the source of others."""
        if '"math:' not in html:
            return html
        return FORMULA.sub(lambda match: self._placeholder(match.group(1), font=font), html)

    @staticmethod
    def with_sources(html: str) -> str:
        """Return ``html`` with the source of each formula."""
        return FORMULA.sub(lambda match: _source_html(formula_source(match.group(1)) or ""), html)

    def image(self, name: str, *, font: QFont, colour: str, ratio: float) -> QImage | None:
        """Return the image called ``name`` at device pixel ratio ``ratio``; ``None`` until it is drawn."""
        raw = formula_source(name)
        drawing = self._drawings.get(raw) if raw is not None else None
        if drawing is None:
            return None
        width, height = drawing.width * _em(font), (drawing.ascent + drawing.descent) * _em(font)
        above = max(1, ceil(drawing.ascent * _em(font))) - drawing.ascent * _em(font)
        pixels = QSize(*(max(1, min(_MAX_PIXELS, ceil(side * ratio))) for side in (width, above + height)))
        image = QImage(pixels, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(0)
        svg = drawing.svg.replace("<svg ", f'<svg fill="{colour}" ', 1).replace('"black"', f'"{colour}"')
        painter = QPainter(image)
        painter.scale(ratio, ratio)
        QSvgRenderer(QByteArray(svg.encode())).render(painter, QRectF(0, above, width, height))
        painter.end()
        image.setDevicePixelRatio(ratio)
        return image

    def _placeholder(self, name: str, *, font: QFont) -> str:
        raw = formula_source(name)
        if raw is None:
            return ""
        if raw not in self._drawings:
            self._request(raw)
        drawing = self._drawings.get(raw)
        if drawing is None:
            return _source_html(raw)
        self._drawings.move_to_end(raw)
        return formula_image(name, drawing, em=_em(font))

    # Drawing

    def _request(self, raw: str) -> None:
        with self._lock:
            if raw in self._pending:
                return
            self._pending.append(raw)
            del self._pending[:-_MAX_PENDING]
            if not self._is_drawing:
                self._is_drawing = True
                self._thread = threading.Thread(target=self._draw_all, name="formulas", daemon=True)
                self._thread.start()
        self._poll_timer.start()

    def _draw_all(self) -> None:
        """Draw all requests, the latest first, since the user is looking at that; then end."""
        while True:
            with self._lock:
                if not self._pending:
                    self._is_drawing = False
                    return
                raw = self._pending[-1]
            tex, is_display = split_formula(raw)
            drawing: Drawing | None = None
            began = time.perf_counter()
            with suppress(CannotDraw):  # its source is shown instead
                drawing = draw(tex, is_display=is_display, outline=outline_text)
            with self._lock:
                self._finished.append((raw, drawing))
                if raw in self._pending:
                    self._pending.remove(raw)
            # The GUI thread and this one share the interpreter: leave it half of the time.
            time.sleep(min(_MAX_PAUSE_S, time.perf_counter() - began))

    def _stop(self) -> None:
        """End drawing, which needs the application's fonts, before these are gone."""
        with self._lock:
            self._pending.clear()
        if self._thread is not None:
            self._thread.join(_MAX_END_S)

    def _on_poll(self) -> None:
        with self._lock:
            finished, self._finished = self._finished, []
            if not self._is_drawing:
                self._poll_timer.stop()
        self._drawings.update(finished)
        while len(self._drawings) > _MAX_DRAWINGS:
            self._drawings.popitem(last=False)
        if finished:
            self.drawn.emit()


def _source_html(raw: str) -> str:
    return f"<code>{escape(raw, quote=False).replace(chr(10), '<br>')}</code>"


def _em(font: QFont) -> float:
    return font.pixelSize() * FORMULA_EM


class FormulaPainter(FormulaObject):
    """Draws the formulas of a document, from images that it caches."""

    def __init__(self, parent: QObject, *, image: Callable[[str], QImage | None]) -> None:
        super().__init__(parent)
        self._image = image
        self._images: dict[str, QImage | None] = {}

    def clear_cache(self) -> None:
        """Drop the images: colours or sizes have changed."""
        self._images.clear()

    def draw_at(self, at: QPointF, image_format: QTextImageFormat, painter: QPainter) -> None:
        name = image_format.name()
        if name not in self._images:
            self._images[name] = self._image(name)
        if (image := self._images[name]) is not None:
            painter.drawImage(at, image)
