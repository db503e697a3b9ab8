"""A box to tick, in the colours of the theme."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QStyle, QStyleOptionButton, QWidget

from fireside.ui.theme import Theme
from fireside.ui.widgets.text import escape_mnemonic, one_line, plain_tooltip

_MARK_PX: Final = 12
_LEAST_PX: Final = 120


class CheckBox(QCheckBox):
    """The style sheet draws the box; a mark in it needs a picture in the theme's colour.

    Words for which there is no room end in “…”; the tool tip then has the whole.
    """

    def __init__(self, text: str, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(escape_mnemonic(text), parent)
        self.setAccessibleName(text)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._whole = one_line(text)
        self._theme = theme

    def minimumSizeHint(self) -> QSize:
        least = super().minimumSizeHint()
        return QSize(min(least.width(), self._theme.scaled(_LEAST_PX)), least.height())

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(
            hint.width() + self._px(escape_mnemonic(self._whole)) - self._px(self.text()), hint.height()
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        missing_px = max(0, self.sizeHint().width() - self.width())
        room = self._px(escape_mnemonic(self._whole)) - missing_px
        shown = self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideRight, room)
        if missing_px == 0:
            shown = self._whole  # whatever rounding makes of its width
        if escape_mnemonic(shown) != self.text():
            self.setText(escape_mnemonic(shown))
            self.setToolTip("" if shown == self._whole else plain_tooltip(self._whole))

    def _px(self, shown: str) -> int:
        """Return the width of words as Qt's own size of the box counts it."""
        return self.fontMetrics().size(Qt.TextFlag.TextShowMnemonic, shown).width()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.isChecked():
            return
        option = QStyleOptionButton()
        self.initStyleOption(option)
        box = self.style().subElementRect(QStyle.SubElement.SE_CheckBoxIndicator, option, self)
        painter = QPainter(self)
        mark = self._theme.pixmap("check", "on_accent", _MARK_PX, ratio=self.devicePixelRatioF())
        side = self._theme.scaled_up(_MARK_PX)
        painter.drawPixmap(box.x() + (box.width() - side) // 2, box.y() + (box.height() - side) // 2, mark)
        painter.end()
