"""The button that scrolls to the end of a conversation."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QToolButton, QWidget

from fireside.core.i18n import tr
from fireside.ui.theme import theme

_SIZE = 34
_MARGIN = 10


class JumpButton(QToolButton):
    """Shown by the column while the end is out of sight."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("jumpToLatest")
        self.setAccessibleName(tr("Jump to latest"))
        self.setToolTip(tr("Jump to latest"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.restyle()
        self.hide()

    def restyle(self) -> None:
        """The theme changed."""
        theme().set_icon(self, "arrow-down", "text2")
        self.setFixedSize(theme().scaled_up(_SIZE), theme().scaled_up(_SIZE))

    def place(self, area: QRect) -> None:
        """Move to the lower right corner of ``area``, where lines end, on top of everything."""
        corner = area.bottomRight()
        self.move(corner.x() - self.width() - _MARGIN, corner.y() - self.height() - _MARGIN)
        self.raise_()
