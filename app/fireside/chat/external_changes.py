"""Detect changes that another program makes in the database: an import, a chat in the terminal."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import msgspec

from fireside.core.chat import ConversationSummary, Folder
from fireside.core.events import (
    AppEvent,
    BranchChanged,
    ConversationChanged,
    ConversationDeleted,
    FoldersChanged,
)
from fireside.core.ids import ConversationId
from fireside.services.polling import Poller
from fireside.storage.store import Store

_INTERVAL_S: Final = 2.0


class _DatabaseState(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of the database at one time, as far as they are compared."""

    version: int
    chats: dict[ConversationId, ConversationSummary]
    answering: frozenset[ConversationId]
    """The conversations with a running answer."""
    folders: tuple[Folder, ...]


class ExternalChanges:
    """Polls the database every two seconds for writes of other programs, and emits the differences as events.

    A poll takes some microseconds; conversations are compared only after a write.
    """

    def __init__(
        self,
        *,
        store: Store,
        is_running: Callable[[ConversationId], bool],
        emit: Callable[[AppEvent], None],
        wait: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """``is_running`` returns whether this program is writing an answer in a conversation."""
        self._store = store
        self._is_running = is_running
        self._emit = emit
        self._state: _DatabaseState | None = None
        self._poller = Poller(self._poll, name="the database", interval_s=_INTERVAL_S, wait=wait)

    def start(self) -> None:
        """Start polling. Idempotent."""
        self._poller.start()

    async def close(self) -> None:
        """Stop polling."""
        await self._poller.close()

    async def _poll(self) -> None:
        version, before = await self._store.external_version(), self._state
        if before is not None and before.version == version:
            return
        self._state = _DatabaseState(
            version=version,
            chats={summary.id: summary for summary in await self._store.conversations.all()},
            answering=await self._store.conversations.with_running_answers(),
            folders=await self._store.folders.all(),
        )
        if before is not None:
            self._emit_changes(before, self._state)

    def _emit_changes(self, before: _DatabaseState, now: _DatabaseState) -> None:
        for id_ in before.chats.keys() - now.chats.keys():
            self._emit(ConversationDeleted(conversation_id=id_))
        changed = {id_ for id_, summary in now.chats.items() if before.chats.get(id_) != summary}
        for id_ in changed:
            self._emit(ConversationChanged(summary=now.chats[id_]))
        written_to = (before.answering | now.answering) & now.chats.keys()
        for id_ in (changed & before.chats.keys()) | written_to:
            if not self._is_running(id_):
                self._emit(BranchChanged(conversation_id=id_))
        if before.folders != now.folders:
            self._emit(FoldersChanged(folders=now.folders))
