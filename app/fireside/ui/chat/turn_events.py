"""What happens in one conversation. Pure: no Qt."""

from __future__ import annotations

from fireside.core.events import (
    AnswerProgressed,
    BranchChanged,
    MessageAdded,
    MessagePinned,
    MessageReplaced,
    SummaryChanged,
    TextAppended,
    WaitingChanged,
)
from fireside.core.ids import ConversationId

ConversationEvent = (
    MessageAdded
    | MessageReplaced
    | BranchChanged
    | MessagePinned
    | WaitingChanged
    | TextAppended
    | AnswerProgressed
    | SummaryChanged
)


def conversation_of(event: ConversationEvent) -> ConversationId:
    """Return where it happened."""
    if isinstance(event, MessageAdded | MessageReplaced):
        return event.message.conversation_id
    return event.conversation_id
