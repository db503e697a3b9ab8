"""Protocol of the service for folders, the archive, bulk changes and search of conversations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from fireside.core.chat import Colour, Folder
from fireside.core.ids import CollectionId, ConversationId, FolderId, MessageId
from fireside.core.search import SearchQuery, SearchResult


class FolderClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``.

    All raise ``StorageError``, which includes ``RecordNotFound``. Changes of several conversations apply to
    all of them or none. They arrive as ``FoldersChanged``, ``ConversationChanged`` and
    ``ConversationDeleted``.
    """

    async def create_folder(self, *, name: str) -> Folder:
        """Create an empty folder after the others."""

    async def rename_folder(self, folder_id: FolderId, *, name: str) -> None:
        """Rename a folder; an empty name is ignored."""

    async def set_folder_colour(self, folder_id: FolderId, *, colour: Colour | None) -> None: ...

    async def set_folder_collections(self, folder_id: FolderId, collections: Sequence[CollectionId]) -> None:
        """Set the document collections of all conversations in a folder."""

    async def folder_of(self, conversation_id: ConversationId) -> Folder | None:
        """Return the folder of a conversation, if it is in one."""

    async def open_folder(self, folder_id: FolderId, *, is_open: bool) -> None:
        """Store whether a folder is expanded."""

    async def move_folder(self, folder_id: FolderId, *, position: int) -> None:
        """Move a folder within the list; ``position`` counts from 0."""

    async def delete_folder(self, folder_id: FolderId) -> None:
        """Delete a folder; its conversations return to the list."""

    async def move_conversations(
        self, ids: Sequence[ConversationId], *, folder_id: FolderId | None
    ) -> None: ...

    async def set_archived(self, ids: Sequence[ConversationId], *, archived: bool) -> None: ...

    async def colour_conversations(self, ids: Sequence[ConversationId], *, colour: Colour | None) -> None: ...

    async def delete_conversations(self, ids: Sequence[ConversationId]) -> None:
        """Stop their answers and hide them; ``restore_conversations`` undoes that until the next start."""

    async def restore_conversations(self, ids: Sequence[ConversationId]) -> None: ...

    async def search(self, query: SearchQuery) -> SearchResult:
        """Search titles, questions and answers. Any text is a valid query."""

    async def show_branch(self, message_id: MessageId) -> ConversationId:
        """Activate the branch of a message and return its conversation.

        Raises ``RecordNotFound`` if the message is deleted or does not exist.
        """
