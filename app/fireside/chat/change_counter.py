"""Consistent reads from the database: a read is repeated while something stored changes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from fireside.core.events import (
    AppEvent,
    BranchChanged,
    ConversationChanged,
    ConversationDeleted,
    FoldersChanged,
    MessageAdded,
    MessagePinned,
    MessageReplaced,
    QueuedMessagesChanged,
)

T = TypeVar("T")

_Change = (
    BranchChanged
    | ConversationChanged
    | ConversationDeleted
    | FoldersChanged
    | MessageAdded
    | MessagePinned
    | MessageReplaced
    | QueuedMessagesChanged
)


class ChangeCounter:
    """Counts the events that report a change of stored data; streamed text of answers is not counted."""

    def __init__(self) -> None:
        self._n_changes = 0

    def observe(self, event: AppEvent) -> None:
        """Count ``event`` if it reports a change of stored data."""
        if isinstance(event, _Change):
            self._n_changes += 1

    async def unchanged(self, read: Callable[[], Awaitable[T]]) -> T:
        """Return the result of ``read``, repeated until no change was reported while it ran.

        The result includes every event reported so far, and each later change is reported by a later event:
        a client that shows the result and then applies events in order misses nothing.
        """
        while True:
            n_before = self._n_changes
            result = await read()
            if n_before == self._n_changes:
                return result
