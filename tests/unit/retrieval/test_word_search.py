"""Words of a question in a large index: the rare ones decide, and frequent ones cost no time."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from fireside.core.collection import LineLocation
from fireside.retrieval import word_search
from fireside.retrieval.chunk import Chunk
from fireside.retrieval.collection_store import CollectionStore
from fireside.retrieval.folder_scan import FolderScan, FoundFile
from fireside.retrieval.sources import ReadFile


async def store_with(path: Path, texts: list[str]) -> CollectionStore:
    store = await CollectionStore.open(path)
    collection = await store.collections.create(name="A", roots=["/a"])
    (root,) = await store.collections.roots(collection.id)
    file = FoundFile(path="/a/a.txt", size=1, mtime_ns=1, inode=1)
    await store.sources.apply_scan(collection.id, root.id, FolderScan(files=(file,)))
    (waiting,) = await store.sources.waiting(collection.id, limit=1)
    chunks = tuple(
        Chunk(char_from=n, char_to=n + 1, text=text, headings=(), location=LineLocation(first=n, last=n))
        for n, text in enumerate(texts)
    )
    await store.sources.store_result(waiting, ReadFile(hash="x", chunks=chunks))
    return store


def test_in_a_large_index_frequent_words_are_ignored_if_rare_ones_remain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(word_search, "_LARGE_INDEX", 10)
    monkeypatch.setattr(word_search, "_MAX_ROWS", 5)

    async def names_of(query: str) -> list[str]:
        store = await store_with(tmp_path / f"{query}.db", ["pump seal"] + ["pump"] * 20 + ["gasket pump"])
        (collection,) = await store.collections.all()
        result = await store.search(query, collection_ids=[collection.id], limit=50)
        await store.close()
        return [passage.text for passage in result.passages]

    assert asyncio.run(names_of("pump gasket")) == ["gasket pump"]
    assert sorted(asyncio.run(names_of("gasket pump seal"))) == ["gasket pump", "pump seal"]
    assert len(asyncio.run(names_of("pump"))) == 10
    assert asyncio.run(names_of("zebra")) == []
