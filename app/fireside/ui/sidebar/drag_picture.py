"""What hangs at the pointer while something is dragged."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPixmap

from fireside.ui.theme import RADIUS_M, Theme

_WIDEST: Final = 220
_PAD: Final = 12
_HEIGHT: Final = 32


def drag_picture(words: str, *, theme: Theme, ratio: float) -> QPixmap:
    """Return a chip with ``words``."""
    font = theme.ui_font(13)
    metrics = QFontMetrics(font)
    shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, _WIDEST)
    width = metrics.horizontalAdvance(shown) + 2 * _PAD
    pixmap = QPixmap(round(width * ratio), round(_HEIGHT * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(theme.colour("edge"))
    painter.setBrush(theme.colour("card"))
    painter.drawRoundedRect(QRectF(0.5, 0.5, width - 1, _HEIGHT - 1), RADIUS_M, RADIUS_M)
    painter.setFont(font)
    painter.setPen(theme.colour("text"))
    painter.drawText(QRectF(0, 0, width, _HEIGHT), int(Qt.AlignmentFlag.AlignCenter), shown)
    painter.end()
    return pixmap
