"""The search index is updated in the background, in small steps, and survives errors."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Coroutine

import pytest

from fireside.chat.search_indexing import SearchIndexing
from fireside.core.errors import StorageFull
from fireside.core.events import AppEvent, ConversationDeleted, SearchIndexed, StorageRecovered
from fireside.core.ids import ConversationId

CHANGE = ConversationDeleted(conversation_id=ConversationId(1))


class Store:
    """Has as much to read as a test says."""

    def __init__(self, n_pieces: int) -> None:
        self.n_pieces = n_pieces
        self.n_calls = 0
        self.events: list[AppEvent] = []
        self.fails = False
        self.called = asyncio.Condition()

    async def index_some(self, *, limit_s: float) -> bool:
        assert limit_s < 0.1
        async with self.called:
            self.n_calls += 1
            self.called.notify_all()
        if self.fails:
            self.fails = False
            raise StorageFull(path="chats.db")
        self.n_pieces = max(0, self.n_pieces - 1)
        return self.n_pieces > 0

    async def until(self, n_calls: int) -> None:
        async with asyncio.timeout(10), self.called:
            await self.called.wait_for(lambda: self.n_calls >= n_calls)


Scenario = Callable[[Store, Callable[[AppEvent], None]], Coroutine[object, object, None]]


async def play(scenario: Scenario, *, n_pieces: int) -> Store:
    store = Store(n_pieces)
    indexing = SearchIndexing(store, emit=store.events.append, settle_s=0.0)  # type: ignore[arg-type]
    indexing.start()
    try:
        await scenario(store, indexing.observe)
    finally:
        await indexing.close()
    return store


async def test_pending_changes_are_indexed_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fireside.chat.search_indexing._REPORT_S", math.inf)  # however slow the machine is

    async def scenario(store: Store, _report: object) -> None:
        await store.until(3)
        await asyncio.sleep(0)

    store = await play(scenario, n_pieces=3)
    assert store.n_pieces == 0
    assert store.events == [SearchIndexed()], "all is read now"


async def test_a_change_is_read() -> None:
    async def scenario(store: Store, report: Callable[[AppEvent], None]) -> None:
        await store.until(1)
        report(CHANGE)
        await store.until(2)

    await play(scenario, n_pieces=1)


async def test_events_without_text_changes_are_ignored() -> None:
    async def scenario(store: Store, report: Callable[[AppEvent], None]) -> None:
        await store.until(1)
        await asyncio.sleep(0)
        report(StorageRecovered())
        assert not indexing_is_asked(store)
        report(CHANGE)
        await store.until(2)

    def indexing_is_asked(store: Store) -> bool:
        return store.n_calls > 1

    assert (await play(scenario, n_pieces=1)).n_calls == 2


async def test_a_full_disk_ends_nothing_and_the_next_change_is_read(caplog: pytest.LogCaptureFixture) -> None:
    async def scenario(store: Store, report: Callable[[AppEvent], None]) -> None:
        await store.until(1)
        store.fails = True
        report(CHANGE)
        await store.until(2)
        report(CHANGE)
        await store.until(3)

    await play(scenario, n_pieces=1)
    assert "the search index is behind" in caplog.text
