"""Remember the scroll position of each conversation, to restore it when the user comes back. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from fireside.core.ids import ConversationId, MessageId
from fireside.ui.chat.answer.message_item import Entry

_MAX_POSITIONS: Final = 200


class LinePlace(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a message, by its place in the text, and what of it is above the visible part."""

    part: int
    """Index of the text in the message's ``text_views``."""
    paragraph: int = 0
    character: int = 0
    """Where the line begins in the paragraph; at another width it is in the middle of one."""
    below: float
    """How far the upper edge of the visible part is below the line's top, in pixels."""


class ScrollPosition(msgspec.Struct, frozen=True, kw_only=True):
    """The message at the upper edge of the visible part, and what of it is above that."""

    index: int
    below: float
    """How far the edge is below the message's top, in pixels, at the width that it had."""
    line: LinePlace | None = None
    """The line at the edge; ``None`` above the first one."""


class ScrollPositions:
    """Scroll positions of the last conversations; one that was left at its end has none."""

    def __init__(self) -> None:
        self._positions: dict[ConversationId, tuple[MessageId, ScrollPosition]] = {}
        """With the message at the upper edge; the latest is last."""

    def save(self, entries: Sequence[Entry], position: ScrollPosition | None) -> None:
        """Store a position in ``entries``; ``None`` is the end."""
        if not entries:
            return
        conversation_id = entries[0].message.conversation_id
        self._positions.pop(conversation_id, None)
        if position is None:
            return
        self._positions[conversation_id] = (entries[position.index].message.id, position)
        if len(self._positions) > _MAX_POSITIONS:
            del self._positions[next(iter(self._positions))]

    def find(self, entries: Sequence[Entry]) -> ScrollPosition | None:
        """Return the stored position in ``entries``; ``None`` for the end, and while an answer streams."""
        if not entries or entries[-1].is_running:
            return None
        stored = self._positions.get(entries[0].message.conversation_id)
        if stored is None:
            return None
        message_id, position = stored
        indexes = (index for index, entry in enumerate(entries) if entry.message.id == message_id)
        index = next(indexes, None)
        return None if index is None else replace(position, index=index)
