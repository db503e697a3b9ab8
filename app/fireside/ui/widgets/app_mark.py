"""Fireside's mark, drawn in the accent of the theme."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QTransform

from fireside.ui.theme import theme
from fireside.ui.widgets.picture import SquareMark


def flame(side: float) -> QPainterPath:
    """Return the flame of the mark inside a square of ``side``."""
    path = QPainterPath()
    path.moveTo(0.53, 0.17)
    path.cubicTo(0.56, 0.34, 0.75, 0.41, 0.75, 0.61)
    path.cubicTo(0.75, 0.76, 0.64, 0.85, 0.50, 0.85)
    path.cubicTo(0.36, 0.85, 0.25, 0.76, 0.25, 0.62)
    path.cubicTo(0.25, 0.53, 0.29, 0.46, 0.35, 0.41)
    path.cubicTo(0.37, 0.48, 0.39, 0.51, 0.43, 0.53)
    path.cubicTo(0.42, 0.39, 0.44, 0.26, 0.53, 0.17)
    path.closeSubpath()
    return QTransform.fromScale(side, side).map(path)


class AppMark(SquareMark):
    """A rounded square with a flame; has no accessible name."""

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        side = float(self.width())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().colour("accent"))
        painter.drawRoundedRect(QRectF(0, 0, side, side), side * 0.3, side * 0.3)
        painter.setBrush(theme().colour("on_accent"))
        painter.drawPath(flame(side))
        painter.end()
