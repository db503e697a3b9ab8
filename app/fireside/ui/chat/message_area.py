"""What a person may do to the messages of a transcript, by buttons, keys and menu, said as one wish each."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QAction, QContextMenuEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from fireside.core.i18n import tr
from fireside.core.ids import MessageId
from fireside.ui.chat.actions import MessageAction, actions_for, menu_action
from fireside.ui.chat.inline_notices import copy_to_clipboard
from fireside.ui.chat.links import OpenUrl
from fireside.ui.chat.message import MessageView
from fireside.ui.chat.message_item import Entry
from fireside.ui.chat.plain_copy import plain_words
from fireside.ui.chat.selectable_area import ReadingArea


class SteerableArea(ReadingArea):
    """A page of messages that can be edited, branched, pinned and more. A subclass holds the messages."""

    action_wanted = Signal(object, object)
    """``MessageId`` and ``MessageAction``."""
    branch_wanted = Signal(object)
    """``MessageId`` of the sibling to show."""
    edit_saved = Signal(object, str)
    """``MessageId`` and its new words. The editor stays until ``end_edit``."""
    edit_rested = Signal(object, object)
    """``MessageId`` and what its words are being changed to, to be kept; ``None`` where nobody does now."""
    tree_wanted = Signal()
    pins_changed = Signal()

    def __init__(self, *, open_url: OpenUrl, parent: QWidget | None) -> None:
        super().__init__(open_url=open_url, parent=parent)
        self.speaks: Callable[[], bool] | None = None
        """What says whether an answer is being read aloud; ``None`` where there is no voice."""
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus_changed)

    def index_of(self, message_id: MessageId) -> int | None:
        """Where a message is in the branch that is shown."""
        raise NotImplementedError

    def entry_changed(self, index: int) -> None:
        """An entry was changed: show it."""
        raise NotImplementedError

    def forget_edit(self, message_id: MessageId) -> None:
        """What was typed into a message that is no longer shown is of no use any more."""
        raise NotImplementedError

    def wire(self, view: MessageView, entry: Entry) -> None:
        """Hear what a person wants of a message that has just got a widget."""
        message_id = entry.message.id
        view.action_wanted.connect(lambda action: self.act(message_id, action))
        view.branch_wanted.connect(self.branch_wanted)
        view.edit_saved.connect(lambda text: self._on_saved(message_id, text))
        view.edit_left.connect(lambda: self.leave_edit(message_id))
        view.edit_rested.connect(lambda text: self._on_edit_rested(message_id, text))
        view.controls_changed.connect(self.order_tabs)

    def order_tabs(self) -> None:
        """Let Tab go through the buttons from top to bottom."""
        raise NotImplementedError

    def act(self, message_id: MessageId, action: MessageAction) -> None:
        """Do what was chosen for a message, or say that it is wanted."""
        index = self.index_of(message_id)
        if index is None:
            return
        if action is MessageAction.EDIT:
            self.begin_edit(message_id)
        elif action is MessageAction.COPY:
            copy_to_clipboard(self.entries[index].text)
        else:
            self.action_wanted.emit(message_id, action)

    def set_head(self, height: int) -> None:
        """Keep a strip of ``height`` pixels above the page free."""
        if self.viewportMargins().top() != height:
            self.setViewportMargins(0, height, 0, 0)

    def go_to(self, message_id: MessageId) -> None:
        """Scroll to a message and give it the keyboard."""
        index = self.index_of(message_id)
        if index is not None:
            self.show_message(index)
            self.view_of(index).setFocus(Qt.FocusReason.OtherFocusReason)

    # Editing

    def begin_edit(self, message_id: MessageId) -> None:
        """Let the words of a message be changed where they stand; what was typed there before is back."""
        index = self.index_of(message_id)
        if index is None or self.entries[index].is_running:
            return
        self.selecting.leave(index)
        self.entries[index].is_edited_now = True
        self.show_message(index)
        self.view_of(index)
        self.entry_changed(index)
        self.view_of(index).take_focus_to_edit()

    def edit_last(self) -> None:
        """Let the person's last message be changed."""
        for entry in reversed(self.entries):
            if entry.is_user:
                self.begin_edit(entry.message.id)
                return

    def leave_edit(self, message_id: MessageId) -> None:
        """Show the message again; what was typed is kept for the next time."""
        index = self.index_of(message_id)
        if index is None:
            return
        self.view_of(index).keep_edit()
        self._end(index)
        self.edit_rested.emit(message_id, None)

    def end_edit(self, message_id: MessageId) -> None:
        """The new words are stored: forget that they were typed."""
        self.forget_edit(message_id)
        index = self.index_of(message_id)
        if index is not None:
            self.entries[index].edit = None
            self._end(index)

    def _end(self, index: int) -> None:
        self.entries[index].is_edited_now = False
        self.entry_changed(index)
        self.view_of(index).setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_edit_rested(self, message_id: MessageId, text: str) -> None:
        index = self.index_of(message_id)
        if index is not None:
            self.edit_rested.emit(message_id, None if text == self.entries[index].text else text)

    def _on_saved(self, message_id: MessageId, text: str) -> None:
        index = self.index_of(message_id)
        if index is None:
            return
        self.view_of(index).keep_edit()
        if text == self.entries[index].text and not self.entries[index].is_user:
            self.end_edit(message_id)
            self.edit_rested.emit(message_id, None)
        else:
            self.edit_saved.emit(message_id, text)

    # Keys, focus and menu

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Alt with Left and Right goes between the branches of the message that has the focus."""
        key = Qt.Key(event.key())
        alt = event.modifiers() == Qt.KeyboardModifier.AltModifier
        index = self.focused_index()
        if alt and key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and index is not None:
            self.view_of(index).step_branch(1 if key is Qt.Key.Key_Right else -1)
            event.accept()
            return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """By the keyboard, the menu is about the message that has the focus."""
        index = self.focused_index()
        if event.reason() is QContextMenuEvent.Reason.Keyboard and index is not None:
            view = self.view_of(index)
            menu = self.make_menu(view.mapToGlobal(QPoint(view.width() // 2, 1)))
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(view.mapToGlobal(QPoint(16, 16)))
            return
        super().contextMenuEvent(event)

    def make_menu(self, position: QPoint) -> QMenu:
        """Return the menu for a right click: what can be done with the text, then with the message."""
        menu = super().make_menu(position)
        for index, view in self.live.items():
            if view.rect().contains(view.mapFromGlobal(position)):
                menu.addSeparator()
                self._fill(menu, self.entries[index])
                break
        if self.entries:
            menu.addSeparator()
            tree = QAction(self.look.theme.icon("git-branch", "mute", 16), tr("Show all branches…"), menu)
            tree.triggered.connect(self.tree_wanted)
            menu.addAction(tree)
        return menu

    def _fill(self, menu: QMenu, entry: Entry) -> None:
        message_id = entry.message.id
        for action in actions_for(entry):
            line = menu_action(action, look=self.look, menu=menu)
            if action is MessageAction.COPY:
                line.setText(tr("Copy the whole message"))
            line.triggered.connect(lambda _checked=False, action=action: self.act(message_id, action))
            menu.addAction(line)
            if action is MessageAction.COPY:
                plain = QAction(tr("Copy the whole message as plain text"), menu)
                plain.triggered.connect(lambda: copy_to_clipboard(plain_words(entry)))
                menu.addAction(plain)
                self._offer_voice(menu, entry)

    def _offer_voice(self, menu: QMenu, entry: Entry) -> None:
        if self.speaks is None or entry.is_user:
            return
        message_id = entry.message.id
        line = menu_action(MessageAction.READ_ALOUD, look=self.look, menu=menu)
        if self.speaks():
            line.setText(tr("Stop reading aloud"))
        line.triggered.connect(lambda: self.act(message_id, MessageAction.READ_ALOUD))
        menu.addAction(line)

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, before: QWidget | None, now: QWidget | None) -> None:
        for view in self.live.values():
            has = now is not None and (now is view or view.isAncestorOf(now))
            had = before is not None and (before is view or view.isAncestorOf(before))
            if has != had:
                view.set_focused(has)
