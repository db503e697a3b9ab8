"""What happens in one conversation, as a transcript shows it. Pure: no Qt."""

from __future__ import annotations

from typing import assert_never

from fireside.core.events import (
    BranchChanged,
    MessageAdded,
    MessagePinned,
    MessageReplaced,
    SummaryChanged,
    TextAppended,
    TurnLoading,
    TurnQueued,
    TurnReading,
    TurnSummarising,
    WaitingChanged,
)
from fireside.core.ids import ConversationId
from fireside.ui.chat.phase import LoadingModel, Phase, Reading, Summarising, Waiting

PhaseEvent = TurnQueued | TurnLoading | TurnReading | TurnSummarising
TurnEvent = (
    MessageAdded
    | MessageReplaced
    | BranchChanged
    | MessagePinned
    | WaitingChanged
    | TextAppended
    | PhaseEvent
    | SummaryChanged
)


def conversation_of(event: TurnEvent) -> ConversationId:
    """Return where it happened."""
    if isinstance(event, MessageAdded | MessageReplaced):
        return event.message.conversation_id
    return event.conversation_id


def phase_of(event: PhaseEvent) -> Phase:
    """Return what the answer is doing now."""
    match event:
        case TurnQueued():
            return Waiting(position=event.position, waits_for=event.waits_for, model=event.model)
        case TurnLoading():
            return LoadingModel(fraction=event.fraction)
        case TurnReading():
            return Reading(n_done=event.n_done, n_total=event.n_total, n_cached=event.n_cached)
        case TurnSummarising():
            return Summarising(n_messages=event.n_messages, fraction=event.fraction)
        case _:
            assert_never(event)
