"""Events that the engine thread reports to the window and the terminal: frozen, named in the past tense."""

from __future__ import annotations

import msgspec

from fireside.core.about import UpdateFound, UpdateProgressed
from fireside.core.chat import ConversationSummary, Folder, NewDraft, QueuedMessage, StoredMessage
from fireside.core.collection import Collection, CollectionState
from fireside.core.components import ComponentProgressed, ComponentsChanged
from fireside.core.errors import ErrorInfo
from fireside.core.generation import Progress, TextDelta
from fireside.core.hub import CheckEnded, CheckProgressed, Download, DownloadProgressed, DownloadsChanged
from fireside.core.ids import CollectionId, ConversationId, MessageId, ModelId
from fireside.core.inspection import ScoringProgressed
from fireside.core.library import MoveEnded, MoveProgressed
from fireside.core.model import ModelEntry
from fireside.core.preset import Preset
from fireside.core.runtime import RuntimeProgressed, RuntimesChanged
from fireside.core.speech import SpeechEvent
from fireside.core.status import ModelStatus
from fireside.core.transfer import BackupsChanged, ConversationsRestored, TransferProgressed
from fireside.core.tuning import ComparingProgressed, TuningProgressed
from fireside.core.web_preview import PreviewEvent


class ConversationChanged(msgspec.Struct, frozen=True, kw_only=True, tag="conversation_changed"):
    """A conversation was created, renamed, pinned, used or restored."""

    summary: ConversationSummary


class ConversationDeleted(msgspec.Struct, frozen=True, kw_only=True, tag="conversation_deleted"):
    """A conversation was deleted; it can be restored until the next start of the program."""

    conversation_id: ConversationId


class FactsChanged(msgspec.Struct, frozen=True, kw_only=True, tag="facts_changed"):
    """Facts were remembered, changed, forgotten or restored."""


class FoldersChanged(msgspec.Struct, frozen=True, kw_only=True, tag="folders_changed"):
    """A folder was created, changed, moved or removed."""

    folders: tuple[Folder, ...]
    """All folders, in order."""


class MessageAdded(msgspec.Struct, frozen=True, kw_only=True, tag="message_added"):
    """A message was committed to the database and now ends the active branch."""

    message: StoredMessage


class MessageReplaced(msgspec.Struct, frozen=True, kw_only=True, tag="message_replaced"):
    """A stored message reached a new state: finished, interrupted, failed."""

    message: StoredMessage


class BranchChanged(msgspec.Struct, frozen=True, kw_only=True, tag="branch_changed"):
    """The active branch was rewound; the conversation must be opened again."""

    conversation_id: ConversationId


class MessagePinned(msgspec.Struct, frozen=True, kw_only=True, tag="message_pinned"):
    """A message was pinned or unpinned."""

    conversation_id: ConversationId
    message_id: MessageId
    pinned: bool


class QueuedMessagesChanged(msgspec.Struct, frozen=True, kw_only=True, tag="waiting_changed"):
    """The queued messages of a conversation changed; ``waiting`` has all of them in order."""

    conversation_id: ConversationId
    waiting: tuple[QueuedMessage, ...]


class AnswerProgressed(msgspec.Struct, frozen=True, kw_only=True, tag="answer_progressed"):
    """Progress of an answer before its first text."""

    conversation_id: ConversationId
    message_id: MessageId
    progress: Progress


class SummaryChanged(msgspec.Struct, frozen=True, kw_only=True, tag="summary_changed"):
    """A summary of earlier messages of a conversation was written, changed or deleted."""

    conversation_id: ConversationId


class TextAppended(msgspec.Struct, frozen=True, kw_only=True, tag="text_appended"):
    """Output to append to an answer: to its text or its reasoning; ``MARKUP`` is not shown."""

    conversation_id: ConversationId
    message_id: MessageId
    delta: TextDelta


class SearchIndexed(msgspec.Struct, frozen=True, kw_only=True, tag="search_indexed"):
    """More messages were added to the search index."""


class CollectionsChanged(msgspec.Struct, frozen=True, kw_only=True, tag="collections_changed"):
    """A collection was created, changed or removed."""

    collections: tuple[Collection, ...]
    """All collections, by name."""


class CollectionProgressed(msgspec.Struct, frozen=True, kw_only=True, tag="collection_progressed"):
    """The indexing state of a collection changed."""

    collection_id: CollectionId
    state: CollectionState


