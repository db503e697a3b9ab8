"""Summaries in the database belong to a message and follow it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from fakes.fake_clock import ManualClock
from fakes.stores import answer, question, send
from fireside.core.errors import RecordNotFound
from fireside.core.ids import MessageId
from fireside.storage.store import MEMORY, Store, StoredTurn


@pytest.fixture
async def store() -> AsyncIterator[Store]:
    """Empty, with a clock that stands still."""
    async with await Store.open(MEMORY, clock=ManualClock()) as store:
        yield store


async def three_turns(store: Store) -> list[StoredTurn]:
    first = await send(store, "one")
    return [first, *[await send(store, text, to=first.summary.id) for text in ("two", "three")]]


async def test_a_summary_belongs_to_every_branch_that_goes_through_its_message(store: Store) -> None:
    first, second, third = await three_turns(store)
    summary = await store.summaries.put(first.answer.id, text="they met", n_messages=2, model_name="M")
    assert await store.summaries.for_branch(third.answer.id) == summary
    beside = await store.messages.add(first.summary.id, parent_id=first.answer.id, message=question("other"))
    assert await store.summaries.for_branch(beside.id) == summary
    elsewhere = await store.messages.add(
        first.summary.id, parent_id=first.question.id, message=answer("else")
    )
    leaf = await store.messages.add(first.summary.id, parent_id=elsewhere.id, message=question("x"))
    assert await store.summaries.for_branch(leaf.id) is None, "an edit above: those are other messages"
    assert await store.summaries.for_branch(first.answer.id) is None, "a message never stands for itself"
    assert second.question.id != third.question.id


async def test_the_one_of_most_messages_counts(store: Store) -> None:
    first, second, third = await three_turns(store)
    await store.summaries.put(first.answer.id, text="short", n_messages=2, model_name="M")
    more = await store.summaries.put(second.answer.id, text="long", n_messages=4, model_name="M")
    assert await store.summaries.for_branch(third.answer.id) == more


async def test_an_edited_summary_is_marked_until_it_is_generated_again(store: Store) -> None:
    first, _, _ = await three_turns(store)
    summary = await store.summaries.put(first.answer.id, text="a", n_messages=2, model_name="M")
    assert (await store.summaries.edit(summary.id, text="b")).edited
    again = await store.summaries.put(first.answer.id, text="c", n_messages=2, model_name="N")
    assert (again.id, again.text, again.edited) == (summary.id, "c", False)


async def test_removing_a_summary_removes_the_earlier_ones_of_its_branch(store: Store) -> None:
    first, second, third = await three_turns(store)
    await store.summaries.put(first.answer.id, text="short", n_messages=2, model_name="M")
    more = await store.summaries.put(second.answer.id, text="long", n_messages=4, model_name="M")
    assert await store.summaries.remove(more.id) == first.summary.id
    assert await store.summaries.for_branch(third.answer.id) is None
    with pytest.raises(RecordNotFound):
        await store.summaries.get(more.id)


async def test_a_fork_takes_its_summaries_along(store: Store) -> None:
    first, _, third = await three_turns(store)
    summary = await store.summaries.put(first.answer.id, text="they met", n_messages=2, model_name="M")
    copy = await store.branches.fork(third.answer.id)
    messages = (await store.conversations.open(copy.id)).messages
    copied = await store.summaries.for_branch(messages[-1].id)
    assert copied is not None
    assert (copied.text, copied.conversation_id) == ("they met", copy.id)
    await store.summaries.edit(copied.id, text="other")
    assert (await store.summaries.get(summary.id)).text == "they met"


async def test_a_transcript_loses_no_summary(store: Store) -> None:
    async with await Store.open(MEMORY, clock=ManualClock()) as other:
        first, _, _ = await three_turns(store)
        summary = await store.summaries.put(first.answer.id, text="they met", n_messages=2, model_name="M")
        await store.summaries.edit(summary.id, text="they met again")
        transcript = await store.transcripts.get(first.summary.id)
        added = (await other.transcripts.add(transcript)).summary
        messages = (await other.conversations.open(added.id)).messages
        found = await other.summaries.for_branch(messages[-1].id)
        assert found is not None
        assert (found.text, found.edited, found.n_messages) == ("they met again", True, 2)
        assert (await other.transcripts.get(added.id)).messages == transcript.messages


async def test_a_summary_of_an_unknown_message_is_not_stored(store: Store) -> None:
    with pytest.raises(RecordNotFound):
        await store.summaries.put(MessageId(7), text="x", n_messages=1, model_name="M")
