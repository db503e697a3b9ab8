"""Where the user was reading in each conversation, so that going back to it finds the place again. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fireside.core.ids import ConversationId, MessageId
from fireside.ui.chat.message_item import Entry

_MOST: Final = 200


class ScrollPositions:
    """Of the conversations left last; one that was left at its end is shown at its end."""

    def __init__(self) -> None:
        self._places: dict[ConversationId, tuple[MessageId, float]] = {}
        """Message at the upper edge and how many pixels of it are above that; left last comes last."""

    def save(self, entries: Sequence[Entry], place: tuple[int, float] | None) -> None:
        """Remember ``place``, an index and pixels below its top, of what is shown; ``None`` is the end."""
        if not entries:
            return
        conversation_id = entries[0].message.conversation_id
        self._places.pop(conversation_id, None)
        if place is None:
            return
        index, below = place
        self._places[conversation_id] = (entries[index].message.id, below)
        if len(self._places) > _MOST:
            del self._places[next(iter(self._places))]

    def find(self, entries: Sequence[Entry]) -> tuple[int, float] | None:
        """Return the place in what is shown; ``None`` for the end, and where something is written."""
        if not entries or entries[-1].is_running:
            return None
        message_id, below = self._places.get(entries[0].message.conversation_id, (None, 0.0))
        found = (index for index, entry in enumerate(entries) if entry.message.id == message_id)
        index = next(found, None)
        return None if index is None else (index, below)
