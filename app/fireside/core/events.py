"""Facts that the engine thread reports to the window and the terminal. Past tense, frozen."""

from __future__ import annotations

import msgspec

from fireside.core.about import UpdateFound, UpdateProgressed
from fireside.core.chat import ConversationSummary, Folder, QueuedMessage, StoredMessage
from fireside.core.collection import Collection, CollectionState
from fireside.core.errors import ErrorInfo
from fireside.core.generation import Progress, TextDelta
from fireside.core.hub import CheckEnded, CheckProgressed, DownloadProgressed, DownloadsChanged
from fireside.core.ids import CollectionId, ConversationId, MessageId
from fireside.core.inspection import ScoringProgressed
from fireside.core.library import MoveEnded, MoveProgressed
from fireside.core.model import ModelEntry
from fireside.core.preset import Preset
from fireside.core.runtime import RuntimeProgressed, RuntimesChanged
from fireside.core.status import ModelStatus
from fireside.core.transfer import BackupsChanged, ConversationsRestored, TransferProgressed
from fireside.core.tuning import ComparingProgressed, TuningProgressed


class ConversationChanged(msgspec.Struct, frozen=True, kw_only=True, tag="conversation_changed"):
    """Created, renamed, pinned, touched or restored."""

    summary: ConversationSummary


class ConversationDeleted(msgspec.Struct, frozen=True, kw_only=True, tag="conversation_deleted"):
    """A conversation was deleted; until the program is next started it can be restored."""

    conversation_id: ConversationId


class FoldersChanged(msgspec.Struct, frozen=True, kw_only=True, tag="folders_changed"):
    """A folder was made, changed, moved or removed."""

    folders: tuple[Folder, ...]
    """All of them, from the top."""


class MessageAdded(msgspec.Struct, frozen=True, kw_only=True, tag="message_added"):
    """A message was committed to the database and now ends the active branch."""

    message: StoredMessage


class MessageReplaced(msgspec.Struct, frozen=True, kw_only=True, tag="message_replaced"):
    """A stored message reached a new state: finished, interrupted, failed."""

    message: StoredMessage


class BranchChanged(msgspec.Struct, frozen=True, kw_only=True, tag="branch_changed"):
    """The active branch was rewound: read the conversation again."""

    conversation_id: ConversationId


class MessagePinned(msgspec.Struct, frozen=True, kw_only=True, tag="message_pinned"):
    """A message was marked to be found again, or no longer is."""

    conversation_id: ConversationId
    message_id: MessageId
    pinned: bool


class QueuedMessagesChanged(msgspec.Struct, frozen=True, kw_only=True, tag="waiting_changed"):
    """The messages that wait to be sent in a conversation: all of them, in their order."""

    conversation_id: ConversationId
    waiting: tuple[QueuedMessage, ...]


class AnswerProgressed(msgspec.Struct, frozen=True, kw_only=True, tag="answer_progressed"):
    """An answer has not begun yet: what it waits for, and how far that is."""

    conversation_id: ConversationId
    message_id: MessageId
    progress: Progress


class SummaryChanged(msgspec.Struct, frozen=True, kw_only=True, tag="summary_changed"):
    """What stands for earlier messages of a conversation was written, changed or thrown away."""

    conversation_id: ConversationId


class TextAppended(msgspec.Struct, frozen=True, kw_only=True, tag="text_appended"):
    """Output to add at the end of an answer. Reasoning stands apart from its text; ``MARKUP`` is not for
    showing."""

    conversation_id: ConversationId
    message_id: MessageId
    delta: TextDelta


class SearchIndexed(msgspec.Struct, frozen=True, kw_only=True, tag="search_indexed"):
    """The search index has read more of what was written: a search finds it now."""


class CollectionsChanged(msgspec.Struct, frozen=True, kw_only=True, tag="collections_changed"):
    """A collection was made, changed or removed."""

    collections: tuple[Collection, ...]
    """All of them, by name."""


class CollectionProgressed(msgspec.Struct, frozen=True, kw_only=True, tag="collection_progressed"):
    """More of a collection can be searched, or something else is done for it."""

    collection_id: CollectionId
    state: CollectionState


class ModelStatusChanged(msgspec.Struct, frozen=True, kw_only=True, tag="model_status_changed"):
    """A model's state changed: loading, ready, unloaded, broken."""

    status: ModelStatus


class LibraryChanged(msgspec.Struct, frozen=True, kw_only=True, tag="library_changed"):
    """The library is another one; ``entries`` are all its lines."""

    entries: tuple[ModelEntry, ...]


class RemoteModelsChanged(msgspec.Struct, frozen=True, kw_only=True, tag="remote_models_changed"):
    """Engines were added, tested or removed; ``entries`` are all models of theirs that the user allows."""

    entries: tuple[ModelEntry, ...]


class SettingsChanged(msgspec.Struct, frozen=True, kw_only=True, tag="settings_changed"):
    """A setting of some layer changed; ``keys`` are those that did."""

    keys: tuple[str, ...]


class PresetsChanged(msgspec.Struct, frozen=True, kw_only=True, tag="presets_changed"):
    """The library of presets is another one; ``presets`` are all, in their order."""

    presets: tuple[Preset, ...]


class ToolServersChanged(msgspec.Struct, frozen=True, kw_only=True, tag="tool_servers_changed"):
    """An MCP server was added or removed, stands otherwise, or lists other tools."""


class StorageFailed(msgspec.Struct, frozen=True, kw_only=True, tag="storage_failed"):
    """Writing is not possible now. Nothing is lost: it stays in memory and is tried again."""

    error: ErrorInfo


class StorageRecovered(msgspec.Struct, frozen=True, kw_only=True, tag="storage_recovered"):
    """What ``StorageFailed`` told of has been written now."""


AppEvent = (
    ConversationChanged
    | ConversationDeleted
    | FoldersChanged
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
    | TuningProgressed
    | ComparingProgressed
    | UpdateProgressed
    | UpdateFound
    | ToolServersChanged
)
