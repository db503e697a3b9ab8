"""Migrations: one transaction each, a checked copy first, the shipped ones never change."""

from __future__ import annotations

import hashlib
import shutil
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from fakes.raised import refuses
from fakes.stores import dump_file, names, send, texts
from fireside.core.errors import StorageDamaged, StorageError
from fireside.core.ids import ConversationId
from fireside.storage import database_opening
from fireside.storage.database_opening import open_database
from fireside.storage.migrations import COPIES_KEPT, Migration, load_migrations, migrate
from fireside.storage.store import Store

OWN = load_migrations()
NEWEST = len(OWN)
NEXT = Migration(
    version=NEWEST + 1,
    sql="ALTER TABLE conversation ADD COLUMN smell TEXT; UPDATE conversation SET smell = 'smoke';",
)
SHIPPED = {
    1: "8a8d368a4c18bccac2ba77dc76818b94ce46ed000542833f46f5c9ad9cfdab77",
    2: "efb6b6ddd375a82071dfcb6aad0b943f7b4fef1b139395cbacecab83acffec36",
    3: "cf3b769d3cff13ad4f9f92d4d2a4288035fccfeea10a19f98d2b4a909dd95b6d",
    4: "129d0f75b8b9617212ace395a6e001a2954a6c629a6ecb05f31d256da7652a23",
    5: "db148c060ab2899f62b9ac903623f0cb9c70528a415fe3ce6710ca30a033a0dc",
    6: "edf1377ec64321b94afc18c75b7f199da21e092ffe4ba29cb6931228ceaa4df3",
    7: "43e01f9106fa4e88492cc9fd1ef88de6a03432ac29f1c36dc2fb5a96f960b71e",
    8: "039402cc7b33e57b964adddee6788f49ef7d4330f0f08bf36f001ad9560e8f78",
    9: "e1db11a416a501096167bff27a06713d1c8ab055aee3275a2de759bee240ac33",
    10: "bd654c32d919cc23815649695b335cf0f1ccfe9353b20fe32347b1dadc5c83ed",
    11: "08ebe54fd0b4d4c28b9cfb7ed2990fb18d62282f8b1f2fc8d9a7bbf6e23b854f",
    12: "6613f2d41b0f6fbce4eb27a24947ec365fd5142743bc00eac16cb24321095857",
    13: "802d48dfcaaa18c443473197d9dcea97bc2fd0caa06859506dbd26c4e93345c7",
    14: "9cbaf1df09d5f5b415505320b2f856e73fc3b27ca691fc934c3c8577325ecae8",
    15: "dc11069e90df39c2294313ab4a78d5bb6f6e5c72392b1d52c221305aaebfb039",
    16: "a6fd69eee5bd483bfef21c7e2e43bf572e75f1918988400cb827f6bb9dc8c644",
    17: "d0048e1f1367cdae1102485a34c2f7cce7f95e8b105402246f06ca7fe5eab751",
}
FIRST_VERSION = Path(__file__).parent / "data" / "version-1.db"


def backup_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.version-{NEWEST}.backup")


async def make(path: Path) -> ConversationId:
    async with await Store.open(path, clock=time.time) as store:
        return (await send(store, "hello")).summary.id


def test_migrations_are_numbered_without_gaps() -> None:
    assert [migration.version for migration in OWN] == list(range(1, NEWEST + 1))


def test_shipped_migrations_are_never_edited() -> None:
    """A new one belongs into the list with the commit that makes it."""
    assert {m.version: hashlib.sha256(m.sql.encode()).hexdigest() for m in OWN} == SHIPPED


async def test_a_database_of_the_first_version_opens_with_all_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    shutil.copy(FIRST_VERSION, path)
    async with await Store.open(path, clock=time.time) as store:
        lines = await store.conversations.all()
        assert [(line.title, line.pinned, line.model_id) for line in lines] == [
            ("The sky", True, "maker/model:Q4"),
            ("Größe “🦙”", False, "maker/model:Q4"),
        ]
        sky = await store.conversations.open(lines[0].id)
        assert texts(sky.messages) == ["Why is the sky blue?", "Scattering, once more."]
        assert sky.overrides == {"sampling.temperature": 0.5}
        assert await store.messages.siblings(sky.messages[1].id) == (2, 3)
        assert [draft.text for draft in await store.drafts.new_chats()] == ["half a thought"]
        assert store.n_interrupted == 1


