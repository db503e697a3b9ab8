"""Protocol of the service for folders, the archive, bulk changes and search of conversations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from fireside.core.chat import Colour, Folder
from fireside.core.ids import CollectionId, ConversationId, FolderId, MessageId
from fireside.core.search import SearchQuery, SearchResult


class FolderClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``.

    All raise ``StorageError``: ``RecordNotFound`` among them for what is gone. What is asked of several
    conversations is done for all or none. Changes arrive as ``FoldersChanged``, ``ConversationChanged`` and
    ``ConversationDeleted``.
    """

    async def create_folder(self, *, name: str) -> Folder:
        """Make an empty folder, below the others."""

    async def rename_folder(self, folder_id: FolderId, *, name: str) -> None:
        """Give a folder another name; an empty one is ignored."""

    async def set_folder_colour(self, folder_id: FolderId, *, colour: Colour | None) -> None: ...

    async def set_folder_collections(self, folder_id: FolderId, collections: Sequence[CollectionId]) -> None:
        """Answer all conversations of a folder from these collections of documents."""

    async def folder_of(self, conversation_id: ConversationId) -> Folder | None:
        """Return the folder that a conversation is in."""

    async def open_folder(self, folder_id: FolderId, *, is_open: bool) -> None:
        """Remember whether a folder's conversations are shown."""

    async def move_folder(self, folder_id: FolderId, *, position: int) -> None:
        """Give a folder another place among the folders, from 0."""

    async def delete_folder(self, folder_id: FolderId) -> None:
        """Remove a folder; its conversations go back to the list."""

    async def move_conversations(
        self, ids: Sequence[ConversationId], *, folder_id: FolderId | None
    ) -> None: ...

    async def archive_conversations(self, ids: Sequence[ConversationId]) -> None: ...

    async def unarchive_conversations(self, ids: Sequence[ConversationId]) -> None: ...

    async def colour_conversations(self, ids: Sequence[ConversationId], *, colour: Colour | None) -> None: ...

    async def delete_conversations(self, ids: Sequence[ConversationId]) -> None:
        """Stop their answers and hide them; until the next start ``restore_conversations`` undoes it."""

    async def restore_conversations(self, ids: Sequence[ConversationId]) -> None: ...

    async def search(self, query: SearchQuery) -> SearchResult:
        """Find words in titles, questions and answers. Any text may be asked for."""

    async def show_branch(self, message_id: MessageId) -> ConversationId:
        """Make the branch with a message the active one, and return its conversation.

        Raises ``RecordNotFound`` for a message that is deleted or was never there.
        """
