"""Formulas on paper: drawn as lines, in any size as sharp as text."""

from __future__ import annotations

from contextlib import suppress
from html import escape

from PySide6.QtCore import QByteArray, QPointF, QRectF, QSizeF
from PySide6.QtGui import QPainter, QTextImageFormat
from PySide6.QtSvg import QSvgRenderer

from fireside.bridge.formula_object import FormulaObject
from fireside.bridge.pdf.print_style import INK, TEXT_PX
from fireside.markup.formula import CannotDraw, Drawing, draw
from fireside.markup.formula_delimiters import split_formula
from fireside.markup.rich_text import FORMULA, FORMULA_EM, formula_place, formula_source

_EM = TEXT_PX * FORMULA_EM


class PrintedFormulas(FormulaObject):
    """The formulas of one file, each drawn once."""

    def __init__(self, *, widest: float) -> None:
        """Draw none wider than ``widest`` pixels."""
        super().__init__()
        self._widest = widest
        self._drawings: dict[str, Drawing | None] = {}
        self._renderers: dict[str, QSvgRenderer] = {}

    def fill(self, html: str) -> str:
        """Return ``html`` with a place for each formula, and the source of those that cannot be drawn."""
        return FORMULA.sub(lambda found: self._place(found.group(1)), html)

    def draw_at(self, at: QPointF, place: QTextImageFormat, painter: QPainter) -> None:
        name = place.name()
        drawing = self._drawings.get(name)
        if drawing is None:
            return
        if name not in self._renderers:
            # Without a width, Qt draws the outline of each sign into a PDF though it is to have none.
            look = f'<svg fill="{INK}" stroke="none" stroke-width="0.001" '
            svg = drawing.svg.replace("<svg ", look, 1).replace('"black"', f'"{INK}"')
            self._renderers[name] = QSvgRenderer(QByteArray(svg.encode()))
        em = self._em(drawing)
        size = QSizeF(drawing.width * em, (drawing.ascent + drawing.descent) * em)
        top = at.y() + place.height() - drawing.ascent * em
        self._renderers[name].render(painter, QRectF(QPointF(at.x(), top), size))

    def _place(self, name: str) -> str:
        raw = formula_source(name) or ""
        if name not in self._drawings:
            tex, is_display = split_formula(raw)
            self._drawings[name] = None
            with suppress(CannotDraw):  # what was written is shown then
                self._drawings[name] = draw(tex, is_display=is_display)
        drawing = self._drawings[name]
        if drawing is None:
            return f"<code>{escape(raw, quote=False).replace(chr(10), '<br>')}</code>"
        return formula_place(name, drawing, em=self._em(drawing))

    def _em(self, drawing: Drawing) -> float:
        return min(_EM, self._widest / drawing.width)
