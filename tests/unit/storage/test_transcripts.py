"""Whole conversations are exported and imported without loss."""

from __future__ import annotations

import time

import pytest
from msgspec.structs import replace

from fakes.stores import send, texts
from fakes.transcripts import asked, everything, said, transcript
from fireside.core.chat import MessageState
from fireside.core.errors import InvalidText, RecordNotFound
from fireside.core.ids import ConversationId
from fireside.core.message import Role
from fireside.storage.store import MEMORY, Store


async def test_a_transcript_round_trips(store: Store) -> None:
    added = (await store.transcripts.add(everything())).summary
    assert await store.transcripts.get(added.id) == everything()


async def test_a_conversation_from_the_same_origin_is_there_already(store: Store) -> None:
    assert (await store.transcripts.add(everything())).is_new
    again = await store.transcripts.add(everything())
    assert (again.is_new, again.n_added, again.n_changed) == (False, 0, 0)
    assert len(await store.conversations.all()) == 1


async def test_a_deleted_conversation_can_be_imported_again(store: Store) -> None:
    added = (await store.transcripts.add(everything())).summary
    await store.conversations.delete((added.id,))
    assert (await store.transcripts.add(everything())).is_new


async def test_ones_own_conversation_is_there_already_but_not_in_another_database() -> None:
    async with await Store.open(MEMORY, clock=time.time) as store:
        turn = await send(store)
        own = await store.transcripts.get(turn.summary.id)
        assert not (await store.transcripts.add(own)).is_new
    async with await Store.open(MEMORY, clock=time.time) as other:
        await send(other)
        assert (await other.transcripts.add(own)).is_new


async def test_the_branch_that_was_shown_is_shown_again(store: Store) -> None:
    wanted = replace(
        transcript(asked("why"), said("one", parent=0), said("two", parent=0)),
        active=1,
    )
    added = (await store.transcripts.add(wanted)).summary
    assert texts((await store.conversations.open(added.id)).messages) == ["why", "one"]


async def test_an_answer_that_is_being_written_leaves_as_interrupted(store: Store) -> None:
    turn = await send(store)
    await store.messages.append_text(turn.answer.id, "half")
    last = (await store.transcripts.get(turn.summary.id)).messages[-1]
    assert (last.state, last.message.text) == (MessageState.INTERRUPTED, "half")


async def test_a_deleted_message_does_not_leave_and_its_followers_stay(store: Store) -> None:
    turn = await send(store, "gone")
    store._database.rows("UPDATE message SET deleted_at = 1 WHERE id = ?", turn.question.id)
    (only,) = (await store.transcripts.get(turn.summary.id)).messages
    assert (only.parent, only.message.role) == (None, Role.ASSISTANT)


async def test_a_damaged_message_leaves_as_a_placeholder_with_the_others(store: Store) -> None:
    turn = await send(store, "fine")
    store._database.rows("UPDATE message SET parts = 'no' WHERE id = ?", turn.answer.id)
    first, second = (await store.transcripts.get(turn.summary.id)).messages
    assert first.message.text == "fine"
    assert second.error is not None
    assert second.error.code == "message_unreadable"


async def test_half_a_character_is_refused_and_nothing_is_stored(store: Store) -> None:
    with pytest.raises(InvalidText):
        await store.transcripts.add(transcript(asked("fine"), said("\ud800", parent=0)))
    assert await store.conversations.all() == ()


async def test_a_folder_of_that_name_is_used_and_else_made(store: Store) -> None:
    work = await store.folders.create(name="Work")
    added = (await store.transcripts.add(everything())).summary
    assert added.folder_id == work.id
    await store.transcripts.add(replace(everything(), origin="x:2", folder="Home"))
    assert [folder.name for folder in await store.folders.all()] == ["Work", "Home"]


async def test_an_unknown_conversation_has_no_transcript(store: Store) -> None:
    with pytest.raises(RecordNotFound):
        await store.transcripts.get(ConversationId(9))


async def test_imported_text_is_found(store: Store) -> None:
    await store.transcripts.add(transcript(asked("where is the marmalade")))
    while await store.search.index_some(limit_s=1.0):
        pass
    rows = store._database.rows("SELECT count(*) FROM search_text WHERE search_text MATCH 'marmalade'")
    assert rows == [(1,)]


async def test_a_damaged_message_hides_no_other_from_the_search(store: Store) -> None:
    turn = await send(store, "where is the marmalade")
    store._database.rows("UPDATE message SET parts = 'no' WHERE id = ?", turn.answer.id)
    while await store.search.index_some(limit_s=1.0):
        pass
    rows = store._database.rows("SELECT count(*) FROM search_text WHERE search_text MATCH 'marmalade'")
    assert rows == [(1,)]
