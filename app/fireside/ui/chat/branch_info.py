"""What branches add to the entries of a transcript, and words typed into a message and not saved. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from fireside.core.chat import Branches
from fireside.core.ids import MessageId
from fireside.ui.chat.message_item import Entry

NO_BRANCHES: Final = Branches()
NO_EDITS: Final[Mapping[MessageId, str]] = MappingProxyType({})


def surround(entry: Entry, branches: Branches, *, is_last: bool) -> None:
    """Tell an entry which branches begin at it, whether it is pinned, and whether it is the last."""
    entry.siblings = branches.siblings.get(entry.message.id, ())
    entry.is_pinned = entry.message.id in branches.pinned
    entry.is_last = is_last


class UnsavedEdits:
    """Keeps what was typed into messages that are no longer shown, until they are shown again."""

    def __init__(self) -> None:
        self._edits: dict[MessageId, tuple[str | None, bool]] = {}

    def keep(self, entry: Entry) -> None:
        """Remember what was typed into a message that goes."""
        if entry.edit is not None or entry.is_edited_now:
            self._edits[entry.message.id] = (entry.edit, entry.is_edited_now)

    def put_back(self, entry: Entry) -> None:
        """Give a message that is shown again what was typed into it."""
        entry.edit, entry.is_edited_now = self._edits.pop(entry.message.id, (None, False))

    def restore(self, entry: Entry, text: str | None) -> None:
        """Go on with the ``text`` that was typed into a message before the program ended, if any was."""
        if text is not None and entry.edit is None and not entry.is_edited_now:
            entry.edit, entry.is_edited_now = text, True

    def forget(self, message_id: MessageId) -> None:
        self._edits.pop(message_id, None)