async def test_an_older_database_is_brought_up_to_date_and_copied_first(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    await make(path)
    before = dump_file(path)
    async with await Store.open(path, clock=time.time, migrations=(*OWN, NEXT)) as store:
        assert store._database.row("SELECT smell FROM conversation") == ("smoke",)
        assert store._database.row("PRAGMA user_version") == (NEXT.version,)
        assert store._database.row("PRAGMA foreign_keys") == (1,)
    assert dump_file(backup_of(path)) == before


@pytest.mark.parametrize("is_new", [True, False])
async def test_two_programs_may_begin_to_migrate_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_new: bool
) -> None:
    path = tmp_path / "chats.db"
    if not is_new:
        shutil.copy(FIRST_VERSION, path)
    with monkeypatch.context() as patch:

        def late(*args: Any, **more: Any) -> None:
            patch.undo()
            open_database(path, migrations=OWN, give_up=threading.Event()).close()
            migrate(*args, **more)

        patch.setattr(database_opening, "migrate", late)
        async with await Store.join(path, clock=time.time) as store:
            await send(store, "hello")
    async with await Store.open(path, clock=time.time) as store:
        assert len(await store.conversations.all()) >= 1


async def test_a_new_database_is_made_without_a_copy(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    await make(path)
    assert names(tmp_path) == ["chats.db"]


async def test_a_migration_that_fails_half_way_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    await make(path)
    before = dump_file(path)
    broken = Migration(version=NEXT.version, sql=NEXT.sql + "INSERT INTO nowhere VALUES (1);")
    with refuses("storage_not_migrated", match="no such table: nowhere"):
        await Store.open(path, clock=time.time, migrations=(*OWN, broken))
    assert dump_file(path) == before


def upgrade(path: Path, *migrations: Migration) -> None:
    open_database(path, migrations=migrations, give_up=threading.Event()).close()


@pytest.mark.parametrize("version", range(1, NEWEST))
def test_every_version_that_was_shipped_is_upgraded_with_all_it_holds(tmp_path: Path, version: int) -> None:
    path, direct = tmp_path / "chats.db", tmp_path / "direct.db"
    shutil.copy(FIRST_VERSION, path)
    shutil.copy(FIRST_VERSION, direct)
    upgrade(path, *OWN[:version])
    before = dump_file(path)
    upgrade(path, *OWN)
    upgrade(direct, *OWN)
    assert dump_file(path) == dump_file(direct)
    assert dump_file(path.with_name(f"chats.db.version-{version}.backup")) == before


@pytest.mark.parametrize("version", range(1, NEWEST))
def test_an_upgrade_that_fails_leaves_what_the_version_before_opens(tmp_path: Path, version: int) -> None:
    """Also where some of its migrations were possible."""
    path = tmp_path / "chats.db"
    shutil.copy(FIRST_VERSION, path)
    upgrade(path, *OWN[:version])
    before = dump_file(path)
    with refuses("storage_not_migrated", match="previous version"):
        upgrade(path, *OWN, Migration(version=NEXT.version, sql="INSERT INTO nowhere VALUES (1);"))
    upgrade(path, *OWN[:version])
    assert dump_file(path) == before


def test_only_the_newest_copies_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    shutil.copy(FIRST_VERSION, path)
    (tmp_path / "chats.db.version-1.backup.mine").touch()
    for version in range(2, NEWEST + 1):
        upgrade(path, *OWN[:version])
    kept = [f"chats.db.version-{NEWEST - n}.backup" for n in range(COPIES_KEPT, 0, -1)]
    assert names(tmp_path) == sorted(["chats.db", "chats.db.version-1.backup.mine", *kept])


async def test_a_migration_that_leaves_rows_without_their_parent_is_undone(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    await make(path)
    before = dump_file(path)
    orphans = Migration(
        version=NEXT.version, sql="UPDATE conversation SET active_leaf = NULL; DELETE FROM conversation;"
    )
    with pytest.raises(StorageDamaged):
        await Store.open(path, clock=time.time, migrations=(*OWN, orphans))
    assert dump_file(path) == before


async def test_a_table_can_be_rebuilt_without_losing_rows_that_refer_to_it(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    conversation_id = await make(path)
    rebuild = """
        CREATE TABLE new_state (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
        CREATE TABLE c2 AS SELECT * FROM conversation;
        DELETE FROM conversation;
        INSERT INTO conversation SELECT * FROM c2;
        DROP TABLE c2;
    """
    migrations = (*OWN, Migration(version=NEXT.version, sql=rebuild))
    async with await Store.open(path, clock=time.time, migrations=migrations) as store:
        assert len((await store.conversations.open(conversation_id)).messages) == 2


async def test_without_a_copy_there_is_no_migration(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    await make(path)
    before = dump_file(path)
    backup_of(path).mkdir()
    with pytest.raises(StorageError):
        await Store.open(path, clock=time.time, migrations=(*OWN, NEXT))
    assert dump_file(path) == before


async def test_a_damaged_database_is_not_migrated(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    async with await Store.open(path, clock=time.time) as store:
        for n in range(60):
            await send(store, f"{n} " * 300)
    contents = bytearray(path.read_bytes())
    # The last page but one, whole.
    contents[-8192:-4096] = b"\xff" * 4096
    path.write_bytes(contents)
    with pytest.raises(StorageDamaged):
        await Store.open(path, clock=time.time, migrations=(*OWN, NEXT))
    assert path.read_bytes() == contents
    assert not backup_of(path).exists()
