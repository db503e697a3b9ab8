"""Draw one row of the sidebar and edit its name in place."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPen
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from fireside.core.chat import Colour
from fireside.core.i18n import tr
from fireside.ui.sidebar.colours import shade
from fireside.ui.sidebar.groups import ArchiveRow, FolderRow, Heading, Line
from fireside.ui.sidebar.model import ACTIVE_ROLE, ROW_ROLE, TIME_ROLE
from fireside.ui.theme import RADIUS_S, SPACE_S, Theme
from fireside.ui.widgets.text import in_own_direction, one_line

SCROLL_BAR_PX: Final = 10
"""Free room at the right of each row."""
_LEFT: Final = 10
_INDENT: Final = 21
_TIME_GAP: Final = 8
_ICON_PX: Final = 14
_FOLDER_PX: Final = 16
_DOT_PX: Final = 8
_TITLE_LIMIT: Final = 200
_VERTICAL = Qt.AlignmentFlag.AlignVCenter
_TO_THE_LEFT: Final = int(_VERTICAL | Qt.AlignmentFlag.AlignLeft)
Index = QModelIndex | QPersistentModelIndex


class ConversationDelegate(QStyledItemDelegate):
    """Paints headings, folders and conversations as ten thousand of them need: no widgets."""

    def __init__(self, *, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view = parent
        self.marks_chosen = False
        """Whether several chats are chosen, which are then marked as such."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002 - Qt's signature
        heading = isinstance(index.data(ROW_ROLE), Heading)
        return QSize(0, self._theme.scaled(36 if heading else 21 + self._theme.airy(16)))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(ROW_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # A row is laid out by hand: in a mirrored window its words would be drawn over its time.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        match row:
            case Heading():
                self._paint_heading(painter, option.rect, row.text)
            case FolderRow(folder=folder, n_chats=n):
                icon = "folder-open" if folder.is_open else "folder"
                area = self._paint_box(painter, option, is_marked=False)
                self._paint_section(
                    painter, area, one_line(folder.name), icon=icon, n=n, is_open=folder.is_open,
                    colour=folder.colour,
                )  # fmt: skip
            case ArchiveRow(n_chats=n, is_open=is_open):
                area = self._paint_box(painter, option, is_marked=False)
                self._paint_section(painter, area, tr("Archive"), icon="archive", n=n, is_open=is_open)
            case Line():
                self._paint_line(painter, option, index, row)
        painter.restore()

    def row_rect(self, rect: QRect) -> QRect:
        """Return what of a row is painted; the scroll bar lies in the margin and makes it no narrower."""
        painted = QRect(rect)
        painted.setRight(min(painted.right(), self._view.width() - SCROLL_BAR_PX - 1))
        return painted

    def _paint_heading(self, painter: QPainter, rect: QRect, text: str) -> None:
        painter.setFont(self._theme.ui_font(11.5, QFont.Weight.DemiBold))
        painter.setPen(self._theme.colour("dim"))
        area = rect.adjusted(_LEFT + 2, 0, -_LEFT, -5)
        painter.drawText(area, int(Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft), text)

    def _paint_box(self, painter: QPainter, option: QStyleOptionViewItem, *, is_marked: bool) -> QRect:
        """Draw what is under a row and around it; return the room for its contents."""
        rect = self.row_rect(option.rect)
        state = option.state
        box = QRectF(rect).adjusted(0.5, 1.5, -0.5, -1.5)
        if is_marked or state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.colour("selected" if is_marked else "hover"))
            painter.drawRoundedRect(box, RADIUS_S + 1, RADIUS_S + 1)
        # The view asks for State_HasFocus only on the current row while it has the keyboard.
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(self._theme.colour("accent"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box, RADIUS_S + 1, RADIUS_S + 1)
        return rect.adjusted(_LEFT, 0, -_TIME_GAP - 1, 0)

    def _paint_section(
        self,
        painter: QPainter,
        area: QRect,
        name: str,
        *,
        icon: str,
        n: int,
        is_open: bool,
        colour: Colour | None = None,
    ) -> None:
        self._paint_icon(painter, area, icon, "mute", _FOLDER_PX)
        left = area.left() + _FOLDER_PX + SPACE_S - 3
        if colour is not None:
            left = self._paint_dot(painter, area, left, colour)
        area.setLeft(left)
        chevron = QRect(area.right() - _ICON_PX, area.top(), _ICON_PX, area.height())
        self._paint_icon(painter, chevron, "chevron-down" if is_open else "chevron-right", "dim", _ICON_PX)
        area.setRight(chevron.left() - 4)
        area.setRight(self._paint_at_right(painter, area, f"{n:,}", tint="dim"))
        self._paint_words(painter, area, name, tint="text2", weight=QFont.Weight.Medium)

    def _paint_line(self, painter: QPainter, option: QStyleOptionViewItem, index: Index, row: Line) -> None:
        is_active = bool(index.data(ACTIVE_ROLE))
        is_chosen = self.marks_chosen and bool(option.state & QStyle.StateFlag.State_Selected)
        is_marked = is_chosen or (is_active and not self.marks_chosen)
        area = self._paint_box(painter, option, is_marked=is_marked)
        if row.is_inside:
            area.setLeft(area.left() + _INDENT)
        if row.summary.colour is not None:
            area.setLeft(self._paint_dot(painter, area, area.left(), row.summary.colour))
        if row.summary.pinned and not row.summary.archived:
            self._paint_icon(painter, area, "pin", "accent", _ICON_PX)
            area.setLeft(area.left() + _ICON_PX + SPACE_S)
        if is_chosen:
            tick = QRect(area.right() - _ICON_PX, area.top(), _ICON_PX, area.height())
            self._paint_icon(painter, tick, "check", "accent", _ICON_PX)
            area.setRight(tick.left() - _TIME_GAP)
        elif not row.summary.pinned:
            tint = "mute" if is_marked else "dim"
            area.setRight(self._paint_at_right(painter, area, str(index.data(TIME_ROLE)), tint=tint))
        name = str(index.data(Qt.ItemDataRole.DisplayRole))
        weight = QFont.Weight.DemiBold if is_active else QFont.Weight.Normal
        self._paint_words(painter, area, name, tint="text" if is_active else "text2", weight=weight)

    def _paint_icon(self, painter: QPainter, area: QRect, name: str, tint: str, px: int) -> None:
        pixmap = self._theme.pixmap(name, tint, px, ratio=self._view.devicePixelRatio())
        painter.drawPixmap(area.left(), area.center().y() - px // 2 + 1, pixmap)

    def _paint_dot(self, painter: QPainter, area: QRect, left: int, colour: Colour) -> int:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(shade(colour, scheme=self._theme.scheme))
        painter.drawEllipse(QRectF(left + 2, area.center().y() - _DOT_PX / 2 + 1, _DOT_PX, _DOT_PX))
        return left + _DOT_PX + SPACE_S

    def _paint_at_right(self, painter: QPainter, area: QRect, words: str, *, tint: str) -> int:
        """Draw short words at the right; return where the room before them ends."""
        painter.setFont(self._theme.ui_font(12))
        painter.setPen(self._theme.colour(tint))
        painter.drawText(area, int(_VERTICAL | Qt.AlignmentFlag.AlignRight), words)
        return area.right() - painter.fontMetrics().horizontalAdvance(words) - _TIME_GAP

    def _paint_words(
        self, painter: QPainter, area: QRect, words: str, *, tint: str, weight: QFont.Weight
    ) -> None:
        painter.setFont(self._theme.ui_font(14, weight))
        painter.setPen(self._theme.colour(tint))
        shown = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, _TO_THE_LEFT, in_own_direction(shown))

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:  # noqa: ARG002 - Qt's signature
        editor = QLineEdit(parent)
        is_folder = isinstance(index.data(ROW_ROLE), FolderRow)
        editor.setAccessibleName(tr("New name of the folder") if is_folder else tr("New name of the chat"))
        editor.setMaxLength(_TITLE_LIMIT)
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        assert isinstance(editor, QLineEdit)
        editor.setText(one_line(str(index.data(Qt.ItemDataRole.EditRole))))
        editor.selectAll()

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:  # noqa: ARG002 - Qt's signature
        editor.setGeometry(self.row_rect(option.rect).adjusted(1, 1, -1, -1))
