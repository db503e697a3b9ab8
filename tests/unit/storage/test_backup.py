"""A copy of the whole database while it is in use."""

from __future__ import annotations

import time
from pathlib import Path

import apsw
import pytest

from fakes.stores import dump, dump_file, names, send
from fireside.core.errors import StorageDamaged, StorageError
from fireside.storage.backup import copy_database
from fireside.storage.store import MEMORY, Store


async def test_a_copy_holds_all_that_was_committed_and_opens_as_a_store(tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    async with await Store.open(tmp_path / "chats.db", clock=time.time) as store:
        turn = await send(store, "copied")
        await store.backup(copy)
        assert dump_file(copy) == dump(store._database.connection)
    async with await Store.open(copy, clock=time.time) as store:
        assert await store.messages.get(turn.question.id) == turn.question


async def test_a_session_in_memory_can_be_copied_to_a_file(store: Store, tmp_path: Path) -> None:
    await send(store)
    await store.backup(tmp_path / "copy.db")
    assert dump_file(tmp_path / "copy.db") == dump(store._database.connection)


async def test_a_newer_copy_replaces_the_older_and_leaves_nothing_else(tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    async with await Store.open(MEMORY, clock=time.time) as store:
        await store.backup(copy)
        await send(store)
        await store.backup(copy)
        assert dump_file(copy) == dump(store._database.connection)
    assert names(tmp_path) == ["copy.db"]


async def test_a_copy_that_cannot_be_written_is_an_error_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    async with await Store.open(MEMORY, clock=time.time) as store:
        with pytest.raises(StorageError):
            await store.backup(tmp_path / "taken")
        with pytest.raises(StorageError):
            await store.backup(tmp_path / "no such folder" / "copy.db")
    assert names(tmp_path) == ["taken"]


def test_a_damaged_database_does_not_replace_a_sound_copy(tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    copy.write_bytes(b"the sound copy")
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE TABLE parent (id INTEGER PRIMARY KEY)")
    connection.execute("CREATE TABLE child (parent INTEGER REFERENCES parent (id))")
    connection.execute("INSERT INTO child VALUES (1)")
    with pytest.raises(StorageDamaged):
        copy_database(connection, path="chats.db", target=copy, key=None)
    connection.close()
    assert copy.read_bytes() == b"the sound copy"
    assert names(tmp_path) == ["copy.db"]
