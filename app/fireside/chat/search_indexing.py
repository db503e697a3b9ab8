"""Read in the background what was written, so that a search finds it at once."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Final

from fireside.core.errors import StorageError
from fireside.core.events import (
    AppEvent,
    BranchChanged,
    ConversationChanged,
    ConversationDeleted,
    MessageAdded,
    MessageReplaced,
    SearchIndexed,
)
from fireside.storage.search_queries import Search

_WORK_S: Final = 0.02
_PAUSE_S: Final = 0.03
"""After each piece of work: whatever else waits for the database comes first."""
_SETTLE_S: Final = 0.5
_REPORT_S: Final = 1.0
"""Seconds between two reports while much is read, since each may be answered by a search."""
_CHANGES: Final = (MessageAdded, MessageReplaced, ConversationChanged, ConversationDeleted, BranchChanged)

log = logging.getLogger(__name__)


class SearchIndexing:
    """Keeps the search index close behind and reports ``SearchIndexed``; ``start`` begins, ``close`` ends."""

    def __init__(
        self, search: Search, *, emit: Callable[[AppEvent], None], settle_s: float = _SETTLE_S
    ) -> None:
        """Take ``settle_s`` as how long to wait after a change, since several come together."""
        self._search = search
        self._emit = emit
        self._settle_s = settle_s
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin with what earlier versions of the program, or a killed one, have left unread."""
        self._changed.set()
        if self._task is None:
            self._task = asyncio.create_task(self._follow(), name="indexing")

    def observe(self, event: AppEvent) -> None:
        """Take note when something was written that a search may look for."""
        if isinstance(event, _CHANGES):
            self._changed.set()

    async def close(self) -> None:
        """End; what is not read waits for the next start."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _follow(self) -> None:
        while True:
            await self._changed.wait()
            await asyncio.sleep(self._settle_s)
            self._changed.clear()
            try:
                await self._catch_up()
            except StorageError as exc:
                # A search says so too; here nothing was asked. It is tried again with the next change.
                log.warning("the search index is behind: %s", exc)

    async def _catch_up(self) -> None:
        reported, has_more = time.monotonic(), True
        while has_more:
            has_more = await self._search.index_some(limit_s=_WORK_S)
            if not has_more or time.monotonic() - reported >= _REPORT_S:
                reported = time.monotonic()
                self._emit(SearchIndexed())
            await asyncio.sleep(_PAUSE_S)
