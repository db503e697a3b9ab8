"""Notice what another program writes into the database: an import, a chat in the terminal."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Final

from fireside.core.chat import ConversationSummary, Folder
from fireside.core.errors import StorageError
from fireside.core.events import (
    AppEvent,
    BranchChanged,
    ConversationChanged,
    ConversationDeleted,
    FoldersChanged,
)
from fireside.core.ids import ConversationId
from fireside.storage.store import Store

INTERVAL_S: Final = 2.0
_MAX_SHARE: Final = 0.02
"""Of the storage thread's time: after a look that took long the next one comes later."""

log = logging.getLogger(__name__)


class Outside:
    """Asks the database every two seconds whether somebody else has written, and says what is different.

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
        self._wait = wait
        self._version = 0
        self._known: dict[ConversationId, ConversationSummary] = {}
        self._folders: tuple[Folder, ...] = ()
        self._written: frozenset[ConversationId] = frozenset()
        """Conversations in which an answer was being written at the last look."""
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to look; no second time if it already does."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="outside watch")

    async def close(self) -> None:
        """End."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    async def _run(self) -> None:
        took_s = 0.0
        await self._begin()
        while True:
            await self._wait(max(INTERVAL_S, took_s / _MAX_SHARE))
            began = time.monotonic()
            try:
                await self._look()
            except StorageError as exc:
                log.warning("what other programs write is not noticed: %s", exc)
            took_s = time.monotonic() - began

    async def _begin(self) -> None:
        with contextlib.suppress(StorageError):  # then everything is said at the first change
            self._version = await self._store.outside_version()
            self._known = {summary.id: summary for summary in await self._store.list_conversations()}
            self._folders = await self._store.list_folders()

    async def _look(self) -> None:
        version = await self._store.outside_version()
        if version == self._version:
            return
        known, written = self._known, self._written
        now = {summary.id: summary for summary in await self._store.list_conversations()}
        being_written = await self._store.conversations_being_written()
        self._version, self._known, self._written = version, now, being_written
        for gone in known.keys() - now.keys():
            self._emit(ConversationDeleted(conversation_id=gone))
        changed = {id_ for id_, summary in now.items() if known.get(id_) != summary}
        for id_ in changed:
            self._emit(ConversationChanged(summary=now[id_]))
        for id_ in (changed & known.keys()) | ((written | being_written) & now.keys()):
            if not self._is_running(id_):
                self._emit(BranchChanged(conversation_id=id_))
        folders, before = await self._store.list_folders(), self._folders
        self._folders = folders
        if folders != before:
            self._emit(FoldersChanged(folders=folders))
