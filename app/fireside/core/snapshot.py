"""The initial state that the window receives from the engine thread."""

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
