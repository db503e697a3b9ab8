"""Change the words of messages where they stand, and keep what was typed into them until it is saved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QObject, Qt, Signal

from fireside.core.ids import MessageId
from fireside.ui.chat.message_column import MessageColumn
from fireside.ui.chat.message_item import Entry
from fireside.ui.chat.selection_controller import SelectionController


class EditController(QObject):
    """Opens and closes the editors of one transcript's messages. GUI thread only."""

    saved = Signal(object, str)
    """``MessageId`` and its new words. The editor stays until ``end``."""
    saved_only = Signal(object, str)
    """The same for a question whose answers are to be kept."""
    draft_changed = Signal(object, object)
    """``MessageId`` and what is being made of its words, to be kept; ``None`` for nothing."""

    def __init__(self, column: MessageColumn, selection: SelectionController) -> None:
        super().__init__(column)
        self._column = column
        self._selection = selection
        self._stashed: dict[MessageId, tuple[str | None, bool]] = {}
        """Of messages that are not shown: what was typed, and whether the editor was open."""

    def begin(self, message_id: MessageId) -> None:
        """Let the words of a message be changed where they stand; what was typed there before is back."""
        index = self._column.index_of(message_id)
        if index is None or self._column.entries[index].is_running:
            return
        self._selection.clear_if_in(index)
        self._column.entries[index].is_being_edited = True
        self._column.show_message(index)
        view = self._column.view_of(index)
        self._column.refresh(index)
        view.focus_editor()

    def begin_last(self) -> None:
        """Let the user's last message be changed."""
        last = next((entry for entry in reversed(self._column.entries) if entry.is_user), None)
        if last is not None:
            self.begin(last.message.id)

    def cancel(self, message_id: MessageId) -> None:
        """Show the message again; what was typed is kept for the next time."""
        index = self._column.index_of(message_id)
        if index is not None:
            self._column.view_of(index).store_edit_draft()
            self._close(index)
            self.draft_changed.emit(message_id, None)

    def end(self, message_id: MessageId) -> None:
        """The new words are stored: forget that they were typed."""
        self._stashed.pop(message_id, None)
        index = self._column.index_of(message_id)
        if index is not None:
            self._column.entries[index].edit_draft = None
            self._close(index)

    def save(self, message_id: MessageId, text: str) -> None:
        """Have the words stored; those of an answer that are as they were need not be."""
        index = self._column.index_of(message_id)
        if index is None:
            return
        self._column.view_of(index).store_edit_draft()
        entry = self._column.entries[index]
        if text == entry.text and not entry.is_user:
            self.end(message_id)
            self.draft_changed.emit(message_id, None)
        else:
            self.saved.emit(message_id, text)

    def save_only(self, message_id: MessageId, text: str) -> None:
        """Have other words of a question stored without asking again; those as they were need not be."""
        index = self._column.index_of(message_id)
        if index is None:
            return
        self._column.view_of(index).store_edit_draft()
        if text == self._column.entries[index].text:
            self.end(message_id)
            self.draft_changed.emit(message_id, None)
        else:
            self.saved_only.emit(message_id, text)

    def save_draft(self, message_id: MessageId, text: str) -> None:
        """Report what has been typed and not saved."""
        index = self._column.index_of(message_id)
        if index is not None:
            is_changed = text != self._column.entries[index].text
            self.draft_changed.emit(message_id, text if is_changed else None)

    def flush(self) -> None:
        """Report what was typed into messages and has not rested yet."""
        for view in self._column.live.values():
            view.store_edit_draft()

    # Messages that come and go

    def stash(self, entries: Iterable[Entry]) -> None:
        """Remember what was typed into messages that are no longer shown."""
        for entry in entries:
            if entry.edit_draft is not None or entry.is_being_edited:
                self._stashed[entry.message.id] = (entry.edit_draft, entry.is_being_edited)

    def unstash(self, entries: Iterable[Entry]) -> None:
        """Give messages that are shown again what was typed into them."""
        for entry in entries:
            entry.edit_draft, entry.is_being_edited = self._stashed.pop(entry.message.id, (None, False))

    def restore(self, entries: Iterable[Entry], drafts: Mapping[MessageId, str]) -> None:
        """Go on with what was typed into messages before the program ended."""
        for entry in entries:
            draft = drafts.get(entry.message.id)
            if draft is not None and entry.edit_draft is None and not entry.is_being_edited:
                entry.edit_draft, entry.is_being_edited = draft, True

    def _close(self, index: int) -> None:
        self._column.entries[index].is_being_edited = False
        self._column.refresh(index)
        self._column.view_of(index).setFocus(Qt.FocusReason.OtherFocusReason)
