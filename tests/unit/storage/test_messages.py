"""Messages: one commit a send, streamed text, branches."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest
from msgspec.structs import replace

from fakes.disk_surface import Synchronised
from fakes.fake_clock import ManualClock
from fakes.recorded_disk import recorded_disk
from fakes.stores import RECORD, answer, question, quick_folder, send, texts
from fireside.core.chat import MessageState, StoredMessage
from fireside.core.errors import QueueFull, RecordNotFound
from fireside.core.generation import FinishReason, Timings, Truncation, Usage
from fireside.core.ids import DraftId, MessageId, ModelId
from fireside.core.message import ChatMessage, ReasoningPart, Role, TextPart
from fireside.core.options import LoadOptions, SamplingParams
from fireside.storage.store import MEMORY, Durability, RunParameters, Store

FINISHED = replace(
    RECORD,
    finish_reason=FinishReason.LENGTH,
    context_full=True,
    usage=Usage(n_prompt=10, n_cached=3, n_completion=20),
    timings=Timings(prompt_s=0.5, decode_s=1.25, first_token_s=0.75),
    truncation=Truncation(n_messages=2, n_tokens=99),
    seed=2**32 - 1,
    n_ctx=8192,
)

NEW = DraftId("new")


async def commits_of(store: Store, work: Callable[[], object]) -> int:
    """Count the transactions that change anything while ``work`` runs."""
    commits: list[None] = []

    def count() -> bool:
        commits.append(None)
        return False

    connection: apsw.Connection = store._database.connection
    connection.set_commit_hook(count)
    await work()  # type: ignore[misc]
    connection.set_commit_hook(None)
    return len(commits)


async def test_a_send_from_a_new_chat_is_one_commit(store: Store) -> None:
    await store.drafts.save_text(NEW, text="hello")
    assert await commits_of(store, lambda: send(store, draft_id=NEW)) == 1


async def test_a_send_stores_the_question_and_an_empty_streaming_answer() -> None:
    async with await Store.open(MEMORY, clock=ManualClock(7.0)) as store:
        turn = await send(store, "hello")
        assert turn.question.message == question("hello")
        assert turn.question.state is MessageState.COMPLETE
        assert turn.answer == StoredMessage(
            id=turn.answer.id,
            conversation_id=turn.summary.id,
            parent_id=turn.question.id,
            message=ChatMessage(role=Role.ASSISTANT, parts=()),
            state=MessageState.STREAMING,
            created_at=7.0,
            generation=RECORD,
        )
        assert turn.summary.model_id == RECORD.model_id


async def test_sends_continue_the_active_branch(store: Store) -> None:
    first = await send(store, "one")
    second = await send(store, "two", to=first.summary.id)
    assert second.question.parent_id == first.answer.id
    opened = await store.conversations.open(first.summary.id)
    assert opened.messages == (first.question, first.answer, second.question, second.answer)


async def test_a_send_that_fails_leaves_no_trace(store: Store) -> None:
    await store.drafts.save_text(NEW, text="kept")
    connection = store._database.connection
    connection.set_commit_hook(lambda: True)
    with pytest.raises(apsw.ConstraintError):
        await send(store, draft_id=NEW)
    connection.set_commit_hook(None)
    assert await store.conversations.all() == ()
    assert await store.drafts.text(NEW) == "kept"


async def test_streamed_text_is_read_back_in_order_while_the_answer_is_being_written(store: Store) -> None:
    pieces = ["Be", "cause", " “blue” ", "", "\x00", "light\n", "🦙"]
    turn = await send(store)
    for n, piece in enumerate(pieces):
        durability = Durability.PROCESS if n % 2 else Durability.POWER_CUT
        await store.messages.append_text(turn.answer.id, piece, durability=durability)
    for message in (
        await store.messages.get(turn.answer.id),
        (await store.conversations.open(turn.summary.id)).messages[-1],
        (await store.messages.path_to(turn.answer.id))[-1],
    ):
        assert message.message == answer("".join(pieces))
        assert message.state is MessageState.STREAMING


async def test_text_that_must_outlive_a_power_cut_is_written_with_full_synchronisation(
    tmp_path: Path,
) -> None:
    async with await Store.open(tmp_path / "chats.db", clock=time.time) as store:
        turn = await send(store)
        levels = []
        for durability in (Durability.PROCESS, Durability.POWER_CUT, Durability.PROCESS):
            await store.messages.append_text(turn.answer.id, "x", durability=durability)
            levels.append(store._database.row("PRAGMA synchronous"))
        await store.conversations.rename(turn.summary.id, title="t")
        levels.append(store._database.row("PRAGMA synchronous"))
        assert levels == [(1,), (2,), (1,), (2,)]


@pytest.mark.parametrize("title", ["another", "A title"], ids=["a change", "no change"])
async def test_any_later_call_makes_streamed_text_outlive_a_power_cut(title: str) -> None:
    with quick_folder() as folder, recorded_disk() as disk:
        async with await Store.open(folder / "chats.db", clock=time.time, vfs=disk.name) as store:
            turn = await send(store)
            await store.messages.append_text(turn.answer.id, "x", durability=Durability.PROCESS)
            n_events = len(disk.events)
            await store.conversations.rename(turn.summary.id, title=title)
            assert Synchronised(Path("chats.db-wal")) in disk.events[n_events:]


async def test_a_long_answer_is_not_written_again_with_each_piece(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    async with await Store.open(path, clock=time.time) as store:
        turn = await send(store)
        await store.messages.append_text(turn.answer.id, "word " * 40_000)
        before = path.with_name("chats.db-wal").stat().st_size
        await store.messages.append_text(turn.answer.id, "one more")
        assert path.with_name("chats.db-wal").stat().st_size - before < 32_768


async def test_a_finished_answer_has_its_parts_and_everything_known_of_its_run(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    parts = (ReasoningPart(text="hm"), TextPart(text="Scattering."))
    async with await Store.open(path, clock=time.time) as store:
        turn = await send(store)
        await store.messages.append_text(turn.answer.id, "Scat")
        final = replace(
            turn.answer,
            message=ChatMessage(role=Role.ASSISTANT, parts=parts),
            state=MessageState.COMPLETE,
            generation=FINISHED,
        )
        await store.messages.finish(final)
    async with await Store.open(path, clock=time.time) as store:
        assert await store.messages.get(turn.answer.id) == final
        assert store._database.rows("SELECT * FROM chunk") == []


async def test_a_failed_answer_keeps_its_error_and_its_text(store: Store) -> None:
    turn = await send(store)
    error = QueueFull(limit=64).info()
    final = replace(turn.answer, message=answer("half"), state=MessageState.FAILED, error=error)
    await store.messages.finish(final)
    assert await store.messages.get(turn.answer.id) == final


async def test_finishing_twice_is_the_same_as_once() -> None:
    async with await Store.open(MEMORY, clock=ManualClock()) as store:
        turn = await send(store)
        final = replace(turn.answer, message=answer("done"), state=MessageState.COMPLETE)
        await store.messages.finish(final)
        once = await store.conversations.open(turn.summary.id)
        await store.messages.finish(final)
        assert await store.conversations.open(turn.summary.id) == once


async def test_the_parameters_of_a_run_are_kept_and_a_later_save_does_not_lose_them(store: Store) -> None:
    parameters = RunParameters(load=LoadOptions(n_ctx=512), sampling=SamplingParams(seed=7, stop=("a", "b")))
    turn = await send(store)
    assert await store.messages.run_parameters(turn.answer.id) is None
    final = replace(turn.answer, state=MessageState.COMPLETE)
    await store.messages.finish(final, parameters=parameters)
    await store.messages.finish(final)
    assert await store.messages.run_parameters(turn.answer.id) == parameters
    assert await store.messages.run_parameters(turn.question.id) is None


async def test_a_regenerated_answer_is_a_sibling(store: Store) -> None:
    turn = await send(store)
    again = await store.messages.add(
        turn.summary.id,
        parent_id=turn.question.id,
        message=answer("again"),
        state=MessageState.STREAMING,
        generation=replace(RECORD, model_id=ModelId("other")),
    )
    assert (await store.conversations.open(turn.summary.id)).messages == (turn.question, again)
    assert await store.messages.siblings(again.id) == (turn.answer.id, again.id)
    assert await store.messages.siblings(turn.answer.id) == (turn.answer.id, again.id)
    assert await store.messages.siblings(turn.question.id) == (turn.question.id,)
    assert await store.messages.path_to(turn.answer.id) == (turn.question, turn.answer)


async def test_the_first_message_can_have_branches_too(store: Store) -> None:
    turn = await send(store, "one")
    other = await store.messages.add(turn.summary.id, parent_id=None, message=question("other"))
    assert await store.messages.siblings(other.id) == (turn.question.id, other.id)
    assert texts((await store.conversations.open(turn.summary.id)).messages) == ["other"]


async def test_going_back_to_a_branch_shows_it_and_the_next_send_continues_it(store: Store) -> None:
    turn = await send(store)
    await store.messages.add(turn.summary.id, parent_id=turn.question.id, message=answer("again"))
    await store.messages.set_active_leaf(turn.answer.id)
    assert (await store.conversations.open(turn.summary.id)).messages[-1].id == turn.answer.id
    assert (await send(store, to=turn.summary.id)).question.parent_id == turn.answer.id


async def test_a_parent_from_another_conversation_is_refused(store: Store) -> None:
    one, other = await send(store), await send(store)
    with pytest.raises(RecordNotFound):
        await store.messages.add(one.summary.id, parent_id=other.answer.id, message=question())


async def test_changes_of_an_unknown_message_are_not_stored(store: Store) -> None:
    unknown = MessageId(99)
    turn = await send(store)
    for call in (
        store.messages.get(unknown),
        store.messages.path_to(unknown),
        store.messages.siblings(unknown),
        store.messages.set_active_leaf(unknown),
        store.messages.append_text(unknown, "x"),
        store.messages.finish(replace(turn.answer, id=unknown)),
        store.messages.add(turn.summary.id, parent_id=unknown, message=question()),
    ):
        with pytest.raises(RecordNotFound) as caught:
            await call
        assert (caught.value.what, caught.value.id) == ("message", 99)


async def test_an_answer_in_a_deleted_conversation_can_still_be_finished(store: Store) -> None:
    turn = await send(store)
    await store.conversations.delete((turn.summary.id,))
    await store.messages.append_text(turn.answer.id, "late")
    await store.messages.finish(replace(turn.answer, message=answer("late"), state=MessageState.COMPLETE))
    await store.conversations.restore((turn.summary.id,))
    assert texts((await store.conversations.open(turn.summary.id)).messages)[-1] == "late"


async def test_a_clock_that_jumps_back_does_not_change_the_order_of_messages() -> None:
    clock = ManualClock(1_000_000.0)
    async with await Store.open(MEMORY, clock=clock) as store:
        turn = await send(store, "one")
        clock.now = 5.0
        await send(store, "two", to=turn.summary.id)
        again = await store.messages.add(turn.summary.id, parent_id=turn.question.id, message=answer("b"))
        assert await store.messages.siblings(again.id) == (turn.answer.id, again.id)


async def test_a_conversation_of_thousands_of_messages_opens_in_order(store: Store) -> None:
    turn = await send(store, "0")
    parent = turn.answer.id
    for n in range(3_000):
        added = await store.messages.add(turn.summary.id, parent_id=parent, message=question(str(n)))
        parent = added.id
    opened = await store.conversations.open(turn.summary.id)
    assert texts(opened.messages)[2:] == [str(n) for n in range(3_000)]


async def test_many_tasks_may_write_at_once(store: Store) -> None:
    turn = await send(store)
    await asyncio.gather(*(store.messages.append_text(turn.answer.id, f"{n},") for n in range(100)))
    stored = (await store.messages.get(turn.answer.id)).message.text
    assert stored == "".join(f"{n}," for n in range(100))
