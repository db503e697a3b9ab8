"""Messages of the chats seen last with their widgets, so that going back to a chat lays nothing out again."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent

from fireside.core.chat import StoredMessage
from fireside.core.ids import MessageId
from fireside.ui.chat.message import MessageView
from fireside.ui.chat.message_item import Entry

_MOST_VIEWS: Final = 16
_MOST_CHARS: Final = 24_000
_MOST_TEXTS: Final = 400
"""Of all messages that are kept. A paragraph takes 75 kilobytes with its layout, code twice as much."""


class ViewCache:
    """Hidden widgets. Those seen longest ago are deleted for newer ones. GUI thread only."""

    def __init__(self) -> None:
        self._views: dict[MessageId, tuple[Entry, MessageView]] = {}
        """The one seen last comes last."""

    @property
    def n_chars(self) -> int:
        """Characters of everything that is kept."""
        return sum(len(entry.text) + len(entry.reasoning) for entry, _ in self._views.values())

    @property
    def n_texts(self) -> int:
        """Texts of everything that is kept."""
        return sum(len(view.text_views) for _, view in self._views.values())

    def store(self, entry: Entry, view: MessageView) -> None:
        """Hide the widget of a message that is shown no more; keep it if it can be shown again as it is."""
        view.hide()
        if not _is_settled(entry, view):
            view.deleteLater()
            return
        for edit in view.text_views:
            if edit.extraSelections():
                edit.setExtraSelections([])
        # The keyboard was in it, perhaps, and leaves a widget that is no longer among those shown.
        view.set_focused(False)
        self._delete(entry.message.id)
        self._views[entry.message.id] = (entry, view)
        while len(self._views) > _MOST_VIEWS or self.n_chars > _MOST_CHARS or self.n_texts > _MOST_TEXTS:
            self._delete(next(iter(self._views)))

    def entry_of(self, message: StoredMessage) -> Entry | None:
        """Return a kept message as it was left, unfolded for example; ``None`` if it is another since."""
        kept = self._views.get(message.id)
        return kept[0] if kept is not None and kept[0].message == message else None

    def pop(self, entry: Entry) -> MessageView | None:
        """Hand out the widget of ``entry``, hidden and as it was left; ``None`` if there is none."""
        kept = self._views.get(entry.message.id)
        if kept is None:
            return None
        if kept[0] is not entry:
            self._delete(entry.message.id)
            return None
        del self._views[entry.message.id]
        return kept[1]

    def clear(self) -> None:
        """Delete all at once."""
        for _, view in self._views.values():
            view.deleteLater()
            QCoreApplication.sendPostedEvents(view, QEvent.Type.DeferredDelete)
        self._views.clear()

    def _delete(self, message_id: MessageId) -> None:
        if (kept := self._views.pop(message_id, None)) is not None:
            kept[1].deleteLater()


def _is_settled(entry: Entry, view: MessageView) -> bool:
    """Whether nothing goes on in a message: no text comes, no edit is open, no offer hangs on it."""
    has_edit = entry.is_being_edited or entry.edit_draft is not None
    return not entry.is_running and not has_edit and entry.message.error is None and view.is_laid_out
