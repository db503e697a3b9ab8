"""Paint the rows of the sidebar and edit their names in place."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QLineEdit, QStyle, QStyleOptionViewItem, QWidget

from fireside.core.chat import Colour
from fireside.core.i18n import tr
from fireside.ui.kit.list_model import Index
from fireside.ui.kit.row_painter import RowDelegate, RowPainter
from fireside.ui.sidebar.colours import shade
from fireside.ui.sidebar.groups import ArchiveRow, ConversationRow, EmptyFolderRow, FolderRow, GroupHeading
from fireside.ui.sidebar.model import ACTIVE_ROLE, ROW_ROLE, TIME_ROLE
from fireside.ui.theme import SPACE_S, Scheme, theme
from fireside.ui.widgets.text import one_line

SCROLL_BAR_PX: Final = 8
"""Pixels kept free for the scroll bar at the right of each row, and at its left as much."""
_LEFT: Final = 12
_INDENT: Final = 21
_TIME_GAP: Final = 8
_ICON_PX: Final = 14
_FOLDER_PX: Final = 16
_DOT_PX: Final = 8
_TITLE_LIMIT: Final = 200
_MORE_PX: Final = 30
"""Width in pixels of the area of a row's “⋯” that takes clicks."""


class ConversationDelegate(RowDelegate):
    """Paints headings, folders and conversations without a widget per row, for lists of ten thousand."""

    def __init__(self, *, view: QWidget) -> None:
        super().__init__(view=view)
        self.marks_selected = False
        """Whether several chats are selected, so that each selected one is marked."""

    def row_height(self, index: Index) -> float:
        return 36 if isinstance(index.data(ROW_ROLE), GroupHeading) else 21 + theme().density_scaled(16)

    def draw(self, row: RowPainter, box: QRect, option: QStyleOptionViewItem, index: Index) -> None:
        match index.data(ROW_ROLE):
            case GroupHeading(text=text):
                self._draw_heading(row, box, text)
            case FolderRow(folder=folder, n_chats=n):
                icon = "folder-open" if folder.is_open else "folder"
                area = self._draw_background(row, option, is_marked=False)
                area = _draw_folder_icon(row, area, icon, colour=folder.colour, scheme=theme().scheme)
                _draw_section(row, area, one_line(folder.name), n=n, is_open=folder.is_open)
            case ArchiveRow(n_chats=n, is_open=is_open):
                area = self._draw_background(row, option, is_marked=False)
                area = _draw_folder_icon(row, area, "archive", colour=None, scheme=theme().scheme)
                _draw_section(row, area, tr("Archive"), n=n, is_open=is_open)
            case EmptyFolderRow():
                area = self.row_rect(box).adjusted(_LEFT + _INDENT, 0, -_TIME_GAP, 0)
                row.draw_text(str(index.data(Qt.ItemDataRole.DisplayRole)), within=area, px=13, tint="dim")
            case ConversationRow() as conversation:
                self._draw_conversation(row, option, index, conversation)

    def row_rect(self, rect: QRect) -> QRect:
        """Return the painted part of a row; the scroll bar lies in the margin and does not narrow it."""
        row_area = QRect(rect)
        row_area.setRight(min(row_area.right(), self.view.width() - SCROLL_BAR_PX - 1))
        return row_area

    def more_rect(self, rect: QRect) -> QRect:
        """Return the area that opens a row's menu."""
        more_area = self.row_rect(rect)
        more_area.setLeft(more_area.right() - theme().scaled_up(_MORE_PX))
        return more_area

    def _draw_heading(self, row: RowPainter, box: QRect, text: str) -> None:
        row.painter.setFont(theme().ui_font(11.5, QFont.Weight.DemiBold))
        row.painter.setPen(theme().colour("dim"))
        area = box.adjusted(_LEFT, 0, -_LEFT, -5)
        row.painter.drawText(area, int(Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft), text)

    def _draw_background(self, row: RowPainter, option: QStyleOptionViewItem, *, is_marked: bool) -> QRect:
        """Draw the background of a row; return the rectangle for its contents."""
        rect = self.row_rect(option.rect)
        row.draw_background(rect, option, is_marked=is_marked, inset=(0.5, 1.5))
        return rect.adjusted(_LEFT, 0, -_TIME_GAP - 1, 0)

    def _draw_conversation(
        self, row: RowPainter, option: QStyleOptionViewItem, index: Index, conversation: ConversationRow
    ) -> None:
        summary = conversation.summary
        is_active = bool(index.data(ACTIVE_ROLE))
        is_selected = self.marks_selected and bool(option.state & QStyle.StateFlag.State_Selected)
        is_marked = is_selected or (is_active and not self.marks_selected)
        area = self._draw_background(row, option, is_marked=is_marked)
        if conversation.is_inside:
            area.setLeft(area.left() + _INDENT)
        if summary.colour is not None:
            area.setLeft(_draw_dot(row, area, summary.colour, scheme=theme().scheme))
        if summary.pinned and not summary.archived:
            area.setLeft(row.draw_icon("pin", at=area, tint="accent", px=_ICON_PX) + SPACE_S)
        if is_selected:
            area.setRight(
                row.draw_icon("check", at=area, tint="accent", px=_ICON_PX, at_right=True) - _TIME_GAP
            )
        elif option.state & QStyle.StateFlag.State_MouseOver:
            left = row.draw_icon("ellipsis", at=area, tint="mute", px=_ICON_PX, at_right=True)
            area.setRight(left - _TIME_GAP)
        elif not summary.pinned:
            tint = "mute" if is_marked else "dim"
            time = str(index.data(TIME_ROLE))
            area.setRight(row.draw_text(time, within=area, px=12, tint=tint, at_right=True) - _TIME_GAP)
        row.draw_text(
            str(index.data(Qt.ItemDataRole.DisplayRole)),
            within=area,
            tint="text" if is_active else "text2",
            weight=QFont.Weight.DemiBold if is_active else QFont.Weight.Normal,
        )

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:  # noqa: ARG002 - Qt's signature
        editor = QLineEdit(parent)
        is_folder = isinstance(index.data(ROW_ROLE), FolderRow)
        editor.setAccessibleName(tr("Folder name") if is_folder else tr("Chat name"))
        editor.setMaxLength(_TITLE_LIMIT)
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        assert isinstance(editor, QLineEdit)
        editor.setText(one_line(str(index.data(Qt.ItemDataRole.EditRole))))
        editor.selectAll()

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:  # noqa: ARG002 - Qt's signature
        editor.setGeometry(self.row_rect(option.rect).adjusted(1, 1, -1, -1))


