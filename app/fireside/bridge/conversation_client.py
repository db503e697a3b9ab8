"""Protocol of the service for conversations and their drafts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from fireside.core.attachment import Attachment
from fireside.core.chat import Conversation
from fireside.core.ids import ConversationId, DraftKey, ModelId


class ConversationClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``.

    Changes arrive as ``ConversationChanged``. All raise ``StorageError``, which includes ``RecordNotFound``.
    ``FolderClient`` archives, deletes and restores conversations.
    """

    async def open(self, conversation_id: ConversationId) -> Conversation:
        """Return the active branch as of the events so far, and give its requests priority from now on."""

    async def rename(self, conversation_id: ConversationId, *, title: str) -> None:
        """Rename a conversation; an empty title is ignored."""

    async def set_pinned(self, conversation_id: ConversationId, *, pinned: bool) -> None: ...

    async def choose_model(self, conversation_id: ConversationId | None, *, model_id: ModelId) -> None:
        """Set the model of a conversation and of new ones. Raises ``ModelNotFound``."""

    async def save_draft(self, key: DraftKey, *, text: str) -> None:
        """Store the text of a draft."""

    async def save_draft_files(self, key: DraftKey, *, attached: Sequence[Attachment]) -> None:
        """Store the files of a draft, in place of the ones before."""
