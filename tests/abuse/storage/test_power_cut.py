"""The power goes at a random moment: nothing acknowledged is lost, nothing is there by half.

A record of one random session is cut at random points. What was written since a file was last synchronised
survives sector by sector or not at all. The database found then must be one that a commit made, and not an
older one than was acknowledged.
"""

from __future__ import annotations

import asyncio
import random
import time
from pathlib import Path

import apsw
import pytest

from fakes.commit_log import fingerprint, logged_commits
from fakes.random_store_operations import Player
from fakes.recorded_disk import Event, Note, Platter, RecordedDisk, recorded_disk
from fakes.stores import dump_file, quick_folder
from fireside.core.errors import StorageError
from fireside.storage import database, database_opening
from fireside.storage.migrations import Migration, load_migrations
from fireside.storage.store import Durability, Store

SEED = 71
N_SESSIONS = 4
N_STEPS = 40
N_CUTS = 50
CHECKPOINT_PAGES = 20
NEXT = Migration(
    version=len(load_migrations()) + 1,
    sql="ALTER TABLE conversation ADD COLUMN smell TEXT; UPDATE conversation SET smell = 'smoke';",
)
NEW_FILE = "a new file"


async def play_session(path: Path, disk: RecordedDisk, *, seed: int) -> None:
    """Record a session: open, many operations, a migration in the middle, reopening, closing."""
    player = Player(path, seed=seed, vfs=disk.name)
    await player.open()
    disk.note("acknowledged")
    for n in range(N_STEPS):
        if n == N_STEPS // 2:
            player.migrations = (*load_migrations(), NEXT)
            await player.reopen()
        # Often, so that a short session has many.
        await player.store.run(
            lambda: player.store._database.rows(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
        )
        await player.step()
        if player.durability is Durability.POWER_CUT:
            disk.note("acknowledged")
    await player.compare()
    await player.store.close()


def record(path: Path, *, seed: int) -> list[Event]:
    with (
        recorded_disk() as disk,
        logged_commits(
            pending=lambda contents: disk.note("pending", contents),
            committed=lambda contents: disk.note("committed", contents),
        ),
    ):
        asyncio.run(play_session(path, disk, seed=seed))
        return disk.events


def allowed_states(events: list[Event]) -> set[str]:
    """Return the contents that may be found: the last acknowledged, those committed since, and the one
    whose commit was under way."""
    allowed = [NEW_FILE]
    for event in events:
        match event:
            case Note("acknowledged"):
                allowed = allowed[-1:]
            case Note("committed", contents):
                allowed = [*allowed, contents]
    last = next((event for event in reversed(events) if isinstance(event, Note)), None)
    if last is not None and last.kind == "pending":
        allowed.append(last.text)
    return set(allowed)


def found_after_cut(folder: Path, files: dict[str, bytes]) -> str:
    """Put the files of a cut in ``folder``, open them with SQLite and as a store, and name the contents."""
    folder.mkdir()
    for name, kept in files.items():
        if name.startswith("chats.db") and "backup" not in name:
            (folder / name).write_bytes(kept)
    path = folder / "chats.db"
    try:
        contents = dump_file(path)
    except (AssertionError, apsw.Error):
        return "damaged"
    if contents == (("user_version", ((0,),)),):
        return NEW_FILE
    try:
        asyncio.run(open_and_read(path))
    except StorageError as exc:
        return f"does not open: {exc}"
    return fingerprint(contents)


async def open_and_read(path: Path) -> None:
    async with await Store.open(path, clock=time.time, migrations=(*load_migrations(), NEXT)) as store:
        for line in await store.conversations.all():
            await store.conversations.open(line.id)


def faults(folder: Path, *, seed: int) -> list[str]:
    """Record a session, cut it at random points and return what was wrong."""
    rng = random.Random(seed)
    events = record(folder / f"{seed}.session" / "chats.db", seed=seed)
    platter = Platter()
    found: list[str] = []
    cuts = set(rng.sample(range(1, len(events)), N_CUTS))
    for n, event in enumerate(events):
        if n in cuts:
            state = found_after_cut(folder / f"{seed}.{n}", platter.cut_power(rng))
            if state not in allowed_states(events[:n]):
                found.append(f"seed {seed}, cut before event {n} of {len(events)}: {state}")
        platter.apply(event)
    return found


def test_a_power_cut_loses_nothing_that_was_acknowledged(abuse_scale: int) -> None:
    found: list[str] = []
    for n in range(N_SESSIONS * abuse_scale):
        with quick_folder() as folder:
            found += faults(folder, seed=SEED + n)
    assert found == []


@pytest.mark.parametrize("level", ["NORMAL", "OFF"])
def test_a_weaker_synchronisation_would_be_noticed(monkeypatch: pytest.MonkeyPatch, level: str) -> None:
    weaker = tuple(pragma.replace("= FULL", f"= {level}") for pragma in database_opening._WRITING_PRAGMAS)
    assert weaker != database_opening._WRITING_PRAGMAS
    monkeypatch.setattr(database_opening, "_WRITING_PRAGMAS", weaker)
    monkeypatch.setattr(database, "_SYNCHRONOUS", dict.fromkeys(Durability, level))
    with quick_folder() as folder:
        assert faults(folder, seed=SEED) != []
