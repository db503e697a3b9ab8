"""Draw one line of the sidebar and edit its title in place."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPen
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from fireside.ui.sidebar.groups import Heading, Line
from fireside.ui.sidebar.model import ACTIVE_ROLE, ROW_ROLE, TIME_ROLE
from fireside.ui.theme import RADIUS_S, SPACE_S, Theme
from fireside.ui.widgets.text import one_line

SCROLL_BAR_PX: Final = 10
"""Free room at the right of each line."""
_LEFT: Final = 10
_TIME_GAP: Final = 8
_PIN_PX: Final = 14
_TITLE_LIMIT: Final = 200
_VERTICAL = Qt.AlignmentFlag.AlignVCenter
Index = QModelIndex | QPersistentModelIndex


class ConversationDelegate(QStyledItemDelegate):
    """Paints headings and conversations as ten thousand of them need: no widgets."""

    def __init__(self, *, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view = parent

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002 - Qt's signature
        if isinstance(index.data(ROW_ROLE), Heading):
            return QSize(0, self._theme.scaled(36))
        return QSize(0, self._theme.scaled(37))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(ROW_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        match row:
            case Heading():
                self._paint_heading(painter, option.rect, row.text)
            case Line():
                self._paint_line(painter, option, index, pinned=row.summary.pinned)
        painter.restore()

    def _row_rect(self, option: QStyleOptionViewItem) -> QRect:
        # The same width with and without a scroll bar, which lies in the sidebar's margin.
        rect = QRect(option.rect)
        rect.setRight(min(rect.right(), self._view.width() - SCROLL_BAR_PX - 1))
        return rect

    def _paint_heading(self, painter: QPainter, rect: QRect, text: str) -> None:
        painter.setFont(self._theme.ui_font(11.5, QFont.Weight.DemiBold))
        painter.setPen(self._theme.colour("dim"))
        area = rect.adjusted(_LEFT + 2, 0, -_LEFT, -5)
        painter.drawText(area, int(Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft), text)

    def _paint_line(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, *, pinned: bool
    ) -> None:
        rect = self._row_rect(option)
        active = bool(index.data(ACTIVE_ROLE))
        state = option.state
        box = QRectF(rect).adjusted(0.5, 1.5, -0.5, -1.5)
        if active or state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.colour("selected" if active else "hover"))
            painter.drawRoundedRect(box, RADIUS_S + 1, RADIUS_S + 1)
        # The view asks for State_HasFocus only on the current row while it has the keyboard.
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(self._theme.colour("accent"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box, RADIUS_S + 1, RADIUS_S + 1)
        area = rect.adjusted(_LEFT, 0, -_TIME_GAP - 1, 0)
        if pinned:
            ratio = self._view.devicePixelRatio()
            pin = self._theme.pixmap("pin", "accent", _PIN_PX, ratio=ratio)
            painter.drawPixmap(area.left(), area.center().y() - _PIN_PX // 2 + 1, pin)
            area.setLeft(area.left() + _PIN_PX + SPACE_S)
        else:
            area.setRight(self._paint_time(painter, area, str(index.data(TIME_ROLE)), active=active))
        self._paint_title(painter, area, str(index.data(Qt.ItemDataRole.DisplayRole)), active=active)

    def _paint_time(self, painter: QPainter, area: QRect, words: str, *, active: bool) -> int:
        painter.setFont(self._theme.ui_font(12))
        painter.setPen(self._theme.colour("mute" if active else "dim"))
        painter.drawText(area, int(_VERTICAL | Qt.AlignmentFlag.AlignRight), words)
        return area.right() - painter.fontMetrics().horizontalAdvance(words) - _TIME_GAP

    def _paint_title(self, painter: QPainter, area: QRect, title: str, *, active: bool) -> None:
        weight = QFont.Weight.DemiBold if active else QFont.Weight.Normal
        painter.setFont(self._theme.ui_font(14, weight))
        painter.setPen(self._theme.colour("text" if active else "text2"))
        shown = painter.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, int(_VERTICAL | Qt.AlignmentFlag.AlignLeft), shown)

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:  # noqa: ARG002 - Qt's signature
        editor = QLineEdit(parent)
        editor.setAccessibleName("New name of the chat")
        editor.setMaxLength(_TITLE_LIMIT)
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        assert isinstance(editor, QLineEdit)
        editor.setText(one_line(str(index.data(Qt.ItemDataRole.EditRole))))
        editor.selectAll()

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:  # noqa: ARG002 - Qt's signature
        editor.setGeometry(self._row_rect(option).adjusted(1, 1, -1, -1))
