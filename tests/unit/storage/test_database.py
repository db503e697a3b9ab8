"""The database file: creation, opening, refusals, errors."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import apsw
import pytest

from fakes.faulty_disk import faulty_disk
from fakes.raised import refuses
from fakes.stores import modes, names, send, set_mode, texts
from fireside.core.errors import StorageDamaged, StorageError, StorageFull, StorageTooNew, StorageUnwritable
from fireside.core.search import SearchQuery
from fireside.storage.errors import from_sqlite, from_system
from fireside.storage.migrations import APPLICATION_ID, load_migrations
from fireside.storage.store import MEMORY, Store


def write_as_newer(path: Path, change: str) -> dict[str, bytes]:
    """Change the file as a version of the future, and return the files as a crash of it leaves them."""
    newer = apsw.Connection(str(path))
    newer.execute("PRAGMA user_version = 99")
    newer.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    newer.execute(change)
    newer.close()
    path.with_name("chats.db-shm").unlink(missing_ok=True)
    before = files_of(path)
    assert set(before) == {"chats.db", "chats.db-wal"}
    return before


posix_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes")


async def open_and_close(path: Path) -> None:
    await (await Store.open(path, clock=time.time)).close()


def files_of(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(path.parent.iterdir()) if file.is_file()}


@posix_only
async def test_the_folder_and_all_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "chats.db"
    async with await Store.open(path, clock=time.time) as store:
        await send(store)
        await store.backup(path.with_name("copy.db"))
        files = ("chats.db", "chats.db-shm", "chats.db-wal", "copy.db")
        assert modes(path.parent) == {".": 0o700, **dict.fromkeys(files, 0o600)}
        assert modes(path.parent.parent) == {".": 0o700}


@posix_only
async def test_a_file_that_others_could_read_is_closed_to_them_and_the_folder_is_left_alone(
    tmp_path: Path,
) -> None:
    path = tmp_path / "chats.db"
    await open_and_close(path)
    set_mode(path, 0o644)
    set_mode(tmp_path, 0o755)
    await open_and_close(path)
    assert modes(tmp_path) == {".": 0o755, "chats.db": 0o600}


async def test_the_connection_is_set_for_durability_and_against_hostile_files(tmp_path: Path) -> None:
    expected = {
        "journal_mode": "wal",
        "synchronous": 2,
        "fullfsync": 1,
        "checkpoint_fullfsync": 1,
        "foreign_keys": 1,
        "trusted_schema": 0,
        "cell_size_check": 1,
        "mmap_size": 0,
        "secure_delete": 1,
        "application_id": APPLICATION_ID,
        "user_version": len(load_migrations()),
    }
    async with await Store.open(tmp_path / "chats.db", clock=time.time) as store:
        matches = {name: store._database.row(f"PRAGMA {name}") for name in expected}
        assert matches == {name: (value,) for name, value in expected.items()}
        # The only one that the build may leave out: memory-mapped files.
        assert store._database.connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, -1) == 1


async def test_every_table_is_strict(store: Store) -> None:
    tables = store._database.rows(
        "SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
    )
    assert {name for name, strict in tables if not strict} == {"sqlite_schema", "sqlite_sequence"}


async def test_closing_leaves_one_file_and_takes_no_second_call_amiss(tmp_path: Path) -> None:
    store = await Store.open(tmp_path / "chats.db", clock=time.time)
    await send(store)
    await store.close()
    await store.close()
    assert names(tmp_path) == ["chats.db"]


async def test_a_closed_store_raises() -> None:
    store = await Store.open(MEMORY, clock=time.time)
    await store.close()
    with pytest.raises(StorageUnwritable, match="closing"):
        await store.conversations.all()


async def test_an_empty_file_is_a_new_database(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    path.touch()
    async with await Store.open(path, clock=time.time) as store:
        assert await store.conversations.all() == ()


async def test_a_newer_database_is_readable_and_not_changed_by_a_byte(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    async with await Store.open(path, clock=time.time) as store:
        turn = await send(store, "kept?")
        await store.search.index_some(limit_s=1.0)
    before = write_as_newer(path, "CREATE TABLE from_the_future (x)")
    async with await Store.open(path, clock=time.time) as store:
        assert store.read_only is not None
        assert store.read_only.code == "storage_read_only"
        assert texts((await store.conversations.open(turn.summary.id)).messages)[0] == "kept?"
        assert len((await store.search.find(SearchQuery(text="kept"))).matches) == 1
        for write in (
            send(store, "more"),
            store.conversations.rename(turn.summary.id, title="x"),
            store.conversations.delete((turn.summary.id,)),
        ):
            with refuses("storage_read_only", match="newer version"):
                await write
        with pytest.raises(apsw.ReadOnlyError):
            store._database.connection.execute("DELETE FROM message")
    after = files_of(path)
    after.pop("chats.db-shm", None)
    assert after == before


@pytest.mark.parametrize(
    "change",
    ["ALTER TABLE conversation RENAME COLUMN title TO name", "DROP TABLE folder"],
    ids=["no column", "no table"],
)
async def test_a_newer_version_that_lacks_what_is_read_is_refused(tmp_path: Path, change: str) -> None:
    path = tmp_path / "chats.db"
    await open_and_close(path)
    before = write_as_newer(path, change)
    with pytest.raises(StorageTooNew) as caught:
        await open_and_close(path)
    assert (caught.value.version, caught.value.supported) == (99, len(load_migrations()))
    after = files_of(path)
    after.pop("chats.db-shm", None)
    assert after == before


async def test_a_guest_reads_a_newer_database(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    await open_and_close(path)
    write_as_newer(path, "CREATE TABLE from_the_future (x)")
    async with await Store.join(path, clock=time.time) as store:
        assert store.read_only is not None
        assert store.read_only.code == "storage_read_only"
        assert await store.conversations.all() == ()


@pytest.mark.parametrize("open_store", [Store.open, Store.join], ids=["owner", "guest"])
async def test_what_cannot_be_written_is_readable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, open_store: Callable[..., Awaitable[Store]]
) -> None:
    path = tmp_path / "chats.db"
    async with await Store.open(path, clock=time.time) as store:
        turn = await send(store, "kept?")
    before = path.read_bytes()

    def refuse(_path: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("fireside.storage.database_opening.make_private_file", refuse)
    async with await open_store(path, clock=time.time) as store:
        assert texts((await store.conversations.open(turn.summary.id)).messages)[0] == "kept?"
        with refuses("storage_write_protected", match="read and export"):
            await send(store, "more")
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "contents",
    [b"not a database at all, but longer than a header" * 100, b"x", b"SQLite format 3\0" + bytes(84)],
    ids=["text", "one byte", "header of zeros"],
)
async def test_a_file_that_is_no_database_is_damaged_and_no_byte_is_touched(
    tmp_path: Path, contents: bytes
) -> None:
    path = tmp_path / "chats.db"
    path.write_bytes(contents)
    with pytest.raises(StorageDamaged):
        await open_and_close(path)
    assert files_of(path) == {"chats.db": contents}


@pytest.mark.parametrize(
    "statements",
    [
        "CREATE TABLE someone_elses (x)",
        "PRAGMA application_id = 1; CREATE TABLE someone_elses (x)",
        f"PRAGMA application_id = {APPLICATION_ID}; CREATE TABLE conversation (id INTEGER)",
        f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = -3; CREATE TABLE x (y)",
        f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = 1; CREATE TABLE conversation (id)",
    ],
    ids=["no id", "other id", "no version", "odd version", "other tables"],
)
async def test_another_database_is_refused_and_no_byte_is_touched(tmp_path: Path, statements: str) -> None:
    path = tmp_path / "chats.db"
    other = apsw.Connection(str(path))
    other.execute(statements)
    other.close()
    before = files_of(path)
    with pytest.raises(StorageDamaged):
        await open_and_close(path)
    assert files_of(path) == before


async def test_a_folder_that_cannot_be_made_is_unwritable(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StorageUnwritable) as caught:
        await open_and_close(tmp_path / "file" / "chats.db")
    assert caught.value.path.endswith("chats.db")


async def test_a_folder_in_place_of_the_file_is_unwritable(tmp_path: Path) -> None:
    (tmp_path / "chats.db").mkdir()
    with pytest.raises(StorageUnwritable):
        await open_and_close(tmp_path / "chats.db")


@pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() == 0, reason="modes do not stop this user from writing"
)
async def test_a_folder_without_the_right_to_write_is_unwritable_and_readable(tmp_path: Path) -> None:
    path = tmp_path / "used" / "chats.db"
    async with await Store.open(path, clock=time.time) as store:
        await send(store, "kept?")
    set_mode(tmp_path, 0o500)
    set_mode(path.parent, 0o500)
    try:
        with pytest.raises(StorageUnwritable):
            await open_and_close(tmp_path / "chats.db")
        async with await Store.open(path, clock=time.time) as store:
            assert len(await store.conversations.all()) == 1
        assert names(path.parent) == ["chats.db"]
    finally:
        set_mode(tmp_path, 0o700)
        set_mode(path.parent, 0o700)


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be removed there")
async def test_nothing_is_written_into_a_file_that_was_removed_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    store = await Store.open(path, clock=time.time)
    turn = await send(store)
    path.unlink()
    with pytest.raises(StorageUnwritable, match="moved or deleted"):
        await send(store)
    assert (await store.conversations.open(turn.summary.id)).messages == (turn.question, turn.answer)
    await store.close()


async def test_a_lock_of_another_program_is_reported_and_work_continues_afterwards(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    async with await Store.open(path, clock=time.time, busy_limit_s=0.02) as store:
        turn = await send(store, "before")
        other = apsw.Connection(str(path))
        other.execute("BEGIN EXCLUSIVE")
        with refuses("storage_locked"):
            await send(store, "during", to=turn.summary.id)
        # Reading goes on meanwhile.
        assert len((await store.conversations.open(turn.summary.id)).messages) == 2
        other.execute("ROLLBACK")
        other.close()
        await send(store, "after", to=turn.summary.id)
        assert len((await store.conversations.open(turn.summary.id)).messages) == 4


async def test_a_database_that_is_locked_for_good_cannot_be_opened(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    other = apsw.Connection(str(path))
    other.execute("CREATE TABLE x (y)")
    other.execute("BEGIN EXCLUSIVE")
    with refuses("storage_locked"):
        await Store.open(path, clock=time.time, busy_limit_s=0.02)
    other.close()


@pytest.mark.timeout(30, method="thread")
async def test_closing_does_not_wait_for_a_lock_held_elsewhere(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    # An hour: the test itself ends only if the wait is cut short.
    store = await Store.open(path, clock=time.time, busy_limit_s=3_600.0)
    other = apsw.Connection(str(path))
    other.execute("BEGIN EXCLUSIVE")
    waiting = store._thread._submit(lambda: store._database.rows("BEGIN IMMEDIATE"))
    await store.close()
    assert isinstance(waiting.exception(), apsw.BusyError)
    other.close()


@pytest.mark.parametrize(
    ("raised", "named"),
    [
        (apsw.FullError, "storage_full"),
        (apsw.BusyError, "storage_locked"),
        (apsw.LockedError, "storage_locked"),
        (apsw.ReadOnlyError, "storage_unwritable"),
        (apsw.CantOpenError, "storage_unwritable"),
        (apsw.PermissionsError, "storage_unwritable"),
        (apsw.IOError, "storage_unwritable"),
        (apsw.CorruptError, "storage_damaged"),
        (apsw.NotADBError, "storage_damaged"),
    ],
)
async def test_an_error_of_the_disk_while_writing_is_named_and_undone(
    tmp_path: Path, raised: type[apsw.Error], named: str
) -> None:
    with faulty_disk() as disk:
        async with await Store.open(tmp_path / "chats.db", clock=time.time, vfs=disk.name) as store:
            disk.fail_always({"write"}, raised)
            with refuses(named):
                await send(store)
            disk.heal()
            assert await store.conversations.all() == ()


@posix_only
async def test_a_folder_that_allows_no_shared_memory_will_do(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    await open_and_close(path)
    path.with_name("chats.db-shm").mkdir()
    async with await Store.open(path, clock=time.time) as store:
        await send(store)
        assert len(await store.conversations.all()) == 1


def test_an_error_that_is_ours_is_not_dressed_up_as_the_disks() -> None:
    assert from_sqlite(apsw.SQLError("no such table"), path="p") is None


@pytest.mark.parametrize(
    ("number", "named"), [(errno.ENOSPC, StorageFull), (errno.EACCES, StorageUnwritable)]
)
def test_an_error_of_the_system_is_named(number: int, named: type[StorageError]) -> None:
    assert type(from_system(OSError(number, os.strerror(number)), path="p")) is named


def test_an_input_error_on_a_full_disk_is_a_full_disk() -> None:
    error = from_sqlite(apsw.IOError("disk I/O error"), path="p", system_errno=errno.ENOSPC)
    assert type(error) is StorageFull


async def test_a_bug_stays_a_bug(store: Store) -> None:
    with pytest.raises(apsw.SQLError):
        await store.run(lambda: store._database.rows("SELECT nonsense"))
