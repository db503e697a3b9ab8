"""Conversations and their messages as they are stored. Identity and order belong to storage."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from fireside.core.errors import ErrorInfo
from fireside.core.generation import FinishReason, Timings, Truncation, Usage
from fireside.core.ids import ConversationId, MessageId, ModelId
from fireside.core.message import ChatMessage
from fireside.core.options import SettingValue


class MessageState(StrEnum):
    """Where a stored message stands."""

    COMPLETE = "complete"
    STREAMING = "streaming"
    """Being written now."""
    INTERRUPTED = "interrupted"
    """The program or its runner ended before the answer did; what had arrived is kept."""
    FAILED = "failed"
    """Ended with an error, kept in ``StoredMessage.error``."""


class GenerationRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of the run that wrote an answer."""

    model_id: ModelId
    model_name: str
    finish_reason: FinishReason | None = None
    context_full: bool = False
    usage: Usage | None = None
    timings: Timings | None = None
    truncation: Truncation | None = None
    seed: int | None = None
    n_ctx: int | None = None
    thought_s: float | None = None
    """Seconds that the model thought before and between what it answered."""


class StoredMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A message as the database holds it. Times are seconds since the epoch, UTC."""

    id: MessageId
    conversation_id: ConversationId
    parent_id: MessageId | None
    message: ChatMessage
    state: MessageState
    created_at: float
    generation: GenerationRecord | None = None
    error: ErrorInfo | None = None


class ConversationSummary(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the sidebar."""

    id: ConversationId
    title: str
    pinned: bool
    created_at: float
    updated_at: float
    model_id: ModelId | None = None


class Conversation(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation opened for reading: its active branch from the first message to the last."""

    summary: ConversationSummary
    messages: tuple[StoredMessage, ...]
    draft: str
    overrides: dict[str, SettingValue] = {}
    """Settings of this conversation alone, by key. See ``settings``."""
