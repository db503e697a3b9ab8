"""A cache of message widgets of recent chats, so that going back to a chat needs no layout."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent

from fireside.core.chat import StoredMessage
from fireside.core.ids import MessageId
from fireside.ui.chat.answer.message import MessageView
from fireside.ui.chat.answer.message_item import Entry

_MAX_VIEWS: Final = 16
_MAX_CHARS: Final = 24_000
_MAX_TEXTS: Final = 400
"""Text widgets of all cached messages. A paragraph takes 75 kilobytes with its layout, code twice as much."""


class ViewCache:
    """An LRU cache of hidden widgets, within a budget of messages, characters and texts. GUI thread only."""

    def __init__(self) -> None:
        self._views: dict[MessageId, tuple[Entry, MessageView]] = {}
        """Least recently used first."""

    @property
    def n_chars(self) -> int:
        """Characters of all cached messages."""
        return sum(len(entry.text) + len(entry.reasoning) for entry, _ in self._views.values())

    @property
    def n_texts(self) -> int:
        """Text widgets of all cached messages."""
        return sum(len(view.text_views) for _, view in self._views.values())

    def store(self, entry: Entry, view: MessageView) -> None:
        """Hide a message's widget and cache it; delete it where it could not be shown again as it is."""
        view.hide()
        if not _is_settled(entry, view):
            view.deleteLater()
            return
        for text_view in view.text_views:
            if text_view.extraSelections():
                text_view.setExtraSelections([])
        # It may have had the focus; the transcript reports focus changes only to its live widgets.
        view.set_focused(False)
        self._delete(entry.message.id)
        self._views[entry.message.id] = (entry, view)
        while len(self._views) > _MAX_VIEWS or self.n_chars > _MAX_CHARS or self.n_texts > _MAX_TEXTS:
            self._delete(next(iter(self._views)))

    def entry_of(self, message: StoredMessage) -> Entry | None:
        """Return a cached message's entry with its view state; ``None`` if the message has changed since."""
        cached = self._views.get(message.id)
        return cached[0] if cached is not None and cached[0].message == message else None

    def pop(self, entry: Entry) -> MessageView | None:
        """Remove and return the hidden widget of ``entry``; ``None`` if there is none."""
        cached = self._views.get(entry.message.id)
        if cached is None:
            return None
        if cached[0] is not entry:
            self._delete(entry.message.id)
            return None
        del self._views[entry.message.id]
        return cached[1]

    def clear(self) -> None:
        """Delete all widgets immediately."""
        for _, view in self._views.values():
            view.deleteLater()
            QCoreApplication.sendPostedEvents(view, QEvent.Type.DeferredDelete)
        self._views.clear()

    def _delete(self, message_id: MessageId) -> None:
        if (cached := self._views.pop(message_id, None)) is not None:
            cached[1].deleteLater()


def _is_settled(entry: Entry, view: MessageView) -> bool:
    """Return whether a message is static: not streaming, not being edited, without an error and laid out."""
    has_edit = entry.is_being_edited or entry.edit_draft is not None
    return not entry.is_running and not has_edit and entry.message.error is None and view.is_laid_out
