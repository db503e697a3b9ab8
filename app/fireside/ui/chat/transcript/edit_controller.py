"""The controller of in-place message editing: opens editors, holds unsaved edits, reports them as drafts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QObject, Qt, Signal

from fireside.core.ids import MessageId
from fireside.ui.chat.answer.message_item import Entry
from fireside.ui.chat.transcript.message_column import MessageColumn
from fireside.ui.chat.transcript.selection_controller import SelectionController


class EditController(QObject):
    """Opens and closes the editors of one transcript's messages. GUI thread only."""

    saved = Signal(object, str)
    """``MessageId`` and its new text. The editor stays open until ``end`` is called."""
    saved_only = Signal(object, str)
    """``MessageId`` and new text of a question that is not sent again: its answers are kept."""
    draft_changed = Signal(object, object)
    """``MessageId`` and its unsaved edit, to be stored; ``None`` to delete that."""

    def __init__(self, column: MessageColumn, selection: SelectionController) -> None:
        super().__init__(column)
        self._column = column
        self._selection = selection
        self._stashed: dict[MessageId, tuple[str | None, bool, frozenset[int]]] = {}
        """Of messages that are not shown: the unsaved edit, whether the editor was open, and the attachments
        that the edit leaves out."""

    def begin(self, message_id: MessageId) -> None:
        """Open the editor of a message, with its unsaved edit if there is one."""
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
        """Open the editor of the user's last message."""
        last = next((entry for entry in reversed(self._column.entries) if entry.is_user), None)
        if last is not None:
            self.begin(last.message.id)

    def cancel(self, message_id: MessageId) -> None:
        """Close the editor; the unsaved edit is restored when it is opened again."""
        index = self._column.index_of(message_id)
        if index is not None:
            self._column.view_of(index).store_edit_draft()
            self._close(index)
            self.draft_changed.emit(message_id, None)

    def end(self, message_id: MessageId) -> None:
        """Close the editor and drop the edit: it was saved."""
        self._stashed.pop(message_id, None)
        index = self._column.index_of(message_id)
        if index is not None:
            self._column.entries[index].edit_draft = None
            self._close(index)

    def remove_file(self, message_id: MessageId, n_file: int) -> None:
        """Leave out an attachment of a question that is being edited."""
        index = self._column.index_of(message_id)
        if index is not None:
            self._column.entries[index].removed_files |= {n_file}
            self._column.refresh(index)
            self._column.view_of(index).focus_editor()

    def save(self, message_id: MessageId, text: str) -> None:
        """Emit ``saved``; an answer whose text did not change is only closed."""
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
        """Emit ``saved_only``; a question whose text did not change is only closed."""
        index = self._column.index_of(message_id)
        if index is None:
            return
        self._column.view_of(index).store_edit_draft()
        entry = self._column.entries[index]
        if text == entry.text and not entry.removed_files:
            self.end(message_id)
            self.draft_changed.emit(message_id, None)
        else:
            self.saved_only.emit(message_id, text)

    def save_draft(self, message_id: MessageId, text: str) -> None:
        """Emit ``draft_changed`` with what has been typed and not saved."""
        index = self._column.index_of(message_id)
        if index is not None:
            is_changed = text != self._column.entries[index].text
            self.draft_changed.emit(message_id, text if is_changed else None)

    def flush(self) -> None:
        """Report edits that are still waiting for their timers."""
        for view in self._column.live.values():
            view.store_edit_draft()

    # Messages that come and go

    def stash(self, entries: Iterable[Entry]) -> None:
        """Remember the unsaved edits of messages that are no longer shown."""
        for entry in entries:
            if entry.edit_draft is not None or entry.is_being_edited:
                edit = (entry.edit_draft, entry.is_being_edited, entry.removed_files)
                self._stashed[entry.message.id] = edit

    def unstash(self, entries: Iterable[Entry]) -> None:
        """Restore the unsaved edits of messages that are shown again."""
        for entry in entries:
            edit = self._stashed.pop(entry.message.id, (None, False, frozenset[int]()))
            entry.edit_draft, entry.is_being_edited, entry.removed_files = edit

    def restore(self, entries: Iterable[Entry], drafts: Mapping[MessageId, str]) -> None:
        """Open the editors of messages whose unsaved edits were stored before the program ended."""
        for entry in entries:
            draft = drafts.get(entry.message.id)
            if draft is not None and entry.edit_draft is None and not entry.is_being_edited:
                entry.edit_draft, entry.is_being_edited = draft, True

    def _close(self, index: int) -> None:
        self._column.entries[index].is_being_edited = False
        self._column.entries[index].removed_files = frozenset()
        self._column.refresh(index)
        self._column.view_of(index).setFocus(Qt.FocusReason.OtherFocusReason)
