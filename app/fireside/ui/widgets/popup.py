"""A card that opens over the window and closes by Escape or a click elsewhere."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainterPath, QRegion, QResizeEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from fireside.ui.theme import SPACE_S

_RADIUS: Final = 12
"""That of ``#popup`` in the style sheet."""


class Popup(QFrame):
    """Put widgets into ``column``; they stand on a card with round corners."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
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
        # A desktop without a compositor shows what is transparent in black.
        card = QPainterPath()
        card.addRoundedRect(QRectF(self.rect()), _RADIUS, _RADIUS)
        self.setMask(QRegion(card.toFillPolygon().toPolygon()))
