"""Drag chats and folders in the list: show where they would be dropped, and move them on release.

QDrag is not used, because it runs an event loop of its own inside ours; nothing is ever dragged out of the
list.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from PySide6.QtCore import QModelIndex, QPoint, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import (
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QAbstractItemView, QLabel, QListView, QWidget

from fireside.core.i18n import tr
from fireside.core.ids import ConversationId, FolderId
from fireside.ui.sidebar.folder_controller import FolderController
from fireside.ui.sidebar.groups import (
    PINNED,
    ArchiveRow,
    ConversationRow,
    EmptyFolderRow,
    FolderRow,
    GroupHeading,
    Row,
)
from fireside.ui.sidebar.model import ConversationModel, chat_count
from fireside.ui.theme import RADIUS_M, RADIUS_S, theme
from fireside.ui.widgets.text import one_line
from fireside.ui.window_context import WindowContext


class IntoFolder(msgspec.Struct, frozen=True):
    """The chats are moved into a folder."""

    folder_id: FolderId


class IntoArchive(msgspec.Struct, frozen=True):
    """The chats are archived."""


class IntoPinned(msgspec.Struct, frozen=True):
    """The chats are pinned."""


class IntoList(msgspec.Struct, frozen=True):
    """The chats are moved out of their folder, the archive or the pinned group."""


DropTarget = IntoFolder | IntoArchive | IntoPinned | IntoList


def drop_target(row: Row | None) -> DropTarget:
    """Return the target of chats dropped on ``row``; ``None`` is the empty area below the list."""
    match row:
        case FolderRow(folder=folder):
            return IntoFolder(folder.id)
        case EmptyFolderRow(folder_id=folder_id):
            return IntoFolder(folder_id)
        case ArchiveRow():
            return IntoArchive()
        case ConversationRow(summary=summary, is_inside=True):
            if summary.archived or summary.folder_id is None:
                return IntoArchive()
            return IntoFolder(summary.folder_id)
        case ConversationRow(summary=summary) if summary.pinned:
            return IntoPinned()
        case GroupHeading(text=text) if text == tr(PINNED):
            return IntoPinned()
        case _:
            return IntoList()


def folder_drop_position(rows: Sequence[Row], *, at: int, is_upper_half: bool) -> int:
    """Return the position among the folders, from 0, of a drop line drawn at row ``at``.

    On a folder's row the line is above or below it; on the rows of the chats inside it, below the folder.
    """
    n_above = sum(isinstance(row, FolderRow) for row in rows[: at + 1])
    on_folder = 0 <= at < len(rows) and isinstance(rows[at], FolderRow)
    return n_above - 1 if on_folder and is_upper_half else n_above


def position_after_drop(rows: Sequence[Row], folder_id: FolderId, *, drop_position: int) -> int | None:
    """Return the new position of a folder dropped at ``drop_position``; ``None`` if it does not move."""
    order = [row.folder.id for row in rows if isinstance(row, FolderRow)]
    if folder_id not in order:
        return None
    current = order.index(folder_id)
    new = drop_position - 1 if drop_position > current else drop_position
    return new if new != current else None


_EDGE_PX: Final = 28
_SCROLL_PX: Final = 14
_SCROLL_MS: Final = 30
_OFFSET: Final = QPoint(12, 8)
_CHIP_MAX_PX: Final = 220
_CHIP_PAD_PX: Final = 12
_CHIP_HEIGHT_PX: Final = 32


class DraggingList(QListView):
    """The part of the list view that handles dragging."""

    def __init__(
        self,
        context: WindowContext,
        *,
        model: ConversationModel,
        folders: FolderController,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._conversations = model
        self._folders = folders
        self._router = context.router
        self._pressed_index = QModelIndex()
        self._pressed_at: QPoint | None = None
        self._dragged: FolderId | tuple[ConversationId, ...] | None = None
        """The folder, or the chats, being dragged; ``None`` without a drag."""
        self._drag_at = QPoint()
        self._drop_mark: QRect | None = None
        """The rectangle that marks the drop target; a flat one is drawn as a line."""
        self._chip = QLabel(self)
        self._chip.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._chip.hide()
        self._scroll_timer = QTimer(self, interval=_SCROLL_MS)
        self._scroll_timer.timeout.connect(self._on_scroll_due)

    @property
    def selected_ids(self) -> tuple[ConversationId, ...]:
        """The chats that are selected together, from the top; empty unless there are at least two."""
        raise NotImplementedError

    @property
    def is_dragging(self) -> bool:
        return self._dragged is not None

    @property
    def drop_mark(self) -> QRect | None:
        return self._drop_mark

    # Pressing and moving

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        self._pressed_index = self.indexAt(at)
        is_left = event.button() == Qt.MouseButton.LeftButton
        self._pressed_at = at if is_left and self._pressed_index.isValid() else None
        if (
            is_left
            and self._conversations.id_at(self._pressed_index) in self.selected_ids
            and not event.modifiers()
        ):
            # The selection is kept until the button is released: all selected chats may be dragged together.
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            return
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        if self._pressed_at is None or not event.buttons() & Qt.MouseButton.LeftButton:
            super().mouseMoveEvent(event)
            return
        distance = (at - self._pressed_at).manhattanLength()
        if not self.is_dragging and distance >= QGuiApplication.styleHints().startDragDistance():
            self._begin()
        if self.is_dragging:
            self._drag_to(at)

    def _begin(self) -> None:
        match self._conversations.row_at(self._pressed_index):
            case FolderRow(folder=folder):
                self._dragged, label = folder.id, one_line(folder.name)
            case ConversationRow(summary=summary):
                ids = self.selected_ids if summary.id in self.selected_ids else (summary.id,)
                self._dragged = ids
                label = one_line(summary.title) if len(ids) == 1 else chat_count(len(ids))
            case _:
                return
        pixmap = _drag_pixmap(label, ratio=self.devicePixelRatio())
        self._chip.setPixmap(pixmap)
        self._chip.adjustSize()
        self._chip.show()
        self._chip.raise_()
        self.setCursor(Qt.CursorShape.ClosedHandCursor)
        # So that Escape cancels the drag, wherever the focus was.
        self.setFocus(Qt.FocusReason.MouseFocusReason)

    def _drag_to(self, at: QPoint) -> None:
        self._drag_at = at
        area = self.rect().adjusted(0, 0, -self._chip.width(), -self._chip.height())
        position = at + _OFFSET
        self._chip.move(max(0, min(position.x(), area.right())), max(0, min(position.y(), area.bottom())))
        self._show_mark(self._mark_at(at))
        near_edge = at.y() < _EDGE_PX or at.y() > self.viewport().height() - _EDGE_PX
        if near_edge and not self._scroll_timer.isActive():
            self._scroll_timer.start()
        elif not near_edge:
            self._scroll_timer.stop()

    def _on_scroll_due(self) -> None:
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + (_SCROLL_PX if self._drag_at.y() > _EDGE_PX else -_SCROLL_PX))
        self._show_mark(self._mark_at(self._drag_at))

    # Dropping

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        dragged, self._pressed_at = self._dragged, None
        self.end_drag()
        if dragged is None:
            super().mouseReleaseEvent(event)
        else:
            self.setState(QAbstractItemView.State.NoState)
            self._drop(dragged, event.position().toPoint())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.is_dragging and event.key() == Qt.Key.Key_Escape:
            self._pressed_at = None
            self.end_drag()
            return
        super().keyPressEvent(event)

    def end_drag(self) -> None:
        """End the drag without a drop."""
        self._dragged = None
        self._scroll_timer.stop()
        self._chip.hide()
        self.unsetCursor()
        self._show_mark(None)

    def _drop(self, dragged: FolderId | tuple[ConversationId, ...], at: QPoint) -> None:
        if not self.viewport().rect().contains(at):
            return
        if not isinstance(dragged, tuple):
            position = position_after_drop(
                self._conversations.rows, dragged, drop_position=self._folder_position(at)
            )
            if position is not None:
                self._folders.move_folder(dragged, position)
            return
        match drop_target(self._conversations.row_at(self.indexAt(at))):
            case IntoFolder(folder_id=folder_id):
                self._folders.move(dragged, folder_id)
            case IntoArchive():
                self._folders.archive(dragged)
            case IntoPinned():
                self._pin(dragged)
            case IntoList():
                self._folders.move(dragged, None)

    def _pin(self, ids: tuple[ConversationId, ...]) -> None:
        summaries = [s for s in map(self._conversations.summary, ids) if s is not None]
        if moved := tuple(s.id for s in summaries if s.archived or s.folder_id is not None):
            self._folders.move(moved, None)  # a chat is listed once, in its folder rather than as pinned
        self._folders.pin(ids, pinned=True)

    def _folder_position(self, at: QPoint) -> int:
        rows, index = self._conversations.rows, self.indexAt(at)
        if not index.isValid():
            return folder_drop_position(rows, at=len(rows), is_upper_half=False)
        is_upper = at.y() < self.visualRect(index).center().y()
        return folder_drop_position(rows, at=index.row(), is_upper_half=is_upper)

    # Drop mark

    def _mark_at(self, at: QPoint) -> QRect | None:
        if not isinstance(self._dragged, tuple):
            return self._line_at(self._folder_position(at))
        match drop_target(self._conversations.row_at(self.indexAt(at))):
            case IntoFolder(folder_id=folder_id):
                return self._folder_rect(folder_id)
            case IntoArchive():
                return self.visualRect(self._conversations.archive_index())
            case IntoPinned():
                return self.visualRect(self._conversations.index(0, 0))  # its heading is the first row
            case IntoList():
                return None

    def _folder_rect(self, folder_id: FolderId) -> QRect:
        return self.visualRect(self._conversations.folder_index(folder_id))

    def _line_at(self, position: int) -> QRect | None:
        folders = self._conversations.folders
        if position < len(folders):
            rect = self._folder_rect(folders[position].id)
            return QRect(rect.left(), rect.top(), rect.width(), 0)
        last = self._conversations.end_of_folders()
        rect = self.visualRect(last)
        return QRect(rect.left(), rect.bottom() + 1, rect.width(), 0) if last.isValid() else None

    def _show_mark(self, mark: QRect | None) -> None:
        if mark != self._drop_mark:
            self._drop_mark = mark
            self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._drop_mark is None:
            return
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme().colour("accent"), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        mark = QRectF(self._drop_mark).adjusted(1, 0, -11, 0)
        if self._drop_mark.height():
            painter.drawRoundedRect(mark.adjusted(0, 2, 0, -2), RADIUS_S + 1, RADIUS_S + 1)
        else:
            painter.drawLine(mark.topLeft(), mark.topRight())
        painter.end()


def _drag_pixmap(label: str, *, ratio: float) -> QPixmap:
    """Return an image of ``label`` to show at the pointer."""
    font = theme().ui_font(13)
    metrics = QFontMetrics(font)
    elided = metrics.elidedText(label, Qt.TextElideMode.ElideRight, _CHIP_MAX_PX)
    width = metrics.horizontalAdvance(elided) + 2 * _CHIP_PAD_PX
    pixmap = QPixmap(round(width * ratio), round(_CHIP_HEIGHT_PX * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(theme().colour("edge"))
    painter.setBrush(theme().colour("card"))
    painter.drawRoundedRect(QRectF(0.5, 0.5, width - 1, _CHIP_HEIGHT_PX - 1), RADIUS_M, RADIUS_M)
    painter.setFont(font)
    painter.setPen(theme().colour("text"))
    painter.drawText(QRectF(0, 0, width, _CHIP_HEIGHT_PX), int(Qt.AlignmentFlag.AlignCenter), elided)
    painter.end()
    return pixmap
