"""Remember the scroll position of each conversation, to restore it when the user comes back. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fireside.core.ids import ConversationId, MessageId
from fireside.ui.chat.message_item import Entry

_MAX_POSITIONS: Final = 200


class ScrollPositions:
    """Scroll positions of the last conversations; one that was left at its end has none."""

    def __init__(self) -> None:
        self._positions: dict[ConversationId, tuple[MessageId, float]] = {}
        """Message at the upper edge and how many of its pixels are above that; the latest is last."""

    def save(self, entries: Sequence[Entry], position: tuple[int, float] | None) -> None:
        """Store a position in ``entries``: an index and pixels below its top; ``None`` is the end."""
        if not entries:
            return
        conversation_id = entries[0].message.conversation_id
        self._positions.pop(conversation_id, None)
        if position is None:
            return
        index, below = position
        self._positions[conversation_id] = (entries[index].message.id, below)
        if len(self._positions) > _MAX_POSITIONS:
            del self._positions[next(iter(self._positions))]

    def find(self, entries: Sequence[Entry]) -> tuple[int, float] | None:
        """Return the stored position in ``entries``; ``None`` for the end, and while an answer streams."""
        if not entries or entries[-1].is_running:
            return None
        message_id, below = self._positions.get(entries[0].message.conversation_id, (None, 0.0))
        indexes = (index for index, entry in enumerate(entries) if entry.message.id == message_id)
        index = next(indexes, None)
        return None if index is None else (index, below)
