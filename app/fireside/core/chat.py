"""Conversations and their messages as they are stored. Identity and order belong to storage."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from fireside.core.attachment import Attachment
from fireside.core.errors import ErrorInfo
from fireside.core.generation import FinishReason, Timings, Truncation, Usage
from fireside.core.ids import (
    CollectionId,
    ConversationId,
    DraftId,
    FolderId,
    MessageId,
    ModelId,
    QueuedMessageId,
)
from fireside.core.message import ChatMessage, Role
from fireside.core.options import SettingValue
from fireside.core.tools import CallsEnded


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
    quantization: str = ""
    """Of its weights, as the file says: ``Q4_K_M``; empty where that is not known."""
    host: str = ""
    """Which engine of a pool wrote it."""
    passed_over: tuple[str, ...] = ()
    """Engines of the pool that were asked before it, or would have been had they not failed just now."""
    finish_reason: FinishReason | None = None
    context_full: bool = False
    usage: Usage | None = None
    timings: Timings | None = None
    truncation: Truncation | None = None
    seed: int | None = None
    n_ctx: int | None = None
    thought_s: float | None = None
    """Seconds that the model thought before and between what it answered."""
    n_summarised: int = 0
    """So many messages, from the oldest, were told to the model by a summary."""
    summary_problem: str = ""
    """Why no summary of the oldest messages could be written, as a sentence; they were left out then."""
    calls_ended: CallsEnded | None = None
    """Why the model was not let go on calling tools, if it was not."""
    edited: bool = False
    """The user changed the answer's words; its figures are not told, since they are not those of the text."""


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


class Colour(StrEnum):
    """A mark that the user gives a conversation or a folder; each theme has its own shade of it."""

    RED = "red"
    ORANGE = "orange"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"
    PURPLE = "purple"


class TitleSource(StrEnum):
    """Who gave a conversation its title; the user's is never replaced by another's."""

    START = "start"
    """It is the beginning of the first message."""
    MODEL = "model"
    USER = "person"
    """Under the name that databases hold."""


class Folder(msgspec.Struct, frozen=True, kw_only=True):
    """A folder of conversations in the sidebar."""

    id: FolderId
    name: str
    colour: Colour | None = None
    is_open: bool = True
    """Its conversations are shown."""
    collections: tuple[CollectionId, ...] = ()
    """Of documents: all its conversations are answered from them."""


class ConversationSummary(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the sidebar."""

    id: ConversationId
    title: str
    pinned: bool
    created_at: float
    updated_at: float
    model_id: ModelId | None = None
    folder_id: FolderId | None = None
    archived: bool = False
    colour: Colour | None = None
    title_by: TitleSource = TitleSource.START


class Branches(msgspec.Struct, frozen=True, kw_only=True):
    """What surrounds the messages of an active branch."""

    siblings: dict[MessageId, tuple[MessageId, ...]] = {}
    """For each message that has any: those with the same parent and the message itself, oldest first."""
    pinned: frozenset[MessageId] = frozenset()
    """Those of the branch that the user marked to find them again."""


class QueuedMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A message that is sent once the answer before it has ended well."""

    id: QueuedMessageId
    conversation_id: ConversationId
    message: ChatMessage
    model_id: ModelId
    created_at: float
    edit: str | None = None
    """What its words are being changed to; ``None`` while they are not."""


class NewDraft(msgspec.Struct, frozen=True, kw_only=True):
    """What was begun in a new chat and not sent."""

    id: DraftId
    text: str = ""
    attached: tuple[Attachment, ...] = ()
    updated_at: float = 0.0


class TreeNode(msgspec.Struct, frozen=True, kw_only=True):
    """One message of a conversation with all its branches."""

    id: MessageId
    parent_id: MessageId | None
    role: Role
    excerpt: str
    """How its text begins, on one line."""
    state: MessageState
    created_at: float
    model_name: str = ""
    pinned: bool = False
    active: bool = False
    """It belongs to the branch that is shown."""


class Conversation(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation opened for reading: its active branch from the first message to the last."""

    summary: ConversationSummary
    messages: tuple[StoredMessage, ...]
    draft: str
    overrides: dict[str, SettingValue] = {}
    """Settings of this conversation alone, by key. See ``settings``."""
    branches: Branches = Branches()
    waiting: tuple[QueuedMessage, ...] = ()
    """In the order in which they will be sent."""
    attached: tuple[Attachment, ...] = ()
    """The files of the draft."""
    edits: dict[MessageId, str] = {}
    """Messages of the branch that are being changed, and to what; not saved yet."""
    running: frozenset[MessageId] = frozenset()
    """Answers that this program is writing now, on whichever branch."""
    thinking_since: float | None = None
    """When the model began to think for the last answer, if it is running; seconds, monotonic."""
