"""A card that opens over the window and closes by Escape or a click elsewhere."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QRectF, Qt
from PySide6.QtGui import QCursor, QHideEvent, QPainterPath, QRegion, QResizeEvent
from PySide6.QtWidgets import QFrame, QMenu, QVBoxLayout, QWidget

from fireside.ui.theme import SPACE_S

_RADIUS: Final = 12
"""That of ``#popup`` in the style sheet."""
_MENU_RADIUS: Final = 9
"""That of ``QMenu`` there."""


class Popup(QFrame):
    """Put widgets into ``column``; they stand on a card with round corners."""

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


class Menu(QMenu):
    """A menu whose window ends where its round corners do."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        round_off(self, radius=_MENU_RADIUS)

    def hideEvent(self, event: QHideEvent) -> None:
        """Tell the button that opened it that the pointer has left: Qt sent that to the menu."""
        super().hideEvent(event)
        for owner in self.menuAction().associatedObjects():
            if not isinstance(owner, QWidget) or not owner.underMouse():
                continue
            if not owner.rect().contains(owner.mapFromGlobal(QCursor.pos())):
                QCoreApplication.sendEvent(owner, QEvent(QEvent.Type.Leave))


def round_off(window: QWidget, *, radius: int) -> None:
    """Cut the corners off a window: a desktop without a compositor shows what is transparent in black."""
    shape = QPainterPath()
    shape.addRoundedRect(QRectF(window.rect()), radius, radius)
    window.setMask(QRegion(shape.toFillPolygon().toPolygon()))
