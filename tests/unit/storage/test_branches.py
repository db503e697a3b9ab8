"""Branches in the database: hidden, restored, copied, continued, listed; and queued messages."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from fakes.fake_clock import ManualClock
from fakes.stores import RECORD, answer, question, send, texts
from fireside.core.chat import MessageState
from fireside.core.errors import InvalidParameter, InvalidText, RecordNotFound
from fireside.core.generation import OutputKind
from fireside.core.ids import ConversationId, MessageId, ModelId, QueuedMessageId
from fireside.core.message import ReasoningPart, TextPart
from fireside.storage.branches import numbered
from fireside.storage.store import MEMORY, Store, StoredTurn


async def opened(path: Path | str = MEMORY) -> Store:
    return await Store.open(path, clock=ManualClock())


@pytest.fixture
async def store() -> AsyncIterator[Store]:
    async with await opened() as store:
        yield store


async def finish_answer(store: Store, turn: StoredTurn, text: str) -> None:
    """Finish the answer of a turn."""
    stored = await store.messages.get(turn.answer.id)
    await store.messages.finish(
        replace(stored, message=answer(text), state=MessageState.COMPLETE, generation=RECORD)
    )


async def shown_texts(store: Store, conversation_id: ConversationId) -> list[str]:
    return texts((await store.conversations.open(conversation_id)).messages)


async def test_restoring_does_not_restore_what_was_deleted_earlier(store: Store) -> None:
    first = await send(store, "one")
    chat = first.summary.id
    second = await send(store, "two", to=chat)
    await store.branches.delete_from(second.question.id)
    await store.branches.delete_from(first.question.id)
    assert await shown_texts(store, chat) == []
    await store.branches.restore_from(first.question.id)
    assert await shown_texts(store, chat) == ["one", ""]
    await store.branches.restore_from(second.question.id)
    assert await shown_texts(store, chat) == ["one", "", "two", ""]


async def test_restoring_shows_the_branch_that_was_shown(store: Store) -> None:
    turn = await send(store, "one")
    chat, parent = turn.summary.id, turn.question.id
    for text in ("a", "b"):
        await store.messages.add(chat, parent_id=parent, message=answer(text))
    await store.branches.show(turn.answer.id)
    before = await shown_texts(store, chat)
    await store.branches.delete_from(turn.question.id)
    await store.branches.restore_from(turn.question.id)
    assert await shown_texts(store, chat) == before == ["one", ""]


async def test_an_edited_question_keeps_its_descendants_and_the_old_branch(store: Store) -> None:
    first = await send(store, "one")
    chat = first.summary.id
    await finish_answer(store, first, "answer")
    await send(store, "two", to=chat)
    before = (await store.conversations.open(chat)).messages[-1].id
    await store.branches.replace_message(first.question.id, message=question("won"))
    assert await shown_texts(store, chat) == ["won", "answer", "two", ""]
    opened_now = await store.conversations.open(chat)
    assert len(opened_now.branches.siblings[opened_now.messages[0].id]) == 2
    await store.branches.show(before)
    assert await shown_texts(store, chat) == ["one", "answer", "two", ""]


async def one_answer_of_three() -> tuple[Store, ConversationId, StoredTurn]:
    """Return a store with “one”, three answers to it, and a question after the first, which is shown."""
    store = await opened()
    turn = await send(store, "one")
    await finish_answer(store, turn, "first")
    for text in ("a", "b"):
        await store.messages.add(turn.summary.id, parent_id=turn.question.id, message=answer(text))
    await store.branches.show(turn.answer.id)
    await send(store, "two", to=turn.summary.id)
    return store, turn.summary.id, turn


async def test_children_of_a_single_deleted_message_take_its_position(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    async with await opened(path) as store:
        first = await send(store, "one")
        chat = first.summary.id
        await finish_answer(store, first, "answer")
        second = await send(store, "two", to=chat)
        await store.branches.delete_only(first.answer.id)
        assert await shown_texts(store, chat) == ["one", "two", ""]
        messages = (await store.conversations.open(chat)).messages
        assert [m.parent_id for m in messages] == [None, first.question.id, second.question.id]
        await store.branches.delete_only(first.question.id)
        assert await shown_texts(store, chat) == ["two", ""]
        assert (await store.messages.get(second.question.id)).parent_id is None
    async with await opened(path) as store:
        assert await shown_texts(store, chat) == ["two", ""]


async def test_siblings_stay_siblings_of_a_deleted_messages_children() -> None:
    store, chat, turn = await one_answer_of_three()
    async with store:
        before = await store.conversations.open(chat)
        tree = await store.branches.tree(chat)
        await store.branches.delete_only(turn.answer.id)
        after = await store.conversations.open(chat)
        assert texts(after.messages) == ["one", "two", ""]
        question_id = after.messages[1].id
        assert len(after.branches.siblings[question_id]) == 3
        assert await store.messages.siblings(question_id) == after.branches.siblings[question_id]
        assert await store.messages.answers_to(turn.question.id) == after.branches.siblings[question_id]
        await store.branches.show(after.branches.siblings[question_id][0])
        assert await shown_texts(store, chat) == ["one", "a"]
        await store.branches.show(question_id)
        assert await shown_texts(store, chat) == ["one", "two", ""]
        await store.branches.restore_from(turn.answer.id)
        assert (await store.conversations.open(chat)).messages == before.messages
        assert (await store.conversations.open(chat)).branches == before.branches
        assert await store.branches.tree(chat) == tree


async def test_the_nearest_version_is_shown_where_the_last_message_is_deleted_alone(store: Store) -> None:
    turn = await send(store, "one")
    chat = turn.summary.id
    other = await store.messages.add(chat, parent_id=turn.question.id, message=answer("other"))
    await store.branches.delete_only(other.id)
    assert await shown_texts(store, chat) == ["one", ""]
    await store.branches.delete_only(turn.answer.id)
    assert await shown_texts(store, chat) == ["one"]
    await store.branches.restore_from(other.id)
    assert await shown_texts(store, chat) == ["one", "other"]


DELETIONS = st.lists(st.tuples(st.sampled_from(("delete_from", "delete_only")), st.integers(0, 30)))


async def delete_and_restore(
    parents: Sequence[int], deletions: Sequence[tuple[str, int]], order: Sequence[float]
) -> None:
    async with await opened() as store:
        first = await send(store, "one")
        chat, ids = first.summary.id, [first.question.id, first.answer.id]
        for parent in parents:
            added = await store.messages.add(
                chat, parent_id=ids[parent % len(ids)], message=answer(f"m{len(ids)}")
            )
            ids.append(added.id)
        await store.branches.show(ids[len(order) % len(ids)])
        before, tree = await store.conversations.open(chat), await store.branches.tree(chat)
        deleted: list[MessageId] = []
        for name, number in deletions:
            message_id = ids[number % len(ids)]
            with contextlib.suppress(RecordNotFound):
                await getattr(store.branches, name)(message_id)
                deleted.append(message_id)
            path = [m.id for m in (await store.conversations.open(chat)).messages]
            assert not set(path) & set(deleted)
            live = {node.id: node.parent_id for node in await store.branches.tree(chat)}
            assert set(live.values()) <= {None, *live}
            assert [live[id_] for id_ in path] == [None, *path][: len(path)]
        for _, message_id in sorted(zip([*order, *range(40)], deleted, strict=False)):
            await store.branches.restore_from(message_id)
        restored = await store.branches.tree(chat)
        assert [(n.id, n.parent_id) for n in restored] == [(n.id, n.parent_id) for n in tree]
        if deleted:
            await store.messages.set_active_leaf(before.messages[-1].id)
        after = await store.conversations.open(chat)
        assert (after.messages, after.branches) == (before.messages, before.branches)


@given(
    parents=st.lists(st.integers(0, 30), max_size=9),
    deletions=DELETIONS.filter(lambda found: len(found) < 8),
    order=st.lists(st.floats(0, 1), max_size=9),
)
def test_deletions_can_be_undone_in_any_order(
    parents: list[int], deletions: list[tuple[str, int]], order: list[float]
) -> None:
    asyncio.run(delete_and_restore(parents, deletions, order))


async def test_where_a_branch_is_deleted_the_nearest_sibling_is_shown(store: Store) -> None:
    turn = await send(store, "one")
    chat, parent = turn.summary.id, turn.question.id
    answers = [
        await store.messages.add(chat, parent_id=parent, message=answer(text)) for text in ("a", "b", "c")
    ]
    await store.messages.add(chat, parent_id=answers[0].id, message=question("after a"))
    await store.messages.set_active_leaf(answers[1].id)
    await store.branches.delete_from(answers[1].id)
    assert await shown_texts(store, chat) == ["one", "a", "after a"]
    branches = (await store.conversations.open(chat)).branches
    assert branches.siblings == {answers[0].id: (turn.answer.id, answers[0].id, answers[2].id)}


async def test_deleting_what_is_not_shown_leaves_what_is(store: Store) -> None:
    turn = await send(store, "one")
    other = await store.messages.add(turn.summary.id, parent_id=turn.question.id, message=answer("another"))
    await store.branches.delete_from(turn.answer.id)
    assert await shown_texts(store, turn.summary.id) == ["one", "another"]
    assert (await store.conversations.open(turn.summary.id)).branches.siblings == {}
    assert await store.messages.siblings(other.id) == (other.id,)


async def test_a_new_message_after_a_deletion_follows_what_is_left(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    async with await opened(path) as store:
        first = await send(store, "one")
        chat = first.summary.id
        second = await send(store, "two", to=chat)
        await store.branches.delete_from(second.question.id)
        await send(store, "three", to=chat)
        assert await shown_texts(store, chat) == ["one", "", "three", ""]
    async with await opened(path) as store:
        assert await shown_texts(store, chat) == ["one", "", "three", ""]
        with pytest.raises(RecordNotFound):
            await store.branches.restore_from(second.question.id)


async def test_a_message_that_is_deleted_cannot_be_steered(store: Store) -> None:
    turn = await send(store, "one")
    await store.branches.delete_from(turn.question.id)
    for work in (store.branches.fork, store.branches.reopen_answer, store.branches.delete_from):
        with pytest.raises(RecordNotFound):
            await work(turn.answer.id)
    with pytest.raises(RecordNotFound):
        await store.branches.set_pinned(turn.answer.id, pinned=True)


async def test_a_continued_answer_of_an_earlier_run_is_streaming(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    async with await opened(path) as store:
        turn = await send(store, "one")
        await store.messages.append_text(turn.answer.id, "First")
    async with await opened(path) as store:
        interrupted = await store.messages.get(turn.answer.id)
        assert interrupted.state is MessageState.INTERRUPTED
        again, was_shown = await store.branches.reopen_answer(turn.answer.id)
        assert (again.state, again.message.text, was_shown) == (MessageState.STREAMING, "First", True)
        await store.messages.append_text(turn.answer.id, " and more")
        assert (await store.messages.get(turn.answer.id)).message.text == "First and more"
    async with await opened(path) as store:
        last = await store.messages.get(turn.answer.id)
        assert (last.state, last.message.text) == (MessageState.INTERRUPTED, "First and more")


async def test_only_an_answer_that_none_follows_is_reopened(store: Store) -> None:
    turn = await send(store, "one")
    followed = await send(store, "two", to=turn.summary.id)
    with pytest.raises(InvalidParameter):
        await store.branches.reopen_answer(turn.answer.id)
    await store.branches.delete_from(followed.question.id)
    again, was_shown = await store.branches.reopen_answer(turn.answer.id)
    assert (again.state, was_shown) == (MessageState.STREAMING, True)


async def test_a_copy_of_a_running_answer_is_interrupted_with_what_had_arrived(store: Store) -> None:
    turn = await send(store, "one")
    await store.messages.append_text(turn.answer.id, "hm", kind=OutputKind.REASONING)
    await store.messages.append_text(turn.answer.id, "So far")
    copy = await store.branches.fork(turn.answer.id)
    messages = (await store.conversations.open(copy.id)).messages
    assert messages[1].state is MessageState.INTERRUPTED
    assert messages[1].message.parts == (ReasoningPart(text="hm"), TextPart(text="So far"))
    assert (await store.messages.get(turn.answer.id)).state is MessageState.STREAMING


async def test_a_copy_has_the_settings_the_folder_and_the_colour(store: Store) -> None:
    turn = await send(store, "one")
    await store.conversations.set_override(turn.summary.id, key="chat.system_prompt", value="Be brief")
    await store.branches.set_pinned(turn.question.id, pinned=True)
    copy = await store.conversations.open((await store.branches.fork(turn.question.id)).id)
    assert copy.overrides == {"chat.system_prompt": "Be brief"}
    assert copy.branches.pinned == {copy.messages[0].id}
    assert [m.message.text for m in copy.messages] == ["one"]


@pytest.mark.parametrize(
    ("title", "copied"),
    [("Trees", "Trees (2)"), ("Trees (2)", "Trees (3)"), ("(7)", "(7) (2)"), ("a (99999)", "a (99999) (2)")],
)
def test_the_title_of_a_copy_has_a_number(title: str, copied: str) -> None:
    assert numbered(title) == copied


async def test_the_tree_has_damaged_messages_too(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    async with await opened(path) as store:
        turn = await send(store, "one")
        await finish_answer(store, turn, "fine")
    connection = apsw.Connection(str(path))
    connection.execute("UPDATE message SET parts = '[{', role = 'nobody' WHERE id = ?", (turn.answer.id,))
    connection.execute("UPDATE generation SET record = '{'")
    connection.close()
    async with await opened(path) as store:
        nodes = await store.branches.tree(turn.summary.id)
        assert [node.excerpt for node in nodes] == ["one", ""]
        assert nodes[1].parent_id == turn.question.id


async def test_the_tree_skips_what_is_deleted(store: Store) -> None:
    turn = await send(store, "one")
    other = await store.messages.add(turn.summary.id, parent_id=turn.question.id, message=answer("b"))
    await store.branches.delete_from(turn.answer.id)
    assert [node.id for node in await store.branches.tree(turn.summary.id)] == [
        turn.question.id,
        other.id,
    ]


async def test_sending_what_waits_is_one_commit_that_a_missing_conversation_takes_back(store: Store) -> None:
    turn = await send(store, "one")
    chat = turn.summary.id
    await store.queue.add(chat, message=question("two"), model_id=ModelId("m"))
    (_, second) = await store.queue.add(chat, message=question("three"), model_id=ModelId("m"))
    sent = await store.queue.send(second.id, generation=RECORD)
    assert sent.question.message.text == "three"
    assert [w.message.text for w in await store.queue.all(chat)] == ["two"]
    with pytest.raises(RecordNotFound):
        await store.queue.send(second.id, generation=RECORD)
    await store.conversations.delete((chat,))
    with pytest.raises(RecordNotFound):
        await store.queue.add(chat, message=question("four"), model_id=ModelId("m"))


async def test_queued_messages_survive_a_restart_and_are_deleted_with_their_conversation(
    tmp_path: Path,
) -> None:
    path = tmp_path / "chats.db"
    async with await opened(path) as store:
        chat = (await send(store, "one")).summary.id
        await store.queue.add(chat, message=question("two"), model_id=ModelId("m"))
        with pytest.raises(InvalidText):
            await store.queue.add(chat, message=question("\ud800"), model_id=ModelId("m"))
    async with await opened(path) as store:
        (kept,) = (await store.conversations.open(chat)).waiting
        assert kept.message.text == "two"
        await store.conversations.delete((chat,))
    async with await opened(path) as store:
        with pytest.raises(RecordNotFound):
            await store.queue.get(kept.id)


async def test_a_waiting_message_that_is_damaged_is_shown_empty(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    async with await opened(path) as store:
        chat = (await send(store, "one")).summary.id
        await store.queue.add(chat, message=question("two"), model_id=ModelId("m"))
    connection = apsw.Connection(str(path))
    connection.execute("UPDATE waiting_message SET parts = '{'")
    connection.close()
    async with await opened(path) as store:
        (damaged,) = (await store.conversations.open(chat)).waiting
        assert damaged.message.text == ""
        assert await store.queue.remove(QueuedMessageId(damaged.id)) == ()


async def test_a_sibling_of_the_first_question_is_at_the_root(store: Store) -> None:
    turn = await send(store, "one")
    other = await store.branches.add_sibling_turn(
        turn.question.id, message=question("uno"), generation=RECORD
    )
    assert other.question.parent_id is None
    assert await shown_texts(store, turn.summary.id) == ["uno", ""]
    siblings = (await store.conversations.open(turn.summary.id)).branches.siblings
    assert siblings == {other.question.id: (turn.question.id, other.question.id)}
    with pytest.raises(RecordNotFound):
        await store.branches.add_sibling_turn(MessageId(99), message=question("x"), generation=RECORD)


async def test_a_deleted_message_amid_a_branch_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    async with await opened(path) as store:
        first = await send(store, "one")
        chat = first.summary.id
        await send(store, "two", to=chat)
        connection = apsw.Connection(str(path))
        connection.execute("UPDATE message SET deleted_at = 1 WHERE id = ?", (first.answer.id,))
        connection.close()
        assert await shown_texts(store, chat) == ["one", "two", ""]
        nodes = await store.branches.tree(chat)
        assert [(node.excerpt, node.parent_id) for node in nodes][1] == ("two", first.question.id)
