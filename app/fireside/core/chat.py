"""Conversations and their messages as values; ids and order are assigned by ``storage``."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

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
    is_temporary,
)
from fireside.core.message import ChatMessage, Role
from fireside.core.options import SettingValue
from fireside.core.project import DEFAULT_MODEL_KEY, PROJECT_INSTRUCTIONS_KEY
from fireside.core.tools import CallsEnded


class MessageState(StrEnum):
    """State of a stored message."""

    COMPLETE = "complete"
    STREAMING = "streaming"
    """Being written now."""
    INTERRUPTED = "interrupted"
    """The program or its runner ended before the answer did; the partial answer is kept."""
    FAILED = "failed"
    """Ended with an error, kept in ``StoredMessage.error``."""


class GenerationRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Metadata of the generation that wrote an answer."""

    model_id: ModelId
    model_name: str
    quantization: str = ""
    """Quantization of the weights as in the file: ``Q4_K_M``; empty if unknown."""
    host: str = ""
    """In answers of versions with pools, the host of several that wrote it."""
    finish_reason: FinishReason | None = None
    context_full: bool = False
    usage: Usage | None = None
    timings: Timings | None = None
    truncation: Truncation | None = None
    seed: int | None = None
    n_ctx: int | None = None
    thought_s: float | None = None
    """Seconds of reasoning before and within the answer."""
    n_summarised: int = 0
    """Number of messages, from the oldest, that a summary replaced in the prompt."""
    summary_problem: str = ""
    """Why no summary of the oldest messages could be written, as a sentence; they were left out instead."""
    calls_ended: CallsEnded | None = None
    """Why tool calls were stopped; ``None`` if they were not."""
    n_not_understood: int = 0
    """Parts of a remote engine's response that were left out, since they were not understood."""
    edited: bool = False
    """The user edited the text; the statistics are not shown, since they belong to the original."""


class StoredMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A message as it is stored. Times are seconds since the epoch, UTC."""

    id: MessageId
    conversation_id: ConversationId
    parent_id: MessageId | None
    message: ChatMessage
    state: MessageState
    created_at: float
    generation: GenerationRecord | None = None
    error: ErrorInfo | None = None


class Colour(StrEnum):
    """Colour label of a conversation or a folder; its shade depends on the theme."""

    RED = "red"
    ORANGE = "orange"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"
    PURPLE = "purple"


class TitleSource(StrEnum):
    """Where a conversation's title comes from. The user's is never replaced automatically."""

    START = "start"
    """The beginning of the first message."""
    MODEL = "model"
    USER = "person"
    """Stored as ``person``."""


class Folder(msgspec.Struct, frozen=True, kw_only=True):
    """A folder of conversations in the sidebar."""

    id: FolderId
    name: str
    colour: Colour | None = None
    is_open: bool = True
    """Whether its conversations are shown."""
    collections: tuple[CollectionId, ...] = ()
    """Document collections of all its conversations."""
    settings: dict[str, SettingValue] = {}
    """What it sets for its conversations, by key, weaker than what these set themselves."""

    @property
    def is_project(self) -> bool:
        """Whether its conversations get anything from it."""
        return bool(self.settings or self.collections)

    @property
    def instructions(self) -> str:
        """What follows the system prompt in its conversations."""
        return str(self.settings.get(PROJECT_INSTRUCTIONS_KEY, ""))

    @property
    def model_id(self) -> ModelId | None:
        """The model of new conversations in it; ``None`` for that of all."""
        name = self.settings.get(DEFAULT_MODEL_KEY)
        return ModelId(name) if isinstance(name, str) and name else None


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

    @property
    def is_temporary(self) -> bool:
        """Whether it is in memory alone, and gone once it is closed."""
        return is_temporary(self.id)


class Branches(msgspec.Struct, frozen=True, kw_only=True):
    """Siblings and pins of the messages of an active branch."""

    siblings: dict[MessageId, tuple[MessageId, ...]] = {}
    """For each message with siblings: these and the message itself, oldest first."""
    pinned: frozenset[MessageId] = frozenset()
    """Messages of the branch that the user pinned."""


class QueuedMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A message that is sent when the answer before it has ended without an error."""

    id: QueuedMessageId
    conversation_id: ConversationId
    message: ChatMessage
    model_id: ModelId
    created_at: float
    edit: str | None = None
    """Unsaved edit of its text; ``None`` while it is not edited."""


class NewDraft(msgspec.Struct, frozen=True, kw_only=True):
    """Unsent draft of a new chat that has no conversation yet."""

    id: DraftId
    text: str = ""
    attached: tuple[Attachment, ...] = ()
    settings: Mapping[str, SettingValue] = {}
    """What the chat sets itself, by key."""
    folder_id: FolderId | None = None
    """The folder that the chat begins in."""
    updated_at: float = 0.0


class TreeNode(msgspec.Struct, frozen=True, kw_only=True):
    """One message in the tree of a conversation's branches."""

    id: MessageId
    parent_id: MessageId | None
    role: Role
    excerpt: str
    """Beginning of its text, on one line."""
    state: MessageState
    created_at: float
    model_name: str = ""
    pinned: bool = False
    active: bool = False
    """Whether it belongs to the active branch."""


class Conversation(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation opened for reading: its active branch from the first message to the last."""

    summary: ConversationSummary
    messages: tuple[StoredMessage, ...]
    draft: str
    overrides: dict[str, SettingValue] = {}
    """The conversation's own settings, by key."""
    branches: Branches = Branches()
    waiting: tuple[QueuedMessage, ...] = ()
    """In the order in which they will be sent."""
    attached: tuple[Attachment, ...] = ()
    """The files of the draft."""
    edits: dict[MessageId, str] = {}
    """Unsaved edits of messages of the branch."""
    running: frozenset[MessageId] = frozenset()
    """Answers that this program is generating now, on any branch."""
    thinking_since: float | None = None
    """When the reasoning of the last answer began, if it is running; seconds of the monotonic clock."""


# The same question to several models or settings, side by side


MIN_COLUMNS: Final = 2
MAX_COLUMNS: Final = 4


class ComparedColumn(msgspec.Struct, frozen=True, kw_only=True):
    """Model of one column, with settings for that answer only."""

    model_id: ModelId
    settings: dict[str, SettingValue] = {}


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Answers to one question, oldest first: branches of its conversation like any others."""

    conversation_id: ConversationId
    question: StoredMessage
    answers: tuple[StoredMessage, ...]
