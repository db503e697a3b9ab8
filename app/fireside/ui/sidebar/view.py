"""The list itself: keyboard, mouse and menu."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QContextMenuEvent, QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QMenu, QWidget

from fireside.core.ids import ConversationId
from fireside.ui.sidebar.delegate import ConversationDelegate
from fireside.ui.sidebar.model import ConversationModel, Index
from fireside.ui.theme import Theme


class ConversationList(QListView):
    """Says which conversation is wanted; changes nothing itself."""

    opened = Signal(object)
    pin_wanted = Signal(object)
    unpin_wanted = Signal(object)
    delete_wanted = Signal(object)
    search_wanted = Signal()

    def __init__(self, *, model: ConversationModel, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._conversations = model
        self._theme = theme
        self._current: ConversationId | None = None
        self.setModel(model)
        self.setItemDelegate(ConversationDelegate(theme=theme, parent=self))
        self.setAccessibleName("Chats")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        # Laying out in portions keeps the first paint quick with ten thousand chats.
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setBatchSize(500)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        model.rowsInserted.connect(self._on_rows_moved)
        model.rowsRemoved.connect(self._on_rows_moved)
        theme.changed.connect(self._on_theme_changed)

    def show_current(self, conversation_id: ConversationId | None) -> None:
        """Put the keyboard's place on a conversation and scroll to it."""
        self._current = conversation_id
        index = self._conversations.index_of(conversation_id)
        self.setCurrentIndex(index)
        if index.isValid():
            self.scrollTo(index)

    def rename(self, conversation_id: ConversationId | None) -> None:
        """Open the editor on a conversation's title."""
        index = self._conversations.index_of(conversation_id)
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)
            self.edit(index)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        conversation_id = self._conversations.id_at(current)
        if conversation_id is not None:
            self._current = conversation_id

    def keyPressEvent(self, event: QKeyEvent) -> None:
        conversation_id = self._conversations.id_at(self.currentIndex())
        editing = self.state() == QAbstractItemView.State.EditingState
        if conversation_id is None or editing:
            super().keyPressEvent(event)
            return
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_Space:
                self.opened.emit(conversation_id)
            case Qt.Key.Key_F2:
                self.rename(conversation_id)
            case Qt.Key.Key_Delete | Qt.Key.Key_Backspace:
                self.delete_wanted.emit(conversation_id)
            case Qt.Key.Key_Escape:
                self.search_wanted.emit()
            case _:
                super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        conversation_id = self._conversations.id_at(self.indexAt(event.position().toPoint()))
        if event.button() == Qt.MouseButton.LeftButton and conversation_id is not None:
            self.opened.emit(conversation_id)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.currentIndex().isValid():
            first = next(
                (
                    i
                    for row in range(self._conversations.rowCount())
                    if self._conversations.id_at(i := self._conversations.index(row)) is not None
                ),
                QModelIndex(),
            )
            self.setCurrentIndex(first)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        conversation_id = self._conversations.id_at(index)
        if conversation_id is not None:
            at = self.visualRect(index).center() if by_key else event.pos()
            self.show_menu(conversation_id, at=at)

    def show_menu(self, conversation_id: ConversationId, *, at: QPoint) -> QMenu:
        """Open the menu of one conversation; ``at`` is inside the list."""
        summary = self._conversations.summary(conversation_id)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        pinned = summary is not None and summary.pinned
        pin = self.unpin_wanted if pinned else self.pin_wanted
        for words, icon, act in (
            ("Open", "message-square", lambda: self.opened.emit(conversation_id)),
            ("Rename", "pencil", lambda: self.rename(conversation_id)),
            ("Unpin" if pinned else "Pin", "pin-off" if pinned else "pin", lambda: pin.emit(conversation_id)),
            ("Delete", "trash-2", lambda: self.delete_wanted.emit(conversation_id)),
        ):
            action = QAction(self._theme.icon(icon, "mute", 16), words, menu)
            # After the menu has closed, else it takes the focus back from the title's editor.
            action.triggered.connect(lambda _checked=False, act=act: QTimer.singleShot(0, self, act))
            menu.addAction(action)
        menu.popup(self.viewport().mapToGlobal(at))
        return menu

    def _on_rows_moved(self) -> None:
        if self._conversations.id_at(self.currentIndex()) != self._current:
            self.setCurrentIndex(self._conversations.index_of(self._current))

    def _on_theme_changed(self) -> None:
        self.scheduleDelayedItemsLayout()
        self.viewport().update()
