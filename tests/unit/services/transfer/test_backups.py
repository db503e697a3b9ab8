"""Backups are made, rotated and restored, and no good copy is ever lost."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.fake_clock import ManualClock
from fakes.raised import refuses
from fakes.stores import dump_file, names, send, texts
from fireside.core.chat import MessageState
from fireside.core.events import AppEvent
from fireside.core.transfer import Backup, BackupKind, BackupsChanged, ConversationsRestored
from fireside.services.transfer.backups import BackupLocation, Backups, is_due, outdated
from fireside.settings.conversions import BackupOptions
from fireside.storage.store import MEMORY, Store

DAY = 86_400.0
NOW = 1_780_000_000.0


class Harness:
    """A store in a folder, with its backups."""

    def __init__(self, folder: Path, store: Store) -> None:
        self.folder = folder
        self.store = store
        self.clock = ManualClock(NOW)
        self.events: list[AppEvent] = []
        self.is_wanted = True
        self.chosen = ""
        self.n_stopped = 0
        self.backups = Backups(
            store=store,
            location=BackupLocation(database=folder / "fireside.db", usual_folder=folder / "backups"),
            options=lambda: BackupOptions(is_automatic=self.is_wanted, folder=self.chosen),
            before_restore=self._stop,
            emit=self.events.append,
            clock=self.clock,
        )

    async def _stop(self) -> None:
        self.n_stopped += 1

    async def first_words(self) -> list[str]:
        """Return the first text of each conversation."""
        ids = [summary.id for summary in await self.store.conversations.all()]
        return [texts((await self.store.conversations.open(id_)).messages)[0] for id_ in ids]


@asynccontextmanager
async def open_place(folder: Path, *, database: str | Path | None = None) -> AsyncIterator[Harness]:
    async with await Store.open(database or folder / "fireside.db", clock=time.time) as store:
        yield Harness(folder, store)


@pytest.fixture
async def harness(tmp_path: Path) -> AsyncIterator[Harness]:
    async with open_place(tmp_path) as place:
        yield place


# Making


async def test_the_daily_backup_is_made_once_a_day(tmp_path: Path) -> None:
    async with open_place(tmp_path) as place:
        await send(place.store, "kept")
        assert await place.backups.back_up_if_due()
        assert not await place.backups.back_up_if_due()
        place.clock.now += DAY
        assert await place.backups.back_up_if_due()
        state = await place.backups.state()
        assert [backup.kind for backup in state.backups] == [BackupKind.AUTOMATIC] * 2
        assert place.events == [event for event in place.events if isinstance(event, BackupsChanged)]
    for name in names(tmp_path / "backups"):
        assert dump_file(tmp_path / "backups" / name) == dump_file(tmp_path / "fireside.db")


async def test_no_automatic_backup_is_made_if_disabled_or_empty(harness: Harness, tmp_path: Path) -> None:
    assert not await harness.backups.back_up_if_due()
    await send(harness.store)
    harness.is_wanted = False
    assert not await harness.backups.back_up_if_due()
    assert not (tmp_path / "backups").exists()


async def test_a_failed_backup_is_reported_and_retried(harness: Harness, tmp_path: Path) -> None:
    await send(harness.store)
    (tmp_path / "taken").write_text("a file")
    harness.chosen = str(tmp_path / "taken" / "below")
    assert not await harness.backups.back_up_if_due()
    problem = (await harness.backups.state()).problem
    assert problem is not None
    assert problem.code == "backup_unwritable"
    with refuses("backup_unwritable"):
        await harness.backups.back_up()
    harness.chosen = ""
    assert await harness.backups.back_up_if_due()
    assert (await harness.backups.state()).problem is None


async def test_two_backups_in_one_second_are_two(harness: Harness) -> None:
    first, second = await harness.backups.back_up(), await harness.backups.back_up()
    assert first.path != second.path
    assert len((await harness.backups.state()).backups) == 2


async def test_backups_of_updates_are_listed_and_other_files_are_not(
    harness: Harness, tmp_path: Path
) -> None:
    await harness.backups.back_up()
    (tmp_path / "fireside.db.version-3.backup").write_bytes(b"x")
    for name in ("fireside-20261399-000000-automatic.db", "fireside-20260101-000000-odd.db", "x.db"):
        (tmp_path / "backups" / name).write_bytes(b"x")
    kinds = {backup.kind for backup in (await harness.backups.state()).backups}
    assert kinds == {BackupKind.BY_HAND, BackupKind.BEFORE_UPDATE}
    assert len((await harness.backups.state()).backups) == 2


# Bringing back


async def test_restoring_keeps_a_backup_of_the_current_state(harness: Harness) -> None:
    await send(harness.store, "old")
    backup_made = await harness.backups.back_up()
    await send(harness.store, "new")
    restored = await harness.backups.restore(backup_made.path)
    assert await harness.first_words() == ["old"]
    assert harness.n_stopped == 1
    assert any(isinstance(event, ConversationsRestored) for event in harness.events)
    assert restored.previous is not None
    await harness.backups.restore(restored.previous.path)
    assert sorted(await harness.first_words()) == ["new", "old"]


async def test_after_a_restore_ids_are_unique_and_answers_run(harness: Harness) -> None:
    await send(harness.store, "old")
    backup_made = await harness.backups.back_up()
    late = await send(harness.store, "new")
    await harness.backups.restore(backup_made.path)
    next_one = await send(harness.store, "next")
    assert next_one.summary.id > late.summary.id
    assert next_one.question.id > late.answer.id
    stored = await harness.store.messages.get(next_one.answer.id)
    assert stored.state is MessageState.STREAMING


async def test_an_answer_running_during_the_backup_is_restored_as_interrupted(harness: Harness) -> None:
    turn = await send(harness.store, "asked")
    await harness.store.messages.append_text(turn.answer.id, "half an answer")
    backup_made = await harness.backups.back_up()
    await harness.backups.restore(backup_made.path)
    answer = await harness.store.messages.get(turn.answer.id)
    assert (answer.state, answer.message.text) == (MessageState.INTERRUPTED, "half an answer")
    assert harness.store._database.rows("SELECT count(*) FROM chunk") == [(0,)]


@pytest.mark.parametrize("content", [b"", b"not a database", b"SQLite format 3\0" + b"\xff" * 4096])
async def test_a_file_that_is_no_backup_changes_nothing(
    harness: Harness, content: bytes, tmp_path: Path
) -> None:
    await send(harness.store, "mine")
    (tmp_path / "bad.db").write_bytes(content)
    with refuses("backup_unusable"):
        await harness.backups.restore(str(tmp_path / "bad.db"))
    with refuses("backup_unusable"):
        await harness.backups.restore(str(tmp_path / "missing.db"))
    assert await harness.first_words() == ["mine"]
    assert not any(".restoring" in name for name in names(tmp_path))


async def test_restoring_over_a_damaged_database_renames_it(
    tmp_path: Path,
) -> None:
    async with open_place(tmp_path) as place:
        await send(place.store, "kept")
        backup_made = await place.backups.back_up()
    (tmp_path / "fireside.db").write_bytes(b"damaged")
    async with open_place(tmp_path, database=MEMORY) as place:
        restored = await place.backups.restore(backup_made.path)
        assert (restored.previous, restored.needs_restart) == (None, True)
    (aside,) = [name for name in names(tmp_path) if name.startswith("fireside.db.damaged-")]
    assert (tmp_path / aside).read_bytes() == b"damaged"
    async with open_place(tmp_path) as place:
        assert await place.first_words() == ["kept"]


async def test_a_temporary_session_makes_no_empty_backup_the_newest(tmp_path: Path) -> None:
    async with open_place(tmp_path) as place:
        await send(place.store, "kept")
        kept = await place.backups.back_up()
    (tmp_path / "fireside.db").write_bytes(b"damaged")
    async with open_place(tmp_path, database=MEMORY) as place:
        with refuses("backup_unwritable", match="no chats"):
            await place.backups.back_up()
        assert [each.path for each in (await place.backups.state()).backups] == [kept.path]
        await send(place.store, "said here")
        assert (await place.backups.back_up()).size_bytes > 0


# Rotation


def backup(age_days: float, *, kind: BackupKind = BackupKind.AUTOMATIC, size: int = 100) -> Backup:
    made_at = NOW - age_days * DAY
    return Backup(path=f"{kind}-{age_days}", kind=kind, made_at=made_at, size_bytes=size)


def test_seven_days_and_four_weeks_stay() -> None:
    removed = outdated([backup(float(age)) for age in range(60)])
    remaining = sorted({float(age) for age in range(60)} - {float(b.path.split("-")[-1]) for b in removed})
    assert remaining[:7] == [0, 1, 2, 3, 4, 5, 6]
    assert 8 <= len(remaining) <= 11


def test_only_the_newest_of_a_day_stays() -> None:
    removed = outdated([backup(0.0), backup(0.1), backup(0.2)])
    assert [b.path for b in removed] == ["automatic-0.1", "automatic-0.2"]


def test_manual_and_update_backups_are_never_removed() -> None:
    kinds = (BackupKind.BY_HAND, BackupKind.BEFORE_UPDATE)
    assert outdated([backup(float(age), kind=kind) for age in range(400) for kind in kinds]) == ()


def test_the_largest_backup_is_kept() -> None:
    removed = outdated([backup(300.0, size=10_000), *(backup(float(age)) for age in range(60))])
    assert "automatic-300.0" not in {b.path for b in removed}


@given(st.lists(st.tuples(st.floats(0, 500), st.sampled_from(list(BackupKind)), st.integers(0, 9))))
def test_the_newest_of_each_kind_always_stays(backup_made: list[tuple[float, BackupKind, int]]) -> None:
    backups = [
        Backup(path=str(n), kind=kind, made_at=NOW - age * DAY, size_bytes=size)
        for n, (age, kind, size) in enumerate(backup_made)
    ]
    removed = {b.path for b in outdated(backups)}
    for kind in BackupKind:
        of_kind = [b for b in backups if b.kind is kind]
        if of_kind:
            newest = max(b.made_at for b in of_kind)
            assert any(b.path not in removed for b in of_kind if b.made_at == newest)


def test_a_backup_is_due_when_none_is_of_today() -> None:
    assert is_due([], now=NOW)
    assert is_due([backup(0.0, kind=BackupKind.BY_HAND), backup(1.0)], now=NOW)
    assert not is_due([backup(0.0)], now=NOW)
