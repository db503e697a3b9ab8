"""Draw words, badges and icons side by side, for lines and cards of which there are thousands."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QFont, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem, QWidget

from fireside.ui.theme import RADIUS_S, SPACE_S, SPACE_XS, Theme

_LEFT: Final = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
_RIGHT: Final = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
_BADGE_SIDE: Final = 6


class RowPainter:
    """Draws with one painter in one theme; every method returns where the next thing may begin."""

    def __init__(self, painter: QPainter, *, theme: Theme, on: QWidget) -> None:
        self._painter = painter
        self._theme = theme
        self._ratio = on.devicePixelRatio()

    def words(
        self,
        text: str,
        *,
        within: QRect,
        px: float = 14,
        tint: str = "text",
        weight: QFont.Weight = QFont.Weight.Normal,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        at_right: bool = False,
    ) -> int:
        """Draw one line of text, elided; return its right edge."""
        if within.width() <= 0 or not text:
            return within.left()
        painter = self._painter
        painter.setFont(self._theme.ui_font(px, weight))
        painter.setPen(self._theme.colour(tint))
        metrics = painter.fontMetrics()
        shown = metrics.elidedText(text, mode, within.width())
        painter.drawText(within, _RIGHT if at_right else _LEFT, shown)
        return within.left() + min(within.width(), metrics.horizontalAdvance(shown))

    def badge(self, text: str, *, within: QRect, tint: str = "mute", ground: str = "card2") -> int:
        """Draw a badge if it fits; return its right edge, or the left of ``within``."""
        painter = self._painter
        painter.setFont(self._theme.ui_font(11, QFont.Weight.Medium))
        metrics = painter.fontMetrics()
        width = metrics.horizontalAdvance(text) + 2 * _BADGE_SIDE
        if width > within.width():
            return within.left()
        height = metrics.height() + 3
        box = QRect(within.left(), within.center().y() - height // 2 + 1, width, height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colour(ground))
        painter.drawRoundedRect(QRectF(box), 6, 6)
        painter.setPen(self._theme.colour(tint))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), text)
        return box.right() + SPACE_XS

    def width(self, text: str, *, px: float = 14, weight: QFont.Weight = QFont.Weight.Normal) -> int:
        self._painter.setFont(self._theme.ui_font(px, weight))
        return self._painter.fontMetrics().horizontalAdvance(text)

    def icon(self, name: str, *, at: QRect, tint: str, px: int = 16) -> int:
        """Draw an icon in the middle of the height of ``at``, at its left; return its right edge."""
        pixmap = self._theme.pixmap(name, tint, px, ratio=self._ratio)
        self._painter.drawPixmap(at.left(), at.center().y() - px // 2 + 1, pixmap)
        return at.left() + px

    def dot(self, *, at: QRect, tint: str, px: int = 8) -> int:
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(self._theme.colour(tint))
        self._painter.drawEllipse(QRectF(at.left(), at.center().y() - px / 2 + 0.5, px, px))
        return at.left() + px

    def ground(self, box: QRect, option: QStyleOptionViewItem, *, radius: int = RADIUS_S + 1) -> None:
        """Draw what lies behind a line: whether the pointer or the keyboard is on it."""
        painter = self._painter
        shape = QRectF(box).adjusted(0.75, 0.75, -0.75, -0.75)
        is_current = bool(option.state & QStyle.StateFlag.State_Selected)
        if is_current or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.colour("selected" if is_current else "hover"))
            painter.drawRoundedRect(shape, radius, radius)
        if is_current and option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(self._theme.colour("accent"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(shape, radius, radius)


def upper_half(box: QRect) -> QRect:
    """Return where the first of two lines stands."""
    return QRect(box.left(), box.top() + SPACE_S - 1, box.width(), box.height() // 2 - SPACE_XS)


def lower_half(box: QRect) -> QRect:
    """Return where the second of two lines stands."""
    top = box.top() + box.height() // 2
    return QRect(box.left(), top, box.width(), box.height() // 2 - SPACE_XS - 1)
