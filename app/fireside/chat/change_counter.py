"""Reads from the database that are still true when they arrive: nothing has changed meanwhile."""

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
    """Counts the events that tell of something stored. Text of running answers is not among them."""

    def __init__(self) -> None:
        self._n_changes = 0

    def observe(self, event: AppEvent) -> None:
        """Count ``event`` if it tells of something stored."""
        if isinstance(event, _Change):
            self._n_changes += 1

    async def unchanged(self, read: Callable[[], Awaitable[T]]) -> T:
        """Return what ``read`` does, read again until no change was reported while it was being read.

        What is returned is at least as new as all events before, and all that is newer is told by an event
        to come: a client that shows it and then applies events in their order misses nothing.
        """
        while True:
            n_before = self._n_changes
            result = await read()
            if n_before == self._n_changes:
                return result
