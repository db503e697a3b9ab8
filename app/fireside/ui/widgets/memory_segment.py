"""A segment of a memory bar, and how it is painted."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from fireside.core.errors import format_bytes
from fireside.core.i18n import tr
from fireside.ui.theme import theme
from fireside.ui.widgets.text import one_line

_STRIPE_PX: Final = 5.0
_FAINT: Final = 0.28


class Hue(StrEnum):
    """The colour token of a segment. Neighbouring ones differ in lightness too."""

    FIRST = "series1"
    SECOND = "series2"
    THIRD = "series3"
    FOURTH = "series4"
    FIFTH = "series5"
    SIXTH = "series6"
    REST = "dim"
    """Memory of other programs."""


class Segment(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a device's memory."""

    label: str
    """What uses the memory."""
    n_bytes: int
    hue: Hue
    is_predicted: bool = False
    """The memory would be used, but is not yet: drawn with stripes."""

    @property
    def line(self) -> str:
        """The segment as text: label and size."""
        size = format_bytes(self.n_bytes)
        if self.is_predicted:
            size = tr("{size} (would be taken)").format(size=size)
        return f"{one_line(self.label)}: {size}"


def paint_segment(painter: QPainter, rect: QRectF, *, segment: Segment) -> None:
    """Fill ``rect`` with a segment's colour, with stripes if it is predicted."""
    colour = theme().colour(segment.hue)
    if not segment.is_predicted:
        painter.fillRect(rect, colour)
        return
    faint = QColor(colour)
    faint.setAlphaF(_FAINT)
    painter.fillRect(rect, faint)
    paint_stripes(painter, rect, colour=colour)


def paint_stripes(painter: QPainter, rect: QRectF, *, colour: QColor) -> None:
    """Draw diagonal stripes over ``rect`` that continue across adjacent rectangles."""
    painter.save()
    painter.setClipRect(rect, Qt.ClipOperation.IntersectClip)
    painter.setPen(QPen(colour, 1.6))
    height = rect.height()
    x = rect.left() - height - (rect.left() - height) % _STRIPE_PX
    while x < rect.right():
        painter.drawLine(QPointF(x, rect.bottom()), QPointF(x + height, rect.top()))
        x += _STRIPE_PX
    painter.restore()
