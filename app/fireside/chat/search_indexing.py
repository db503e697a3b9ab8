"""Update the search index in the background, so that searches need not wait for it."""

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
"""Seconds after each step, in which other work on the database runs first."""
_SETTLE_S: Final = 0.5
_REPORT_S: Final = 1.0
"""Seconds between two reports during long work, since each may cause a search."""
_CHANGES: Final = (MessageAdded, MessageReplaced, ConversationChanged, ConversationDeleted, BranchChanged)

log = logging.getLogger(__name__)


class SearchIndexing:
    """Updates the search index after changes and emits ``SearchIndexed``, from ``start`` to ``close``."""

    def __init__(
        self, search: Search, *, emit: Callable[[AppEvent], None], settle_s: float = _SETTLE_S
    ) -> None:
        """``settle_s`` is the wait after a change, since several usually follow each other."""
        self._search = search
        self._emit = emit
        self._settle_s = settle_s
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start, with what an earlier version or a killed program has left to index."""
        self._changed.set()
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="indexing")

    def observe(self, event: AppEvent) -> None:
        """Record an event that changes searchable text."""
        if isinstance(event, _CHANGES):
            self._changed.set()

    async def close(self) -> None:
        """Stop; the rest is indexed after the next start."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            await self._changed.wait()
            await asyncio.sleep(self._settle_s)
            self._changed.clear()
            try:
                await self._catch_up()
            except StorageError as exc:
                # A search reports the error to the user. Indexing is tried again after the next change.
                log.warning("the search index is behind: %s", exc)

    async def _catch_up(self) -> None:
        reported, has_more = time.monotonic(), True
        while has_more:
            has_more = await self._search.index_some(limit_s=_WORK_S)
            if not has_more or time.monotonic() - reported >= _REPORT_S:
                reported = time.monotonic()
                self._emit(SearchIndexed())
            await asyncio.sleep(_PAUSE_S)
