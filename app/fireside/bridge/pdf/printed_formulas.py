"""Formulas on paper, drawn as vector graphics."""

from __future__ import annotations

from contextlib import suppress
from html import escape

from PySide6.QtCore import QByteArray, QPointF, QRectF, QSizeF
from PySide6.QtGui import QPainter, QTextImageFormat
from PySide6.QtSvg import QSvgRenderer

from fireside.bridge.formula_object import FormulaObject
from fireside.bridge.pdf.print_style import INK, TEXT_PX
from fireside.bridge.text_outlines import outline_text
from fireside.markup.formula import CannotDraw, Drawing, draw
from fireside.markup.formula_delimiters import split_formula
from fireside.markup.rich_text import FORMULA, FORMULA_EM, formula_image, formula_source

_EM = TEXT_PX * FORMULA_EM


class PrintedFormulas(FormulaObject):
    """The formulas of one file, each drawn once."""

    def __init__(self, *, max_width: float) -> None:
        """Wider formulas are scaled down to ``max_width`` pixels."""
        super().__init__()
        self._max_width = max_width
        self._drawings: dict[str, Drawing | None] = {}
        self._renderers: dict[str, QSvgRenderer] = {}

    def fill(self, html: str) -> str:
        """Return ``html`` with a placeholder for each formula, or its source where it cannot be drawn."""
        return FORMULA.sub(lambda match: self._placeholder(match.group(1)), html)

    def draw_at(self, at: QPointF, image_format: QTextImageFormat, painter: QPainter) -> None:
        name = image_format.name()
        drawing = self._drawings.get(name)
        if drawing is None:
            return
        if name not in self._renderers:
            # Without a stroke width, Qt draws outlines into the PDF despite stroke="none".
            attributes = f'<svg fill="{INK}" stroke="none" stroke-width="0.001" '
            svg = drawing.svg.replace("<svg ", attributes, 1).replace('"black"', f'"{INK}"')
            self._renderers[name] = QSvgRenderer(QByteArray(svg.encode()))
        em = self._em(drawing)
        size = QSizeF(drawing.width * em, (drawing.ascent + drawing.descent) * em)
        top = at.y() + image_format.height() - drawing.ascent * em
        self._renderers[name].render(painter, QRectF(QPointF(at.x(), top), size))

    def _placeholder(self, name: str) -> str:
        raw = formula_source(name) or ""
        if name not in self._drawings:
            tex, is_display = split_formula(raw)
            self._drawings[name] = None
            with suppress(CannotDraw):  # its source is shown then
                self._drawings[name] = draw(tex, is_display=is_display, outline=outline_text)
        drawing = self._drawings[name]
        if drawing is None:
            return f"<code>{escape(raw, quote=False).replace(chr(10), '<br>')}</code>"
        return formula_image(name, drawing, em=self._em(drawing))

    def _em(self, drawing: Drawing) -> float:
        return min(_EM, self._max_width / drawing.width)
