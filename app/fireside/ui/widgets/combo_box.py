"""A drop-down list in the colours of the theme."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QStyledItemDelegate, QWidget

from fireside.ui.theme import Theme


class ComboBox(QComboBox):
    """A combo box with our own arrow. The wheel scrolls the page, not the value, unless it has the focus."""

    def __init__(self, *, name: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAccessibleName(name)
        self.view().setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        # The default delegate of a styled combo box ignores the sheet's rules for items.
        self.setItemDelegate(QStyledItemDelegate(self))
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        token = "mute" if self.isEnabled() else "line"
        arrow = self._theme.pixmap("chevron-down", token, 15, ratio=self.devicePixelRatio())
        painter.drawPixmap(self.width() - 24, (self.height() - 15) // 2, arrow)
        painter.end()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()
