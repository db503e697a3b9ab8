"""The store cleans up after a run that did not end properly."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest
from msgspec.structs import replace

from fakes.faulty_disk import faulty_disk
from fakes.stores import answer, send, texts
from fireside.core.chat import MessageState
from fireside.core.ids import ConversationId, MessageId
from fireside.storage.store import Store


async def test_an_answer_that_was_cut_off_is_interrupted_with_all_its_text(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    async with await Store.open(path, clock=time.time) as store:
        turn = await send(store)
        await store.messages.append_text(turn.answer.id, "Because of ")
        await store.messages.append_text(turn.answer.id, "Ray")
    async with await Store.open(path, clock=time.time) as store:
        stored = await store.messages.get(turn.answer.id)
        assert stored == replace(
            turn.answer, message=answer("Because of Ray"), state=MessageState.INTERRUPTED
        )
        assert store.n_interrupted == 1
        assert store._database.rows("SELECT * FROM chunk") == []
    async with await Store.open(path, clock=time.time) as store:
        assert store.n_interrupted == 0
        assert await store.messages.get(turn.answer.id) == stored


async def test_an_answer_that_had_no_text_yet_is_interrupted_too(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    async with await Store.open(path, clock=time.time) as store:
        turn = await send(store)
    async with await Store.open(path, clock=time.time) as store:
        assert await store.messages.get(turn.answer.id) == replace(
            turn.answer, state=MessageState.INTERRUPTED
        )


async def test_a_finished_answer_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    async with await Store.open(path, clock=time.time) as store:
        turn = await send(store)
        final = replace(turn.answer, message=answer("done"), state=MessageState.COMPLETE)
        await store.messages.finish(final)
    async with await Store.open(path, clock=time.time) as store:
        assert await store.messages.get(turn.answer.id) == final
        assert store.n_interrupted == 0


async def test_recovering_does_not_move_the_conversation_in_the_list(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    async with await Store.open(path, clock=lambda: 10.0) as store:
        turn = await send(store)
    async with await Store.open(path, clock=lambda: 99.0) as store:
        assert (await store.conversations.open(turn.summary.id)).summary == turn.summary


async def test_on_a_full_disk_everything_can_still_be_read_and_nothing_seems_to_be_streaming(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "chats.db"
    with faulty_disk() as disk:
        async with await Store.open(path, clock=time.time, vfs=disk.name) as store:
            turn = await send(store, "hello")
            await store.messages.append_text(turn.answer.id, "so far")
            deleted = await send(store)
            await store.conversations.delete((deleted.summary.id,))
        disk.fail_always({"write"}, apsw.FullError)
        async with await Store.open(path, clock=time.time, vfs=disk.name) as store:
            assert [line.id for line in await store.conversations.all()] == [turn.summary.id]
            messages = (await store.conversations.open(turn.summary.id)).messages
            assert texts(messages) == ["hello", "so far"]
            assert messages[-1].state is MessageState.INTERRUPTED
            disk.heal()
            new = await send(store, to=turn.summary.id)
            assert new.answer.state is MessageState.STREAMING
    assert "not cleaned up" in caplog.text
    async with await Store.open(path, clock=time.time) as store:
        assert store.n_interrupted == 2
        assert store._database.row("SELECT count(*) FROM conversation") == (1,)


async def test_a_second_program_leaves_a_running_answer_and_a_deleted_chat_alone(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    async with await Store.open(path, clock=time.time) as owner:
        turn = await send(owner)
        await owner.messages.append_text(turn.answer.id, "so far")
        deleted = await send(owner)
        await owner.conversations.delete((deleted.summary.id,))
        async with await Store.join(path, clock=time.time) as guest:
            assert (await guest.messages.get(turn.answer.id)).state is MessageState.STREAMING
        await owner.messages.append_text(turn.answer.id, " good")
        stored = await owner.messages.get(turn.answer.id)
        assert stored == replace(turn.answer, message=answer("so far good"))
        assert await owner.conversations.restore((deleted.summary.id,)) == (deleted.summary,)


_GUEST = """
import asyncio, sys, time
from pathlib import Path
from msgspec.structs import replace
from fakes.stores import answer, send
from fireside.core.chat import MessageState
from fireside.storage.store import Store

