"""The list view of the sidebar: keyboard, mouse, multiple selection, menus."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QMenu

from fireside.core.i18n import tr
from fireside.core.ids import ConversationId, FolderId
from fireside.ui.sidebar.delegate import ConversationDelegate
from fireside.ui.sidebar.dragging import DraggingList
from fireside.ui.sidebar.folder_controller import FolderController
from fireside.ui.sidebar.groups import ArchiveRow, ConversationRow, FolderRow
from fireside.ui.sidebar.menus import Menus
from fireside.ui.sidebar.model import ConversationModel, Index
from fireside.ui.theme import theme
from fireside.ui.window_context import WindowContext

_CONTROL = Qt.KeyboardModifier.ControlModifier
_SHIFT = Qt.KeyboardModifier.ShiftModifier
_FLAG = QItemSelectionModel.SelectionFlag


class ConversationList(DraggingList):
    """Shows the model; passes actions to the router and the ``FolderController``."""

    search_requested = Signal()
    selected_ids_changed = Signal()
    """Emitted when the group of selected chats changes, or there is none any more."""

    def __init__(
        self, context: WindowContext, *, model: ConversationModel, folders: FolderController
    ) -> None:
        super().__init__(context, model=model, folders=folders)
        self._current: ConversationId | None = None
        self._current_folder: FolderId | None = None
        self._selected_ids: tuple[ConversationId, ...] = ()
        self._is_regrouping = False
        self._menus = Menus(context, folders=folders, owner=self)
        self._delegate = ConversationDelegate(view=self)
        self.setModel(model)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(tr("Chats"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        # Layout in batches keeps the first paint quick with ten thousand chats.
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setBatchSize(500)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        model.about_to_regroup.connect(self._on_regroup_begins)
        model.regrouped.connect(self._on_regrouped)
        theme().changed.connect(self._on_theme_changed)

    # Current row and selection

    @property
    def selected_ids(self) -> tuple[ConversationId, ...]:
        return self._selected_ids

    def show_current(self, conversation_id: ConversationId | None) -> None:
        """Make a conversation's row the current one and scroll to it."""
        self.mark_current(conversation_id)
        if self.currentIndex().isValid():
            self.scrollTo(self.currentIndex())

    def mark_current(self, conversation_id: ConversationId | None) -> None:
        """Make a conversation's row the current one, where the list stands."""
        self._current, self._current_folder = conversation_id, None
        self._set_current(self._conversations.index_of(conversation_id))

    def select_ids(self, ids: Iterable[ConversationId]) -> None:
        """Select these chats and no others."""
        selection = QItemSelection()
        for index in self._conversations.indexes_of(ids):
            selection.select(index, index)
        self.selectionModel().select(selection, _FLAG.ClearAndSelect)

    def clear_chat_selection(self) -> None:
        """Reduce the selection to the current row."""
        self.selectionModel().select(self.currentIndex(), _FLAG.ClearAndSelect)

    def rename(self, conversation_id: ConversationId | None) -> None:
        """Edit a conversation's title in place."""
        self._edit(self._conversations.index_of(conversation_id))

    def rename_folder(self, folder_id: FolderId) -> None:
        """Edit a folder's name in place."""
        self._edit(self._conversations.folder_index(folder_id))

    def _edit(self, index: QModelIndex) -> None:
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)
            self.edit(index)

    def _set_current(self, index: QModelIndex) -> None:
        if self._selected_ids:
            # Several are selected: opening a chat must not clear that selection.
            self.selectionModel().setCurrentIndex(index, _FLAG.NoUpdate)
        else:
            self.setCurrentIndex(index)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if self._is_regrouping:
            return
        match self._conversations.row_at(current):
            case ConversationRow(summary=summary):
                self._current, self._current_folder = summary.id, None
            case FolderRow(folder=folder):
                self._current_folder = folder.id
            case _:
                pass

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        if not self._is_regrouping:
            self._update_selected_ids()

    def _update_selected_ids(self) -> None:
        rows = sorted(index.row() for index in self.selectionModel().selectedIndexes())
        candidates = (self._conversations.id_at(self._conversations.index(row)) for row in rows)
        ids = tuple(id_ for id_ in candidates if id_ is not None)
        selected = ids if len(ids) > 1 else ()
        if selected != self._selected_ids:
            self._selected_ids = selected
            self._delegate.marks_selected = bool(selected)
            self.viewport().update()
            self.selected_ids_changed.emit()

    def _on_regroup_begins(self) -> None:
        self._is_regrouping = True

    def _on_regrouped(self) -> None:
        """Restore the current row and the selection after the rows were recomputed."""
        if self._selected_ids:
            self.select_ids(self._selected_ids)
        if self._current_folder is not None:
            index = self._conversations.folder_index(self._current_folder)
        else:
            index = self._conversations.index_of(self._current)
        if index != self.currentIndex():
            self._set_current(index)
        self._is_regrouping = False
        self._update_selected_ids()

    # Keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self._conversations.row_at(self.currentIndex())
        if self.is_dragging or self.state() == QAbstractItemView.State.EditingState:
            super().keyPressEvent(event)
            return
        match row:
            case ConversationRow(summary=summary):
                done = self._press_on_chat(event, summary.id)
            case FolderRow() | ArchiveRow():
                done = self._press_on_folder(event, row)
            case _:
                done = False
        if not done:
            super().keyPressEvent(event)

    def _press_on_chat(self, event: QKeyEvent, conversation_id: ConversationId) -> bool:
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self._router.open_chat(conversation_id)
            case Qt.Key.Key_Space if not event.modifiers() & _CONTROL:
                self._router.open_chat(conversation_id)
            case Qt.Key.Key_F2:
                self.rename(conversation_id)
            case Qt.Key.Key_Delete | Qt.Key.Key_Backspace if self._selected_ids:
                self._folders.delete(self._selected_ids)
            case Qt.Key.Key_Delete | Qt.Key.Key_Backspace:
                self._folders.delete((conversation_id,))
            case Qt.Key.Key_Escape if self._selected_ids:
                self.clear_chat_selection()
            case Qt.Key.Key_Escape:
                self.search_requested.emit()
            case Qt.Key.Key_Left:
                self._go_to_folder_of_current()
            case _:
                return False
        return True

    def _press_on_folder(self, event: QKeyEvent, row: FolderRow | ArchiveRow) -> bool:
        is_open = row.folder.is_open if isinstance(row, FolderRow) else row.is_open
        keys = event.modifiers()
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if isinstance(row, FolderRow) and row.folder.is_project:
                self._router.show_project(row.folder.id)
            case Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_Space:
                self._toggle(row)
            case Qt.Key.Key_Right if not is_open:
                self._toggle(row)
            case Qt.Key.Key_Left if is_open:
                self._toggle(row)
            case Qt.Key.Key_Escape if self._selected_ids:
                self.clear_chat_selection()
            case Qt.Key.Key_Escape:
                self.search_requested.emit()
            case Qt.Key.Key_F2 if isinstance(row, FolderRow):
                self.rename_folder(row.folder.id)
            case Qt.Key.Key_Delete | Qt.Key.Key_Backspace if isinstance(row, FolderRow):
                self._folders.delete_folder(row.folder.id)
            case Qt.Key.Key_Up | Qt.Key.Key_Down as key if (
                keys & _CONTROL and keys & _SHIFT and isinstance(row, FolderRow)
            ):
                self._move_folder(row.folder.id, by=1 if key == Qt.Key.Key_Down else -1)
            case _:
                return False
        return True

    def _go_to_folder_of_current(self) -> None:
        rows = self._conversations.rows
        at = self.currentIndex().row()
        row = rows[at]
        if not isinstance(row, ConversationRow) or not row.is_inside:
            return
        while isinstance(rows[at], ConversationRow):
            at -= 1
        self.setCurrentIndex(self._conversations.index(at))

    def _toggle(self, row: FolderRow | ArchiveRow) -> None:
        match row:
            case FolderRow(folder=folder):
                self._folders.open_folder(folder.id, not folder.is_open)
            case ArchiveRow(is_open=is_open):
                self._conversations.set_archive_open(not is_open)

    def _move_folder(self, folder_id: FolderId, *, by: int) -> None:
        order = [folder.id for folder in self._conversations.folders]
        position = order.index(folder_id) + by
        if 0 <= position < len(order):
            self._folders.move_folder(folder_id, position)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.currentIndex().isValid():
            indexes = (self._conversations.index(row) for row in range(self._conversations.rowCount()))
            first = next((i for i in indexes if i.flags() & Qt.ItemFlag.ItemIsEnabled), QModelIndex())
            self._set_current(first)

    # Mouse

    def end_drag(self) -> None:
        """End the drag without a drop; a chat that was dragged alone is not selected by that."""
        if self.is_dragging and not self._selected_ids:
            self._set_current(self._conversations.index_of(self._conversations.active))
        super().end_drag()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        was_dragging = self.is_dragging
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.MiddleButton:
            if (conversation_id := self._conversations.id_at(index)) is not None:
                self._router.open_window(conversation_id)
            return
        plain = not event.modifiers() & (_CONTROL | _SHIFT)
        if (
            event.button() != Qt.MouseButton.LeftButton
            or not plain
            or was_dragging
            or index != self._pressed_index
        ):
            return
        at_end = self._delegate.more_rect(self.visualRect(index)).contains(event.position().toPoint())
        match self._conversations.row_at(index):
            case ConversationRow(summary=summary) if at_end:
                self.show_menu(summary.id, at=self.visualRect(index).bottomRight())
            case ConversationRow(summary=summary):
                if self._selected_ids:
                    self.setCurrentIndex(index)
                self._router.open_chat(summary.id)
            case FolderRow(folder=folder) if folder.is_project and not at_end:
                self._router.show_project(folder.id)
            case FolderRow() | ArchiveRow() as row:
                self._toggle(row)
            case _:
                pass

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        at = self.visualRect(index).center() if by_key else event.pos()
        match self._conversations.row_at(index):
            case ConversationRow(summary=summary):
                self.show_menu(summary.id, at=at)
            case FolderRow(folder=folder):
                self.show_folder_menu(folder.id, at=at)
            case _:
                event.ignore()  # the sidebar has a menu for the whole list

    # Menus

    def show_menu(self, conversation_id: ConversationId, *, at: QPoint) -> QMenu:
        """Open the menu of a conversation, or of all that are selected with it; ``at`` is a point in the
        list."""
        model = self._conversations
        if conversation_id in self._selected_ids:
            summaries = (model.summary(id_) for id_ in self._selected_ids)
            menu = self._menus.for_chats([s for s in summaries if s is not None], folders=model.folders)
        else:
            menu = self._conversation_menu(conversation_id)
        menu.popup(self.viewport().mapToGlobal(at))
        return menu

    def _conversation_menu(self, conversation_id: ConversationId) -> QMenu:
        summary = self._conversations.summary(conversation_id)
        assert summary is not None
        return self._menus.for_chat(
            summary,
            folders=self._conversations.folders,
            rename=lambda: self.rename(conversation_id),
        )

    def show_folder_menu(self, folder_id: FolderId, *, at: QPoint) -> QMenu:
        """Open the menu of a folder; ``at`` is a point in the list."""
        folders = self._conversations.folders
        position = [folder.id for folder in folders].index(folder_id)
        menu = self._menus.for_folder(
            folders[position],
            position=position,
            n_folders=len(folders),
            rename=lambda: self.rename_folder(folder_id),
        )
        menu.popup(self.viewport().mapToGlobal(at))
        return menu

    def _on_theme_changed(self) -> None:
        self.scheduleDelayedItemsLayout()
        self.viewport().update()
