"""A drop-down list in the colours of the theme."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import (
    QComboBox,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionComboBox,
    QStyleOptionViewItem,
    QWidget,
)

from fireside.ui.theme import theme
from fireside.ui.widgets.popup import round_off

Index = QModelIndex | QPersistentModelIndex

_CHECK_PX: Final = 15
_ARROW_PX: Final = 15
_MIN_PX: Final = 160
_RADIUS: Final = 8
"""Radius of the list in the style sheet."""


class _ChoiceDelegate(QStyledItemDelegate):
    """Draws items with the style sheet, which the default delegate ignores; marks the chosen item."""

    def __init__(self, combo: ComboBox) -> None:
        super().__init__(combo)
        self._combo = combo

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        hint = super().sizeHint(option, index)
        return QSize(hint.width() + 2 * theme().scaled_up(_CHECK_PX), hint.height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        if index.row() != self._combo.currentIndex():
            return
        check = theme().pixmap("check", "accent", _CHECK_PX, ratio=self._combo.devicePixelRatio())
        side = theme().scaled_up(_CHECK_PX)
        box = QRect(option.rect.right() - 8 - side, option.rect.center().y() - side // 2, side, side)
        box = QStyle.visualRect(option.direction, option.rect, box)
        painter.drawPixmap(box.topLeft(), check)


class ComboBox(QComboBox):
    """A combo box with our own arrow. The wheel scrolls the page, not the value, unless it has the focus."""

    def __init__(self, *, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.view().setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setItemDelegate(_ChoiceDelegate(self))
        theme().changed.connect(self.update)

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), theme().scaled(_MIN_PX)), hint.height())

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        """Elide a choice that does not fit."""
        super().initStyleOption(option)
        field = QStyle.SubControl.SC_ComboBoxEditField
        available_px = (
            self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, self).width()
        )
        if available_px > 0:
            mode = Qt.TextElideMode.ElideRight
            option.currentText = self.fontMetrics().elidedText(option.currentText, mode, available_px)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        token = "mute" if self.isEnabled() else "line"
        side = theme().scaled_up(_ARROW_PX)
        arrow = theme().pixmap("chevron-down", token, _ARROW_PX, ratio=self.devicePixelRatio())
        box = QRect(self.width() - side - 9, (self.height() - side) // 2, side, side)
        painter.drawPixmap(QStyle.visualRect(self.layoutDirection(), self.rect(), box), arrow)
        painter.end()

    def showPopup(self) -> None:
        view = self.view()
        margins = view.contentsMargins()
        view.setMinimumWidth(view.sizeHintForColumn(0) + margins.left() + margins.right())
        super().showPopup()
        popup = self.view().window()
        if popup is not self.window():  # on some platforms the list has no window of its own
            round_off(popup, radius=_RADIUS)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()