async def main():
    async with await Store.join(Path(sys.argv[1]), clock=time.time) as guest:
        turn = await send(guest)
        await guest.messages.append_text(turn.answer.id, "so far")
        print(turn.answer.id, flush=True)
        sys.stdin.readline()
        final = replace(turn.answer, message=answer("so far good"), state=MessageState.COMPLETE)
        await guest.messages.finish(final)

asyncio.run(main())
"""


@contextmanager
def guest_that_writes(path: Path) -> Iterator[tuple[subprocess.Popen[str], MessageId]]:
    """Give another program that is writing an answer, until a line is sent to it, and the answer's id."""
    guest = subprocess.Popen(
        [sys.executable, "-P", "-c", _GUEST, str(path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(place for place in sys.path if place)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert guest.stdout is not None
    try:
        yield guest, MessageId(int(guest.stdout.readline()))
    finally:
        guest.kill()
        guest.communicate()


async def test_an_answer_of_another_program_is_not_interrupted(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    async with await Store.open(path, clock=time.time) as owner:
        cut_off = await send(owner)
    with guest_that_writes(path) as (guest, writing):
        async with await Store.open(path, clock=time.time) as owner:
            assert owner.n_interrupted == 1
            assert (await owner.messages.get(cut_off.answer.id)).state is MessageState.INTERRUPTED
            stored = await owner.messages.get(writing)
            assert (stored.message, stored.state) == (answer("so far"), MessageState.STREAMING)
            guest.communicate("\n")
            stored = await owner.messages.get(writing)
            assert (stored.message, stored.state) == (answer("so far good"), MessageState.COMPLETE)


async def test_an_answer_of_a_killed_program_is_interrupted(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    with guest_that_writes(path) as (guest, writing):
        async with await Store.open(path, clock=time.time) as owner:
            guest.kill()
            guest.wait()
            assert (await owner.messages.get(writing)).state is MessageState.INTERRUPTED
    async with await Store.open(path, clock=time.time) as owner:
        assert owner.n_interrupted == 1


async def test_other_data_of_a_deleted_chat_is_purged_before_the_chat(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    async with await Store.open(path, clock=time.time) as store:
        await send(store)
        deleted = await send(store)
        await store.conversations.delete((deleted.summary.id,))
        name = store.name_of(deleted.summary.id)
    reported: list[str] = []
    async with await Store.open(path, clock=time.time, before_purge=reported.append):
        assert reported == [name]


async def test_a_chat_is_purged_at_a_later_start_if_its_other_data_cannot_be_removed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "chats.db"
    async with await Store.open(path, clock=time.time) as store:
        deleted = await send(store)
        await store.conversations.delete((deleted.summary.id,))

    def refuse(_: str) -> None:
        raise PermissionError(13, "no", "cache")

    async with await Store.open(path, clock=time.time, before_purge=refuse) as store:
        assert store._database.row("SELECT count(*) FROM conversation") == (1,)
    assert "not cleaned up" in caplog.text
    async with await Store.open(path, clock=time.time) as store:
        assert store._database.row("SELECT count(*) FROM conversation") == (0,)


async def test_conversations_of_two_databases_never_have_the_same_name(tmp_path: Path) -> None:
    names: list[str] = []
    for path in (tmp_path / "a.db", tmp_path / "b.db", tmp_path / "a.db"):
        async with await Store.open(path, clock=time.time) as store:
            names.append(store.name_of((await send(store)).summary.id))
            names.append(store.name_of(ConversationId(77)))
    assert names[1] == names[5]
    assert len(set(names)) == 5
