"""Notice what another program writes into the database: an import, a chat in the terminal."""

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

_EACH_S: Final = 2.0


class _Seen(msgspec.Struct, frozen=True, kw_only=True):
    """What one look at the database found."""

    version: int
    chats: dict[ConversationId, ConversationSummary]
    written: frozenset[ConversationId]
    """Those in which an answer is being written."""
    folders: tuple[Folder, ...]


class ExternalChanges:
    """Asks the database every two seconds whether another program has written, and says what is different.

    The question costs some microseconds; only after a yes are the conversations compared.
    """

    def __init__(
        self,
        *,
        store: Store,
        is_running: Callable[[ConversationId], bool],
        emit: Callable[[AppEvent], None],
        wait: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """``is_running`` tells whether an answer is written in a conversation by this very program."""
        self._store = store
        self._is_running = is_running
        self._emit = emit
        self._seen: _Seen | None = None
        self._watch = Poller(self._look, name="the database", interval_s=_EACH_S, wait=wait)

    def start(self) -> None:
        """Begin to look; no second time if it already does."""
        self._watch.start()

    async def close(self) -> None:
        """End."""
        await self._watch.close()

    async def _look(self) -> None:
        version, before = await self._store.external_version(), self._seen
        if before is not None and before.version == version:
            return
        self._seen = _Seen(
            version=version,
            chats={summary.id: summary for summary in await self._store.conversations.all()},
            written=await self._store.conversations.with_running_answers(),
            folders=await self._store.folders.all(),
        )
        if before is not None:
            self._say(before, self._seen)

    def _say(self, before: _Seen, now: _Seen) -> None:
        """Say what is different."""
        for gone in before.chats.keys() - now.chats.keys():
            self._emit(ConversationDeleted(conversation_id=gone))
        changed = {id_ for id_, summary in now.chats.items() if before.chats.get(id_) != summary}
        for id_ in changed:
            self._emit(ConversationChanged(summary=now.chats[id_]))
        grown = (before.written | now.written) & now.chats.keys()
        for id_ in (changed & before.chats.keys()) | grown:
            if not self._is_running(id_):
                self._emit(BranchChanged(conversation_id=id_))
        if before.folders != now.folders:
            self._emit(FoldersChanged(folders=now.folders))
