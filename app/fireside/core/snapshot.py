"""Initial state that the window receives from the engine thread."""

from __future__ import annotations

import msgspec

from fireside.core.chat import ConversationSummary, Folder, NewDraft
from fireside.core.errors import ErrorInfo
from fireside.core.hub import Download
from fireside.core.ids import ModelId
from fireside.core.model import ModelEntry
from fireside.core.status import ModelStatus


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """The state of the engine thread at one moment; later changes arrive as events."""

    conversations: tuple[ConversationSummary, ...]
    models: tuple[ModelEntry, ...]
    statuses: tuple[ModelStatus, ...]
    remote_models: tuple[ModelEntry, ...]
    """Of other engines."""
    default_model: ModelId | None
    """Model of a new conversation: the one used last, else the starter model."""
    new_drafts: tuple[NewDraft, ...]
    """What was begun in new chats and not sent, the one changed last first."""
    problem: ErrorInfo | None
    """Why nothing can be saved in this session, if so."""
    warnings: tuple[ErrorInfo, ...] = ()
    """What else the user should know: settings that could not be read, say."""
    folders: tuple[Folder, ...] = ()
    """Of conversations, from the top."""
    downloads: tuple[Download, ...] = ()
    """The queue, in its order."""