def _draw_folder_icon(
    row: RowPainter, area: QRect, icon: str, *, colour: Colour | None, scheme: Scheme
) -> QRect:
    """Draw a folder's icon and colour; return the rectangle to the right of them."""
    area.setLeft(row.draw_icon(icon, at=area, tint="mute", px=_FOLDER_PX) + SPACE_S - 3)
    if colour is not None:
        area.setLeft(_draw_dot(row, area, colour, scheme=scheme))
    return area


def _draw_section(row: RowPainter, area: QRect, name: str, *, n: int, is_open: bool) -> None:
    icon = "chevron-down" if is_open else "chevron-right"
    area.setRight(row.draw_icon(icon, at=area, tint="dim", px=_ICON_PX, at_right=True) - 4)
    count = row.draw_text(f"{n:,}", within=area, px=12, tint="dim", at_right=True)
    area.setRight(count - _TIME_GAP)
    row.draw_text(name, within=area, tint="text2", weight=QFont.Weight.Medium)


def _draw_dot(row: RowPainter, area: QRect, colour: Colour, *, scheme: Scheme) -> int:
    """Draw a chat's colour at the left; return the x position of what follows."""
    row.painter.setPen(Qt.PenStyle.NoPen)
    row.painter.setBrush(shade(colour, scheme=scheme))
    at = QRectF(area.left() + 2, area.center().y() - _DOT_PX / 2 + 1, _DOT_PX, _DOT_PX)
    row.painter.drawEllipse(at)
    return area.left() + _DOT_PX + SPACE_S
