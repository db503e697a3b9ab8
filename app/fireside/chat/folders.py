"""Folders, archive, colours and search of conversations."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from fireside.core.chat import Colour, ConversationSummary, Folder
from fireside.core.events import (
    AppEvent,
    BranchChanged,
    ConversationChanged,
    ConversationDeleted,
    FoldersChanged,
)
from fireside.core.for_window import for_window
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import CollectionId, ConversationId, FolderId, MessageId
from fireside.core.search import SearchQuery, SearchResult
from fireside.storage.store import Store

NAME_CHARACTERS: Final = 100
NEW_FOLDER: Final = tr_noop("New folder")


class FolderService:
    """Folders of conversations. Each change is stored before it is reported.

    All raise ``StorageError``, which includes ``RecordNotFound``. Changes of several conversations apply to
    all of them or none. They arrive as ``FoldersChanged``, ``ConversationChanged`` and
    ``ConversationDeleted``.
    """

    def __init__(
        self,
        *,
        store: Store,
        emit: Callable[[AppEvent], None],
        stop_answer: Callable[[ConversationId], Awaitable[None]],
    ) -> None:
        """``stop_answer`` stops the running answers of a conversation, if any."""
        self._store = store
        self._emit = emit
        self._stop_answer = stop_answer

    async def folders(self) -> tuple[Folder, ...]:
        """Return all folders, from the top."""
        return await self._store.folders.all()

    @for_window
    async def create_folder(self, *, name: str) -> Folder:
        """Create an empty folder after the others."""
        folder = await self._store.folders.create(name=_normalised(name) or tr(NEW_FOLDER))
        await self._emit_folders()
        return folder

    @for_window
    async def rename_folder(self, folder_id: FolderId, *, name: str) -> None:
        """Rename a folder; an empty name is ignored."""
        if _normalised(name):
            await self._store.folders.rename(folder_id, name=_normalised(name))
            await self._emit_folders()

    @for_window
    async def set_folder_colour(self, folder_id: FolderId, *, colour: Colour | None) -> None:
        await self._store.folders.set_colour(folder_id, colour=colour)
        await self._emit_folders()

    @for_window
    async def set_folder_collections(self, folder_id: FolderId, collections: Sequence[CollectionId]) -> None:
        """Set the document collections of all conversations in a folder."""
        await self._store.folders.set_collections(folder_id, collections=collections)
        await self._emit_folders()

    @for_window
    async def folder_of(self, conversation_id: ConversationId) -> Folder | None:
        """Return the folder of a conversation, if it is in one."""
        return await self._store.folders.folder_of(conversation_id)

    @for_window
    async def open_folder(self, folder_id: FolderId, *, is_open: bool) -> None:
        """Store whether a folder is expanded."""
        await self._store.folders.set_open(folder_id, is_open=is_open)
        await self._emit_folders()

    @for_window
    async def move_folder(self, folder_id: FolderId, *, position: int) -> None:
        """Move a folder within the list; ``position`` counts from 0."""
        await self._store.folders.move(folder_id, position=position)
        await self._emit_folders()

    @for_window
    async def delete_folder(self, folder_id: FolderId) -> None:
        """Delete a folder; its conversations return to the list. ``restore_folder`` brings it back until the
        next start."""
        self._emit_changed(await self._store.folders.delete(folder_id))
        await self._emit_folders()

    @for_window
    async def restore_folder(self, folder_id: FolderId, ids: Sequence[ConversationId]) -> None:
        """Restore a deleted folder with these of its conversations."""
        await self._store.folders.restore(folder_id)
        await self._emit_folders()
        await self.move_conversations(ids, folder_id=folder_id)

    @for_window
    async def move_conversations(self, ids: Sequence[ConversationId], *, folder_id: FolderId | None) -> None:
        self._emit_changed(await self._store.conversations.move_to_folder(ids, folder_id=folder_id))

    @for_window
    async def set_archived(self, ids: Sequence[ConversationId], *, archived: bool) -> None:
        self._emit_changed(await self._store.conversations.set_archived(ids, archived=archived))

    @for_window
    async def colour_conversations(self, ids: Sequence[ConversationId], *, colour: Colour | None) -> None:
        self._emit_changed(await self._store.conversations.set_colour(ids, colour=colour))

    @for_window
    async def delete_conversations(self, ids: Sequence[ConversationId]) -> None:
        """Stop their answers and hide them; ``restore_conversations`` undoes that until the next start."""
        for conversation_id in ids:
            await self._stop_answer(conversation_id)
        await self._store.conversations.delete(ids)
        for conversation_id in ids:
            self._emit(ConversationDeleted(conversation_id=conversation_id))

    @for_window
    async def restore_conversations(self, ids: Sequence[ConversationId]) -> None:
        self._emit_changed(await self._store.conversations.restore(ids))

    @for_window
    async def search(self, query: SearchQuery) -> SearchResult:
        """Search titles, questions and answers. Any text is a valid query."""
        return await self._store.search.find(query)

    @for_window
    async def show_branch(self, message_id: MessageId) -> ConversationId:
        """Activate the branch of a message and return its conversation.

        Raises ``RecordNotFound`` if the message is deleted or does not exist.
        """
        conversation_id, has_changed = await self._store.branches.show(message_id)
        if has_changed:
            self._emit(BranchChanged(conversation_id=conversation_id))
        return conversation_id

    async def _emit_folders(self) -> None:
        self._emit(FoldersChanged(folders=await self._store.folders.all()))

    def _emit_changed(self, summaries: Sequence[ConversationSummary]) -> None:
        for summary in summaries:
            self._emit(ConversationChanged(summary=summary))


def _normalised(name: str) -> str:
    return " ".join(name.split())[:NAME_CHARACTERS]
