"""A card that opens over the window and closes by Escape or a click elsewhere."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QCursor,
    QHideEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QRegion,
    QResizeEvent,
)
from PySide6.QtWidgets import QFrame, QMenu, QStyle, QVBoxLayout, QWidget

from fireside.ui.theme import SPACE_S

_RADIUS: Final = 12
"""Radius of ``#popup`` in the style sheet."""
_MENU_RADIUS: Final = 9
"""Radius of ``QMenu`` in the style sheet."""


class Popup(QFrame):
    """A rounded card; its content goes into ``column``."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setObjectName("popupGround")
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        card = QFrame()
        card.setObjectName("popup")
        outer.addWidget(card)
        self.column = QVBoxLayout(card)
        self.column.setContentsMargins(SPACE_S, SPACE_S, SPACE_S, SPACE_S)
        self.column.setSpacing(SPACE_S)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        round_off(self, radius=_RADIUS)


_TICK: Final = ((-0.4, 0.0), (-0.12, 0.28), (0.4, -0.28))
"""Points of a check mark relative to its centre, as fractions of its width."""
_TICK_SCALE: Final = 0.75
"""Width of a check mark as a fraction of the font's height."""
_TICK_LEFT: Final = 7


class Menu(QMenu):
    """A menu with rounded corners and with check marks as large as its icons."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = self.fontMetrics().height() * _TICK_SCALE
        painter.setPen(
            QPen(self.palette().windowText(), side / 8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
        )
        for action in self.actions():
            if action.isVisible() and action.isChecked():
                line = self.actionGeometry(action)
                tick_rect = QRect(line.left() + _TICK_LEFT, line.top(), round(side), line.height())
                tick_rect = QStyle.visualRect(self.layoutDirection(), line, tick_rect)
                centre = QRectF(tick_rect).center()
                painter.drawPolyline([centre + QPointF(x * side, y * side) for x, y in _TICK])
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        round_off(self, radius=_MENU_RADIUS)

    def hideEvent(self, event: QHideEvent) -> None:
        """Send the button that opened it the leave event that Qt sent to the menu."""
        super().hideEvent(event)
        for owner in self.menuAction().associatedObjects():
            if not isinstance(owner, QWidget) or not owner.underMouse():
                continue
            if not owner.rect().contains(owner.mapFromGlobal(QCursor.pos())):
                QCoreApplication.sendEvent(owner, QEvent(QEvent.Type.Leave))


def round_off(window: QWidget, *, radius: int) -> None:
    """Mask the corners of a window: without a compositor, transparent pixels are black."""
    shape = QPainterPath()
    shape.addRoundedRect(QRectF(window.rect()), radius, radius)
    window.setMask(QRegion(shape.toFillPolygon().toPolygon()))
