"""Data under a passphrase: encrypted, changed, decrypted, and whole after a kill at every step."""

from __future__ import annotations

import asyncio
import contextlib
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import apsw
import pytest

from fakes.stores import send
from fireside.core.errors import FiresideError, StorageDamaged, StorageError
from fireside.files.data_key import KEY_FILES
from fireside.retrieval.collection_store import CollectionStore
from fireside.services.data_lock import ConversionStopped, DataLock, DataPlaces
from fireside.storage.backup import copy_file
from fireside.storage.encryption import DatabaseKey, connect, is_plain, read_record
from fireside.storage.integrity_check import check_database
from fireside.storage.store import Store
from fireside.wire.cache_files import ENCRYPTED_MARK

QUICK = 2**14
TEXT = "zanzibar-marmalade"
WORD, OTHER = "correct horse", "battery staple"
STATE = "-".join(["0" * 20] * 4) + ".state"


def places(folder: Path) -> DataPlaces:
    return DataPlaces(
        folder=folder,
        databases=(folder / "fireside.db", folder / "collections.db"),
        states=folder / "states",
        backups=lambda: sorted((folder / "backups").glob("*.db")),
    )


def lock_of(folder: Path) -> DataLock:
    return DataLock(places(folder), cost=QUICK)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder in use without a passphrase: chats, collections, a backup, a saved state, leftovers."""
    asyncio.run(fill(tmp_path / "data"))
    return tmp_path / "data"


async def fill(data: Path) -> None:
    async with await Store.open(data / "fireside.db", clock=time.time) as store:
        await send(store, TEXT)
        (data / "backups").mkdir()
        copy_file(data / "fireside.db", data / "backups" / "fireside-20260101-000000-automatic.db", key=None)
    collections = await CollectionStore.open(data / "collections.db")
    await collections.collections.create(name=TEXT, roots=())
    await collections.close()
    (data / "states").mkdir()
    (data / "states" / STATE).write_text(TEXT)
    (data / "fireside.db.converting").write_text(TEXT)


def found(folder: Path, text: str = TEXT) -> list[str]:
    """Return the files with the text, as it is or in UTF-16."""
    wanted = (text.encode(), text.encode("utf-16-le"))
    return sorted(
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and any(each in path.read_bytes() for each in wanted)
    )


def contents(folder: Path, key: DatabaseKey | None) -> object:
    def read(path: Path) -> object:
        own = None if is_plain(path) else key
        connection = connect(path, key=own)
        try:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            tables = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
            return {
                name: sorted(map(repr, connection.execute(f'SELECT * FROM "{name}"')))
                for (name,) in tables
                if not str(name).startswith(("search_", "sqlite_"))
            }
        finally:
            connection.close()

    return [read(path) for path in (*places(folder).databases, *places(folder).backups())]


def test_everything_is_encrypted_and_comes_back(folder: Path) -> None:
    before = contents(folder, None)
    assert len(found(folder)) == 5
    lock = lock_of(folder)
    lock.set_up(WORD)
    fractions: list[float] = []

    def report(fraction: float) -> bool:
        fractions.append(fraction)
        return True

    assert lock.finish(report) == ()
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1.0
    assert found(folder) == []
    assert (folder / "states" / ENCRYPTED_MARK).exists()
    assert contents(folder, lock.database_key()) == before
    assert not lock.needs_work()

    fresh = lock_of(folder)
    assert fresh.is_locked
    with pytest.raises(StorageError, match="locked"):
        fresh.database_key()
    with pytest.raises(StorageError, match="not the passphrase"):
        fresh.unlock("wrong horse")
    assert fresh.is_locked
    fresh.unlock(WORD)
    assert fresh.states_key() == lock.states_key() != b""
    with pytest.raises(StorageError, match="not the passphrase"):
        fresh.begin_removal("wrong horse")
    fresh.begin_removal(WORD)
    fresh.finish()
    assert not fresh.has_passphrase
    assert fresh.database_key() is None
    assert fresh.states_key() == b""
    assert contents(folder, None) == before
    assert not (folder / "states" / ENCRYPTED_MARK).exists()
    assert len(found(folder)) == 3


def test_a_changed_passphrase_opens_the_same_data_and_the_old_one_nothing(folder: Path) -> None:
    lock = lock_of(folder)
    lock.set_up(WORD)
    lock.finish()
    files = {path: path.read_bytes() for path in places(folder).databases}
    with pytest.raises(StorageError, match="not the passphrase"):
        lock.change("wrong horse", OTHER)
    lock.change(WORD, OTHER)
    assert files == {path: path.read_bytes() for path in places(folder).databases}
    key = lock.database_key()
    assert key is not None
    other = lock_of(folder)
    for name in KEY_FILES:
        shutil.copy(folder / name, folder / "kept")
        (folder / name).unlink()
        with pytest.raises(StorageError, match="not the passphrase"):
            other.unlock(WORD)
        shutil.move(folder / "kept", folder / name)
    other.unlock(OTHER)
    assert contents(folder, other.database_key())
    backup = folder / "backups" / "fireside-20260102-000000-by-hand.db"
    copy_file(folder / "fireside.db", backup, key=key)
    assert read_record(backup) == key.record


def test_locking_forgets_the_keys(folder: Path) -> None:
    lock = lock_of(folder)
    lock.set_up(WORD)
    lock.finish()
    key = lock.database_key()
    assert key is not None
    lock.lock()
    assert lock.is_locked
    with pytest.raises(StorageDamaged):
        check_database(folder / "fireside.db", key=key)


class Killed(BaseException):
    """Ends the work where it is, as a kill does: nothing cleans up after it."""


def kill_at(monkeypatch: pytest.MonkeyPatch, number: int) -> list[str]:
    """Kill before step ``number`` of what changes the disk; return the steps that were done."""
    done: list[str] = []

    def step(name: str, real: Callable[..., object]) -> Callable[..., object]:
        def work(*args: object, **kwargs: object) -> object:
            if len(done) >= number:
                raise Killed
            done.append(name)
            return real(*args, **kwargs)

        return work

    import fireside.files.atomic_replace as replacing
    import fireside.files.data_key as keys
    import fireside.storage.encryption as encryption

    for module, name in (
        (replacing, "rename_over"),
        (replacing, "_write_new"),
        (keys, "sync_folder"),
        (encryption, "rename_over"),
        (encryption, "sync_file"),
        (encryption, "sync_folder"),
        (encryption, "copy_encrypted"),
        (encryption, "append_record"),
    ):
        monkeypatch.setattr(module, name, step(name, getattr(module, name)))
    monkeypatch.setattr(Path, "unlink", step("unlink", Path.unlink))
    return done


def killed(work: Callable[[], object]) -> bool:
    try:
        work()
    except Killed:
        return True
    return False


@pytest.mark.parametrize("is_removal", [False, True], ids=["encrypt", "decrypt"])
def test_after_a_kill_at_every_step_it_goes_on_or_back(
    folder: Path, tmp_path: Path, is_removal: bool
) -> None:
    """Also where the user has had enough after the kill: both ways lead to whole data."""
    before = contents(folder, None)
    if is_removal:
        lock = lock_of(folder)
        lock.set_up(WORD)
        lock.finish()

    def work(lock: DataLock) -> None:
        if is_removal:
            lock.unlock(WORD)
            lock.begin_removal(WORD)
        else:
            lock.set_up(WORD)
        lock.finish()

    number, was_killed = 0, True
    while was_killed:
        copy = tmp_path / str(number)
        shutil.copytree(folder, copy)
        with pytest.MonkeyPatch.context() as patch:
            kill_at(patch, number)
            was_killed = killed(partial(work, lock_of(copy)))
        lock = lock_of(copy)
        if lock.has_passphrase:
            lock.unlock(WORD)
            assert contents(copy, lock.database_key()) == before
            if lock.needs_work():
                if number % 2:
                    lock.reverse()
                lock.finish()
        key = lock.database_key()
        assert contents(copy, key) == before
        if key is not None:
            assert found(copy) == []
        assert key is None or not list(copy.rglob("*.converting"))
        shutil.rmtree(copy)
        number += 1
    assert number > 15


def test_after_a_kill_at_every_step_of_a_change_one_passphrase_opens_it(folder: Path, tmp_path: Path) -> None:
    """And once it did, the other opens nothing any more, from neither of the two key files."""
    lock = lock_of(folder)
    lock.set_up(WORD)
    lock.finish()
    before = contents(folder, lock.database_key())
    number, was_killed, in_force = 0, True, []
    while was_killed:
        copy = tmp_path / str(number)
        shutil.copytree(folder, copy)
        with pytest.MonkeyPatch.context() as patch:
            kill_at(patch, number)
            was_killed = killed(partial(lock_of(copy).change, WORD, OTHER))
        lock = lock_of(copy)
        opening = [word for word in (WORD, OTHER) if opens(lock, word)]
        assert len(opening) == 1
        in_force += opening
        assert contents(copy, lock.database_key()) == before
        assert not lock.needs_work()
        for name in KEY_FILES:
            others = [copy / each for each in KEY_FILES if each != name]
            kept = [path.read_bytes() for path in others]
            for path in others:
                path.unlink()
            assert [word for word in (WORD, OTHER) if opens(lock_of(copy), word)] == opening
            for path, content in zip(others, kept, strict=True):
                path.write_bytes(content)
        shutil.rmtree(copy)
        number += 1
    assert set(in_force) == {WORD, OTHER}
    assert in_force == sorted(in_force, key=(WORD, OTHER).index)


def opens(lock: DataLock, passphrase: str) -> bool:
    try:
        lock.unlock(passphrase)
    except StorageError as exc:
        if exc.code != "passphrase_wrong":
            raise
        return False
    return True


CHILD = f"""
import sys
from pathlib import Path
from fireside.services.data_lock import DataLock, DataPlaces
import fireside.storage.backup, fireside.storage.encryption, fireside.files.sealed_file
folder = Path(sys.argv[1])
places = DataPlaces(
    folder=folder,
    databases=(folder / "fireside.db", folder / "collections.db"),
    states=folder / "states",
    backups=lambda: sorted((folder / "backups").glob("*.db")),
)
print("ready", flush=True)
sys.stdin.readline()
lock = DataLock(places, cost={QUICK})
lock.set_up("{WORD}")
lock.finish()
"""


@contextlib.contextmanager
def encrypting(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process of its own that has just begun to encrypt."""
    with subprocess.Popen(
        [sys.executable, "-c", CHILD, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            assert process.stdout.readline().strip() == b"ready"
            process.stdin.write(b"\n")
            process.stdin.flush()
            yield process
        finally:
            process.kill()


def test_a_process_that_is_killed_at_any_moment_leaves_whole_data(folder: Path, tmp_path: Path) -> None:
    before = contents(folder, None)
    shutil.copytree(folder, tmp_path / "whole")
    with encrypting(tmp_path / "whole") as process:
        begin = time.monotonic()
        assert process.wait() == 0
        duration_s = time.monotonic() - begin
    n_halfway = 0
    for number in range(20):
        copy = tmp_path / str(number)
        shutil.copytree(folder, copy)
        with encrypting(copy) as process, contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(random.uniform(0, duration_s))
        lock = lock_of(copy)
        if lock.has_passphrase:
            assert opens(lock, WORD)
            assert contents(copy, lock.database_key()) == before
            n_halfway += lock.needs_work()
            lock.finish()
            assert found(copy) == []
        assert contents(copy, lock.database_key()) == before
        shutil.rmtree(copy)
    assert n_halfway


def test_it_can_be_stopped_and_undone(folder: Path) -> None:
    before = contents(folder, None)
    lock = lock_of(folder)
    lock.set_up(WORD)
    with pytest.raises(ConversionStopped):
        lock.finish(lambda fraction: fraction < 0.5)
    assert lock.needs_work()
    lock.reverse()
    lock.finish()
    assert not lock.has_passphrase
    assert contents(folder, None) == before


def test_a_program_that_has_the_database_open_is_waited_for_and_nothing_is_lost(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fireside.storage.encryption._BUSY_MS", 50)
    other = apsw.Connection(str(folder / "fireside.db"))
    other.execute("BEGIN; SELECT * FROM message").fetchall()
    lock = lock_of(folder)
    lock.set_up(WORD)
    with pytest.raises(StorageError, match="locked"):
        lock.finish()
    with pytest.raises(StorageError, match="being encrypted"):
        lock.check_ready()
    other.close()
    lock.finish()
    lock.check_ready()
    assert found(folder) == []


def test_a_damaged_backup_keeps_nothing_from_being_encrypted_and_is_named(folder: Path) -> None:
    damaged = folder / "backups" / "fireside-20260102-000000-by-hand.db"
    damaged.write_bytes((folder / "fireside.db").read_bytes()[:6000])
    lock = lock_of(folder)
    lock.set_up(WORD)
    assert lock.finish() == (damaged,)
    assert found(folder / "states") == []
    assert not is_plain(folder / "fireside.db")
    assert damaged.exists()


def test_too_little_space_is_said_before_anything_is_changed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10, 5, 5))
    with pytest.raises(StorageError, match="disk space"):
        lock_of(folder).set_up(WORD)
    assert not lock_of(folder).has_passphrase


def test_a_plain_database_that_was_put_back_by_hand_is_encrypted(folder: Path) -> None:
    shutil.copy(folder / "fireside.db", folder / "kept")
    lock = lock_of(folder)
    lock.set_up(WORD)
    lock.finish()
    (folder / "kept").replace(folder / "fireside.db")
    assert lock.needs_work()
    lock.finish()
    assert found(folder) == []


async def test_a_store_with_a_key_backs_up_and_restores_under_it(folder: Path) -> None:
    lock = lock_of(folder)
    plain = folder / "plain.db"
    copy_file(folder / "fireside.db", plain, key=None)
    lock.set_up(WORD)
    lock.finish()
    key = lock.database_key()
    encrypted = folder / "backups" / "fireside-20260101-000000-automatic.db"
    async with await Store.open(folder / "fireside.db", clock=time.time, key=key) as store:
        await send(store, "a later message")
        for backup in (plain, encrypted):
            await store.restore_backup(backup, prepared=folder / "fireside.db.restoring")
            assert [found.title for found in await store.conversations.all()] == ["A title"]
        await send(store, TEXT)
        await store.backup(folder / "backups" / "fireside-20260103-000000-by-hand.db")
    plain.unlink()
    assert found(folder) == []
    assert check_database(folder / "fireside.db", key=key)


async def test_a_backup_of_an_earlier_passphrase_needs_that_one(folder: Path, tmp_path: Path) -> None:
    lock = lock_of(folder)
    lock.set_up(WORD)
    lock.finish()
    old_key = lock.database_key()
    backup = tmp_path / "elsewhere.db"
    shutil.copy(folder / "backups" / "fireside-20260101-000000-automatic.db", backup)
    lock.begin_removal(WORD)
    lock.finish()
    lock.set_up("another")
    lock.finish()
    record = read_record(backup)
    assert record is not None
    assert old_key is not None
    old = lock_of(folder).key_of(backup, WORD)
    with pytest.raises(StorageError, match="not the passphrase"):
        lock_of(folder).key_of(backup, "another")
    key = lock.database_key()
    async with await Store.open(folder / "fireside.db", clock=time.time, key=key) as store:
        prepared = folder / "fireside.db.restoring"
        with pytest.raises(FiresideError, match="another passphrase"):
            await store.restore_backup(backup, prepared=prepared)
        await store.restore_backup(backup, prepared=prepared, other=old)
        assert len(await store.conversations.all()) == 1
    assert found(folder) == []
