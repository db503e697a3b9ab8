"""Keyboard and mouse input in the table and the cards of the library."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QMenu

from fireside.ui.library.columns import Column
from fireside.ui.library.library_controller import LibraryController
from fireside.ui.library.menu import model_menu
from fireside.ui.library.model_delegate import ModelDelegate, Part
from fireside.ui.library.rows import ModelRow
from fireside.ui.library.table_model import ROW_ROLE

_OWN_KEYS = frozenset({Qt.Key.Key_F2, Qt.Key.Key_Delete, Qt.Key.Key_Backspace})
"""Keys handled here even where the window has a shortcut for them."""


class RowInput(QObject):
    """Enter opens, Ctrl+Enter chats, Space marks a favourite, F2 renames, Delete deletes; letters go to the
    filter."""

    search_requested = Signal(str)
    """Carries text to append to the search; empty to only focus the search field."""

    def __init__(
        self, view: QAbstractItemView, *, delegate: ModelDelegate, library: LibraryController
    ) -> None:
        super().__init__(view)
        self._view = view
        self._delegate = delegate
        self._library = library
        self._pressed: tuple[str, Part] | None = None
        view.setMouseTracking(True)
        view.viewport().setMouseTracking(True)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        # There is no selection, only a current index, which the views draw themselves.
        view.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.installEventFilter(self)
        view.viewport().installEventFilter(self)

    def rename(self) -> None:
        """Edit the name of the current row in place."""
        index = self._view.currentIndex().siblingAtColumn(int(Column.NAME))
        if index.flags() & Qt.ItemFlag.ItemIsEditable:
            self._view.scrollTo(index)
            self._view.edit(index)

    def show_menu(self, index: QModelIndex, *, at: QPoint) -> QMenu | None:
        """Open the context menu of a row; ``at`` is in viewport coordinates."""
        row = _row(index)
        if row is None:
            return None
        self._view.setCurrentIndex(index.siblingAtColumn(int(Column.NAME)))
        menu = model_menu(row, library=self._library, rename=self.rename, parent=self._view)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self._view.viewport().mapToGlobal(at))
        return menu

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        match event:
            case QKeyEvent() if watched is self._view:
                return self._on_key(event)
            case QMouseEvent() if watched is self._view.viewport():
                return self._on_mouse(event)
            case QContextMenuEvent():
                by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
                index = self._view.currentIndex() if by_key else self._view.indexAt(event.pos())
                at = self._view.visualRect(index).center() if by_key else event.pos()
                return self.show_menu(index, at=at) is not None
        return super().eventFilter(watched, event)

    # Keys

    def _on_key(self, event: QKeyEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride:
            if Qt.Key(event.key()) in _OWN_KEYS and not event.modifiers():
                event.accept()
                return True
            return False
        if event.type() is not QEvent.Type.KeyPress or self._is_editing():
            return False
        row = _row(self._view.currentIndex())
        action = self._action(event, row) if row is not None else None
        if action is not None:
            action()
            return True
        if event.key() == Qt.Key.Key_Escape:
            self.search_requested.emit("")
            return True
        return self._on_text_typed(event)

    def _action(self, event: QKeyEvent, row: ModelRow) -> Callable[[], object] | None:
        entry, spec = row.entry, row.entry.spec
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                    return lambda: self._chat_with(row)
                return lambda: self._library.open(entry.path)
            case Qt.Key.Key_Space if spec is not None:
                return lambda: self._library.mark_favourite(spec.id, not entry.user_metadata.favourite)
            case Qt.Key.Key_F2:
                return self.rename
            case Qt.Key.Key_Delete | Qt.Key.Key_Backspace if entry.removable:
                return lambda: self._library.confirm_removal(entry.path)
        return None

    def _on_text_typed(self, event: QKeyEvent) -> bool:
        mods = event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier)
        text = event.text()
        if mods or not text.strip() or not text.isprintable():
            return False
        self.search_requested.emit(text)
        return True

    # Mouse

    def _on_mouse(self, event: QMouseEvent) -> bool:
        pos = event.position().toPoint()
        index = self._view.indexAt(pos)
        row = _row(index)
        match event.type():
            case QEvent.Type.MouseMove:
                shape = Qt.CursorShape.ArrowCursor if row is None else Qt.CursorShape.PointingHandCursor
                self._view.viewport().setCursor(shape)
            case QEvent.Type.MouseButtonPress if event.button() is Qt.MouseButton.LeftButton:
                part = self._delegate.part_at(index, pos)
                self._pressed = (row.entry.path, part) if row is not None else None
                if row is not None and part is not Part.BODY:
                    self._view.setFocus(Qt.FocusReason.MouseFocusReason)
                    self._view.setCurrentIndex(index.siblingAtColumn(int(Column.NAME)))
                    return True
            case QEvent.Type.MouseButtonRelease if event.button() is Qt.MouseButton.LeftButton:
                pressed, self._pressed = self._pressed, None
                if row is not None and pressed == (
                    row.entry.path,
                    part := self._delegate.part_at(index, pos),
                ):
                    self._on_clicked(index, row, part, at=pos)
                    return True
            case QEvent.Type.MouseButtonDblClick:
                return True
        return False

    def _on_clicked(self, index: QModelIndex, row: ModelRow, part: Part, *, at: QPoint) -> None:
        self._view.setCurrentIndex(index.siblingAtColumn(int(Column.NAME)))
        match part:
            case Part.BODY:
                self._library.open(row.entry.path)
            case Part.STAR if row.entry.spec is not None:
                self._library.mark_favourite(row.entry.spec.id, not row.entry.user_metadata.favourite)
            case Part.CHAT:
                self._chat_with(row)
            case Part.MORE:
                self.show_menu(index, at=at)

    def _chat_with(self, row: ModelRow) -> None:
        if row.entry.can_chat and row.entry.spec is not None:
            self._library.router.use_model(row.entry.spec.id)

    def _is_editing(self) -> bool:
        return self._view.state() == QAbstractItemView.State.EditingState


def _row(index: QModelIndex) -> ModelRow | None:
    row = index.data(ROW_ROLE) if index.isValid() else None
    return row if isinstance(row, ModelRow) else None
