"""A box to tick, in the colours of the theme."""

from __future__ import annotations

from typing import Final

from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QCheckBox, QStyle, QStyleOptionButton, QWidget

from fireside.ui.theme import Theme
from fireside.ui.widgets.text import literal

_MARK_PX: Final = 12


class CheckBox(QCheckBox):
    """The style sheet draws the box; a mark in it needs a picture in the theme's colour."""

    def __init__(self, text: str, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(literal(text), parent)
        self.setAccessibleName(text)
        self._theme = theme

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.isChecked():
            return
        option = QStyleOptionButton()
        self.initStyleOption(option)
        box = self.style().subElementRect(QStyle.SubElement.SE_CheckBoxIndicator, option, self)
        painter = QPainter(self)
        mark = self._theme.pixmap("check", "on_accent", _MARK_PX, ratio=self.devicePixelRatioF())
        side = self._theme.grown(_MARK_PX)
        painter.drawPixmap(box.x() + (box.width() - side) // 2, box.y() + (box.height() - side) // 2, mark)
        painter.end()
