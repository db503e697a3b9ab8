"""A check box in the colours of the theme."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QStyle, QStyleOptionButton, QWidget

from fireside.ui.theme import theme
from fireside.ui.widgets.text import escape_mnemonic, one_line, plain_tooltip

_MARK_PX: Final = 12
_MIN_PX: Final = 120


class CheckBox(QCheckBox):
    """The style sheet draws the box; its check mark is an icon, in the theme's colour.

    A text that does not fit ends in “…”; the tool tip then has the full text.
    """

    def __init__(self, text: str, *, parent: QWidget | None = None) -> None:
        super().__init__(escape_mnemonic(text), parent)
        self.setAccessibleName(text)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._full_text = one_line(text)

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), theme().scaled(_MIN_PX)), hint.height())

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(
            hint.width() + self._text_px(escape_mnemonic(self._full_text)) - self._text_px(self.text()),
            hint.height(),
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        missing_px = max(0, self.sizeHint().width() - self.width())
        available_px = self._text_px(escape_mnemonic(self._full_text)) - missing_px
        elided = self.fontMetrics().elidedText(self._full_text, Qt.TextElideMode.ElideRight, available_px)
        if missing_px == 0:
            elided = self._full_text  # rounding of widths must not elide it
        if escape_mnemonic(elided) != self.text():
            self.setText(escape_mnemonic(elided))
            self.setToolTip("" if elided == self._full_text else plain_tooltip(self._full_text))

    def _text_px(self, text: str) -> int:
        """Return the width of a text as Qt counts it in the size of a check box."""
        return self.fontMetrics().size(Qt.TextFlag.TextShowMnemonic, text).width()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.isChecked():
            return
        option = QStyleOptionButton()
        self.initStyleOption(option)
        box = self.style().subElementRect(QStyle.SubElement.SE_CheckBoxIndicator, option, self)
        painter = QPainter(self)
        mark = theme().pixmap("check", "on_accent", _MARK_PX, ratio=self.devicePixelRatioF())
        side = theme().scaled_up(_MARK_PX)
        painter.drawPixmap(box.x() + (box.width() - side) // 2, box.y() + (box.height() - side) // 2, mark)
        painter.end()
