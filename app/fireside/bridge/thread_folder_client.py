"""The façade over the engine thread for keeping and finding conversations."""

from __future__ import annotations

from collections.abc import Sequence

from fireside.bridge.remote_call import Ask
from fireside.core.chat import Colour, Folder
from fireside.core.ids import ConversationId, FolderId, MessageId
from fireside.core.search import SearchQuery, SearchResult


class ThreadFolderClient:
    """``FolderClient`` for an ``App`` that lives on an ``EngineThread``. GUI thread only."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    async def create_folder(self, *, name: str) -> Folder:
        return await self._ask(lambda app: app.folders.create_folder(name=name))

    async def rename_folder(self, folder_id: FolderId, *, name: str) -> None:
        await self._ask(lambda app: app.folders.rename_folder(folder_id, name=name))

    async def colour_folder(self, folder_id: FolderId, *, colour: Colour | None) -> None:
        await self._ask(lambda app: app.folders.colour_folder(folder_id, colour=colour))

    async def open_folder(self, folder_id: FolderId, *, is_open: bool) -> None:
        await self._ask(lambda app: app.folders.open_folder(folder_id, is_open=is_open))

    async def move_folder(self, folder_id: FolderId, *, position: int) -> None:
        await self._ask(lambda app: app.folders.move_folder(folder_id, position=position))

    async def delete_folder(self, folder_id: FolderId) -> None:
        await self._ask(lambda app: app.folders.delete_folder(folder_id))

    async def move_conversations(self, ids: Sequence[ConversationId], *, folder_id: FolderId | None) -> None:
        await self._ask(lambda app: app.folders.move(ids, folder_id=folder_id))

    async def archive_conversations(self, ids: Sequence[ConversationId]) -> None:
        await self._ask(lambda app: app.folders.archive(ids))

    async def unarchive_conversations(self, ids: Sequence[ConversationId]) -> None:
        await self._ask(lambda app: app.folders.unarchive(ids))

    async def colour_conversations(self, ids: Sequence[ConversationId], *, colour: Colour | None) -> None:
        await self._ask(lambda app: app.folders.colour(ids, colour=colour))

    async def delete_conversations(self, ids: Sequence[ConversationId]) -> None:
        await self._ask(lambda app: app.folders.delete(ids))

    async def restore_conversations(self, ids: Sequence[ConversationId]) -> None:
        await self._ask(lambda app: app.folders.restore(ids))

    async def search(self, query: SearchQuery) -> SearchResult:
        return await self._ask(lambda app: app.folders.search(query))

    async def show_branch(self, message_id: MessageId) -> ConversationId:
        return await self._ask(lambda app: app.folders.show_branch(message_id))
