"""A ``FolderClient`` in memory: changes the lines of the whole fake, and emits what happened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Protocol

import msgspec

from fakes.requests import Requests
from fireside.bridge.folder_client import FolderClient
from fireside.core.chat import Colour, ConversationSummary, Folder
from fireside.core.errors import NotStored
from fireside.core.events import AppEvent, ConversationChanged, ConversationDeleted, FoldersChanged
from fireside.core.ids import ConversationId, FolderId, MessageId
from fireside.core.search import SearchQuery, SearchResult


class Kept(Protocol):
    """What the fake of the whole holds."""

    summaries: dict[ConversationId, ConversationSummary]
    deleted: dict[ConversationId, ConversationSummary]

    def publish(self, *events: AppEvent) -> None: ...

    def conversation_of(self, message_id: MessageId) -> ConversationId | None: ...


class FakeFolderClient(Requests):
    """``result`` is what the next searches find."""

    def __init__(self, kept: Kept) -> None:
        super().__init__()
        self._kept = kept
        self._ids = count(1)
        self.folders: list[Folder] = []
        self.result = SearchResult()

    def add_folder(self, name: str, *, is_open: bool = True, colour: Colour | None = None) -> FolderId:
        """Store a folder without an event."""
        made = Folder(id=FolderId(next(self._ids)), name=name, is_open=is_open, colour=colour)
        self.folders.append(made)
        return made.id

    # KeepingClient

    async def create_folder(self, *, name: str) -> Folder:
        await self.enter("create_folder", name)
        made = self.add_folder(name)
        self._folders_changed()
        return self._folder(made)

    async def rename_folder(self, folder_id: FolderId, *, name: str) -> None:
        await self.enter("rename_folder", folder_id, name)
        self._change_folder(folder_id, lambda folder: msgspec.structs.replace(folder, name=name))

    async def colour_folder(self, folder_id: FolderId, *, colour: Colour | None) -> None:
        await self.enter("colour_folder", folder_id, colour)
        self._change_folder(folder_id, lambda folder: msgspec.structs.replace(folder, colour=colour))

    async def open_folder(self, folder_id: FolderId, *, is_open: bool) -> None:
        await self.enter("open_folder", folder_id, is_open)
        self._change_folder(folder_id, lambda folder: msgspec.structs.replace(folder, is_open=is_open))

    async def move_folder(self, folder_id: FolderId, *, position: int) -> None:
        await self.enter("move_folder", folder_id, position)
        moved = self._folder(folder_id)
        self.folders.remove(moved)
        self.folders.insert(max(0, position), moved)
        self._folders_changed()

    async def delete_folder(self, folder_id: FolderId) -> None:
        await self.enter("delete_folder", folder_id)
        self.folders.remove(self._folder(folder_id))
        inside = [id_ for id_, kept in self._kept.summaries.items() if kept.folder_id == folder_id]
        self._change(inside, lambda summary: msgspec.structs.replace(summary, folder_id=None))
        self._folders_changed()

    async def move_conversations(self, ids: Sequence[ConversationId], *, folder_id: FolderId | None) -> None:
        await self.enter("move_conversations", tuple(ids), folder_id)
        self._change(ids, lambda summary: msgspec.structs.replace(summary, folder_id=folder_id))

    async def archive_conversations(self, ids: Sequence[ConversationId]) -> None:
        await self.enter("archive_conversations", tuple(ids))
        self._change(ids, lambda summary: msgspec.structs.replace(summary, archived=True))

    async def unarchive_conversations(self, ids: Sequence[ConversationId]) -> None:
        await self.enter("unarchive_conversations", tuple(ids))
        self._change(ids, lambda summary: msgspec.structs.replace(summary, archived=False))

    async def colour_conversations(self, ids: Sequence[ConversationId], *, colour: Colour | None) -> None:
        await self.enter("colour_conversations", tuple(ids), colour)
        self._change(ids, lambda summary: msgspec.structs.replace(summary, colour=colour))

    async def delete_conversations(self, ids: Sequence[ConversationId]) -> None:
        await self.enter("delete_conversations", tuple(ids))
        for id_ in ids:
            self._kept.deleted[id_] = self._kept.summaries.pop(id_)
        self._kept.publish(*(ConversationDeleted(conversation_id=id_) for id_ in ids))

    async def restore_conversations(self, ids: Sequence[ConversationId]) -> None:
        await self.enter("restore_conversations", tuple(ids))
        for id_ in ids:
            self._kept.summaries[id_] = self._kept.deleted.pop(id_)
        self._change(ids, lambda summary: summary)

    async def search(self, query: SearchQuery) -> SearchResult:
        await self.enter("search", query)
        return self.result

    async def show_branch(self, message_id: MessageId) -> ConversationId:
        await self.enter("show_branch", message_id)
        found = self._kept.conversation_of(message_id)
        if found is None:
            raise NotStored(what="message", id=message_id)
        return found

    # Inside

    def _folder(self, folder_id: FolderId) -> Folder:
        for folder in self.folders:
            if folder.id == folder_id:
                return folder
        raise NotStored(what="folder", id=folder_id)

    def _change_folder(self, folder_id: FolderId, change: Callable[[Folder], Folder]) -> None:
        old = self._folder(folder_id)
        self.folders[self.folders.index(old)] = change(old)
        self._folders_changed()

    def _folders_changed(self) -> None:
        self._kept.publish(FoldersChanged(folders=tuple(self.folders)))

    def _change(
        self,
        ids: Sequence[ConversationId],
        change: Callable[[ConversationSummary], ConversationSummary],
    ) -> None:
        for id_ in ids:
            self._kept.summaries[id_] = change(self._kept.summaries[id_])
        self._kept.publish(*(ConversationChanged(summary=self._kept.summaries[id_]) for id_ in ids))


def as_keeping_client(fake: FakeFolderClient) -> FolderClient:
    """Let the type checker confirm that the fake keeps the contract."""
    return fake
