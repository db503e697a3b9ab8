"""A card that is clickable as a whole."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QFrame


class ClickCard(QFrame):
    """Emits ``clicked`` for a click anywhere but on a button inside. Its owner handles the keyboard."""

    clicked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._is_pressed = False
        self.setObjectName("card")
        self.setProperty("clickable", "true")
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._is_pressed = event.button() is Qt.MouseButton.LeftButton
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        was_pressed, self._is_pressed = self._is_pressed, False
        if was_pressed and self.rect().contains(event.position().toPoint()):
            self.clicked.emit()