class ModelStatusChanged(msgspec.Struct, frozen=True, kw_only=True, tag="model_status_changed"):
    """A model's state changed: loading, ready, unloaded, broken."""

    status: ModelStatus


class LibraryChanged(msgspec.Struct, frozen=True, kw_only=True, tag="library_changed"):
    """The library changed; ``entries`` are all its entries."""

    entries: tuple[ModelEntry, ...]


class RemoteModelsChanged(msgspec.Struct, frozen=True, kw_only=True, tag="remote_models_changed"):
    """Engines were added, tested or removed; ``entries`` are all of their models that the user allows."""

    entries: tuple[ModelEntry, ...]


class SettingsChanged(msgspec.Struct, frozen=True, kw_only=True, tag="settings_changed"):
    """Settings of a layer changed."""

    keys: tuple[str, ...]


class PresetsChanged(msgspec.Struct, frozen=True, kw_only=True, tag="presets_changed"):
    """The presets changed; ``presets`` are all of them, in order."""

    presets: tuple[Preset, ...]


class ToolServersChanged(msgspec.Struct, frozen=True, kw_only=True, tag="tool_servers_changed"):
    """An MCP server was added or removed, or its state or tools changed."""


class SkillsChanged(msgspec.Struct, frozen=True, kw_only=True, tag="skills_changed"):
    """A skill was added, removed or reviewed."""


class ToolCallProgressed(msgspec.Struct, frozen=True, kw_only=True, tag="tool_call_progressed"):
    """What a server says of a call that the user made by hand."""

    tool: str
    text: str


class StorageFailed(msgspec.Struct, frozen=True, kw_only=True, tag="storage_failed"):
    """Data could not be written. It is kept in memory and written later."""

    error: ErrorInfo


class ProblemFound(msgspec.Struct, frozen=True, kw_only=True, tag="problem_found"):
    """Something needs the user's attention that no other part of the window shows."""

    error: ErrorInfo


class StorageRecovered(msgspec.Struct, frozen=True, kw_only=True, tag="storage_recovered"):
    """All data was written after a ``StorageFailed``."""


AppEvent = (
    ConversationChanged
    | ConversationDeleted
    | FoldersChanged
    | FactsChanged
    | MessageAdded
    | MessageReplaced
    | BranchChanged
    | MessagePinned
    | QueuedMessagesChanged
    | AnswerProgressed
    | SummaryChanged
    | TextAppended
    | SearchIndexed
    | CollectionsChanged
    | CollectionProgressed
    | ModelStatusChanged
    | LibraryChanged
    | RemoteModelsChanged
    | SettingsChanged
    | PresetsChanged
    | StorageFailed
    | StorageRecovered
    | ProblemFound
    | DownloadsChanged
    | DownloadProgressed
    | CheckProgressed
    | CheckEnded
    | MoveProgressed
    | MoveEnded
    | TransferProgressed
    | BackupsChanged
    | ConversationsRestored
    | ScoringProgressed
    | RuntimeProgressed
    | RuntimesChanged
    | ComponentProgressed
    | ComponentsChanged
    | SpeechEvent
    | PreviewEvent
    | TuningProgressed
    | ComparingProgressed
    | UpdateProgressed
    | UpdateFound
    | ToolServersChanged
    | SkillsChanged
    | ToolCallProgressed
)


# The initial state that the window receives from the engine thread


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """The state of the engine thread at one moment; later changes arrive as events."""

    conversations: tuple[ConversationSummary, ...]
    models: tuple[ModelEntry, ...]
    statuses: tuple[ModelStatus, ...]
    remote_models: tuple[ModelEntry, ...]
    """Models of remote engines."""
    default_model: ModelId | None
    """The model of new conversations: the last used one, or the starter model."""
    new_drafts: tuple[NewDraft, ...]
    """Drafts of new chats, the last changed first."""
    problem: ErrorInfo | None
    """Why nothing can be saved in this session; ``None`` if it can."""
    has_chats: bool = True
    """Whether the list of conversations could be read."""
    warnings: tuple[ErrorInfo, ...] = ()
    """Other problems for the user, such as damaged settings."""
    folders: tuple[Folder, ...] = ()
    """Folders of conversations, in order."""
    downloads: tuple[Download, ...] = ()
    """The queue, in order."""
