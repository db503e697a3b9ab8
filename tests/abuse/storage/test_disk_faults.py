"""Any one file operation fails: the error is typed, the database sound, and trying again works."""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import apsw
import pytest
from msgspec.structs import replace

from fakes.fake_clock import ManualClock
from fakes.faulty_disk import FaultyDisk, faulty_disk
from fakes.stores import Dump, answer, dump_file, question, quick_folder, send, texts
from fireside.core.chat import MessageState
from fireside.core.errors import StorageError, StorageFull, StorageUnwritable
from fireside.storage.store import Durability, Store

T = TypeVar("T")

NAMED: dict[type[apsw.Error], type[StorageError]] = {
    apsw.FullError: StorageFull,
    apsw.IOError: StorageUnwritable,
}


class Scenario:
    """A short session in which each call is made again after an error."""

    def __init__(self, folder: Path, disk: FaultyDisk) -> None:
        self.path = folder / "chats.db"
        self.backup = folder / "copy.db"
        self.disk = disk
        self.errors: list[StorageError] = []
        self.begins: list[int] = []
        """How many operations there were before each call."""
        self.operations: tuple[str, ...] = ()

    async def again(self, call: Callable[[], Awaitable[T]]) -> T:
        self.begins.append(len(self.disk.operations))
        try:
            return await call()
        except StorageError as exc:
            self.errors.append(exc)
            return await call()

    def open(self) -> Awaitable[Store]:
        return self.again(lambda: Store.open(self.path, clock=ManualClock(), vfs=self.disk.name))

    async def play(self) -> Dump:
        """Return what the database holds at the end."""
        again = self.again
        store = await self.open()
        turn = await again(lambda: send(store))
        id_, answer_id = turn.summary.id, turn.answer.id
        await again(lambda: store.messages.append_text(answer_id, "piece ", durability=Durability.PROCESS))
        await again(lambda: store.messages.append_text(answer_id, "after piece " * 1_000))
        final = replace(turn.answer, message=answer("whole"), state=MessageState.COMPLETE)
        await again(lambda: store.messages.finish(final))
        await again(lambda: store.messages.add(id_, parent_id=turn.question.id, message=answer("once more")))
        await again(lambda: store.drafts.save_text(id_, text="half a thought"))
        await again(lambda: store.conversations.rename(id_, title="renamed"))
        cut_off = await again(lambda: send(store, "cut off"))
        await again(lambda: store.messages.append_text(cut_off.answer.id, "so far"))
        doomed = await again(lambda: send(store, "doomed"))
        await again(lambda: store.conversations.delete((doomed.summary.id,)))
        await again(lambda: store.backup(self.backup))
        await store.close()
        store = await self.open()
        opened = await again(lambda: store.conversations.open(id_))
        assert texts(opened.messages) == ["hello", "once more"]
        await store.close()
        self.operations = tuple(self.disk.operations)
        self.disk.heal()
        # What could not be tidied up at one start is at the next.
        store = await self.open()
        # Drawn anew for each database.
        store._database.rows("UPDATE app_state SET value = 'drawn' WHERE key = 'identity'")
        await store.close()
        return dump_file(self.path)


def play(*, fail: tuple[int, type[apsw.Error]] | None) -> tuple[Dump, Scenario]:
    """Play the scenario with one failing operation; return the end."""
    with quick_folder() as folder, faulty_disk() as disk:
        if fail is not None:
            disk.fail_call(*fail)
        scenario = Scenario(folder, disk)
        return asyncio.run(scenario.play()), scenario


def first_and_last(scenario: Scenario) -> set[int]:
    """Return the first and the last operation of each kind in each call, counted from 1.

    Those between are mostly the pages of one commit or of one checkpoint.
    """
    seen: dict[tuple[int, str], list[int]] = {}
    for n, operation in enumerate(scenario.operations, start=1):
        seen.setdefault((bisect_left(scenario.begins, n), operation), []).append(n)
    return {n for same in seen.values() for n in (same[0], same[-1])}


@pytest.mark.parametrize("raised", NAMED, ids=lambda raised: raised.__name__)
def test_any_one_operation_may_fail(raised: type[apsw.Error], abuse_scale: int) -> None:
    expected, whole = play(fail=None)
    assert whole.errors == []
    n_all = len(whole.operations)
    failing = range(1, n_all + 1) if abuse_scale > 1 else sorted(first_and_last(whole))
    n_seen = 0
    for n in failing:
        found, scenario = play(fail=(n, raised))
        assert found == expected, f"operation {n}"
        assert {type(error) for error in scenario.errors} <= {NAMED[raised]}, f"operation {n}"
        n_seen += len(scenario.errors)
    # Most failures are seen by the caller; those while closing are not.
    assert n_seen > len(failing) // 2


async def test_a_disk_that_stays_full_stops_writing_only_until_there_is_room() -> None:
    with quick_folder() as folder, faulty_disk() as disk:
        async with await Store.open(folder / "chats.db", clock=ManualClock(), vfs=disk.name) as store:
            turn = await send(store)
            disk.fail_always({"write", "truncate"}, apsw.FullError)
            for _ in range(3):
                with pytest.raises(StorageFull):
                    await store.messages.append_text(turn.answer.id, "lost?")
                assert len((await store.conversations.open(turn.summary.id)).messages) == 2
            disk.heal()
            await store.messages.append_text(turn.answer.id, "saved")
            assert (await store.messages.get(turn.answer.id)).message == answer("saved")


async def test_a_copy_that_fails_leaves_the_older_copy() -> None:
    with quick_folder() as folder, faulty_disk() as disk:
        copy = folder / "copy.db"
        async with await Store.open(folder / "chats.db", clock=ManualClock(), vfs=disk.name) as store:
            turn = await send(store)
            await store.backup(copy)
            await store.messages.add(turn.summary.id, parent_id=turn.answer.id, message=question("more"))
            before = copy.read_bytes()
            disk.fail_always({"write"}, apsw.FullError)
            with pytest.raises(StorageFull):
                await store.backup(copy)
            disk.heal()
            assert copy.read_bytes() == before
