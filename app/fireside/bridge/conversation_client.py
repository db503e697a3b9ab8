"""Protocol of the service for conversations and their drafts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from fireside.core.attachment import Attachment
from fireside.core.chat import Conversation
from fireside.core.ids import ConversationId, DraftKey, ModelId


class ConversationClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``.

    Changes arrive as ``ConversationChanged`` and ``ConversationDeleted``. All raise ``StorageError``:
    ``RecordNotFound`` among them for what is gone.
    """

    async def open(self, conversation_id: ConversationId) -> Conversation:
        """Return the active branch as the events so far have told it, and have its answers come first from
        now on. Raises ``RecordNotFound``."""

    async def rename(self, conversation_id: ConversationId, *, title: str) -> None:
        """Give a conversation a name; an empty one is ignored."""

    async def pin(self, conversation_id: ConversationId) -> None: ...

    async def unpin(self, conversation_id: ConversationId) -> None: ...

    async def delete(self, conversation_id: ConversationId) -> None:
        """Stop its answer and hide it; ``restore`` brings it back until the program is next started."""

    async def restore(self, conversation_id: ConversationId) -> None: ...

    async def choose_model(self, conversation_id: ConversationId | None, *, model_id: ModelId) -> None:
        """Remember the model of a conversation, and of those to come. Raises ``ModelNotFound``."""

    async def save_draft(self, place: DraftKey, *, text: str) -> None:
        """Keep what is typed but not sent."""

    async def save_draft_files(self, place: DraftKey, *, attached: Sequence[Attachment]) -> None:
        """Keep what is attached but not sent: these files and no others."""
