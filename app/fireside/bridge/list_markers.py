"""Bullets and check boxes of lists, for the window and for paper.

Qt draws its own too close to the text, and a ticked box as a crossed one. Documents disable those by
``list-style-type: none``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFontMetricsF,
    QPainter,
    QPen,
    QPolygonF,
    QTextBlock,
    QTextBlockFormat,
    QTextDocument,
    QTextListFormat,
)

_UNSTYLED: Final = QTextListFormat.Style.ListStyleUndefined
_MARKERS: Final = QTextBlockFormat.MarkerType
# In em.
_DOT: Final = 0.36
_DOT_GAP: Final = 0.56
_BOX: Final = 0.92
_BOX_GAP: Final = 0.42
_TICK: Final = ((0.24, 0.53), (0.43, 0.71), (0.77, 0.32))


class MarkerColours(msgspec.Struct, frozen=True, kw_only=True):
    """Colours as ``#rrggbb``."""

    bullet: str
    edge: str
    fill: str
    tick: str


def draw_markers(painter: QPainter, document: QTextDocument, *, area: QRectF, colours: MarkerColours) -> None:
    """Draw the markers of the list items in ``area``, in the document's coordinates."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for block, origin, depth in _items(document, area):
        line = block.layout().lineAt(0)
        font = block.charFormat().font()
        em = font.pixelSize() if font.pixelSize() > 0 else QFontMetricsF(font).height() / 1.2
        is_ticked = block.blockFormat().marker() == _MARKERS.Checked
        has_box = is_ticked or block.blockFormat().marker() == _MARKERS.Unchecked
        size, gap = (_BOX * em, _BOX_GAP * em) if has_box else (_DOT * em, _DOT_GAP * em)
        text = line.naturalTextRect().translated(origin)
        at_right = block.textDirection() is Qt.LayoutDirection.RightToLeft
        left = text.right() + gap if at_right else text.left() - gap - size
        middle = text.top() + line.ascent() - QFontMetricsF(font).capHeight() / 2
        rect = QRectF(left, middle - size / 2, size, size)
        if has_box:
            _draw_box(painter, rect, colours, is_ticked=is_ticked)
        else:
            _draw_bullet(painter, rect, colours, depth=depth)
    painter.restore()


def _items(document: QTextDocument, area: QRectF) -> Iterator[tuple[QTextBlock, QPointF, int]]:
    """Yield the first block of each list item, the origin of its lines, and its nesting depth from 1."""
    layout = document.documentLayout()
    block = document.begin()
    while block.isValid():
        items = block.textList()
        if items is not None and items.format().style() is _UNSTYLED and block.layout().lineCount():
            box = layout.blockBoundingRect(block)
            if box.top() > area.bottom():
                return
            if box.bottom() >= area.top():
                yield block, box.topLeft(), items.format().indent()
        block = block.next()


def _draw_bullet(painter: QPainter, rect: QRectF, colours: MarkerColours, *, depth: int) -> None:
    """Draw a dot at depth 1, a ring at depth 2, a square below that."""
    colour = QColor(colours.bullet)
    width = rect.width() / 5
    painter.setPen(QPen(colour, width) if depth == 2 else Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(Qt.BrushStyle.NoBrush) if depth == 2 else colour)
    if depth > 2:
        painter.drawRect(rect.adjusted(width / 2, width / 2, -width / 2, -width / 2))
    else:
        inside = width / 2 if depth == 2 else 0.0
        painter.drawEllipse(rect.adjusted(inside, inside, -inside, -inside))


def _draw_box(painter: QPainter, rect: QRectF, colours: MarkerColours, *, is_ticked: bool) -> None:
    width = rect.width() / 11
    painter.setPen(QPen(QColor(colours.fill if is_ticked else colours.edge), width))
    painter.setBrush(QColor(colours.fill) if is_ticked else QBrush(Qt.BrushStyle.NoBrush))
    inside = rect.adjusted(width / 2, width / 2, -width / 2, -width / 2)
    painter.drawRoundedRect(inside, rect.width() / 4, rect.width() / 4)
    if is_ticked:
        pen = QPen(QColor(colours.tick), rect.width() / 7)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        size = rect.width()
        painter.drawPolyline(QPolygonF([rect.topLeft() + QPointF(x, y) * size for x, y in _TICK]))
