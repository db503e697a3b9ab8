"""What the user makes of artifacts belongs to its answer, and forks take it along."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from fakes.fake_clock import ManualClock
from fakes.stores import send
from fireside.core.artifacts import ArtifactNotes, ArtifactPlace, WrittenVersion
from fireside.core.errors import RecordNotFound
from fireside.core.ids import MessageId
from fireside.core.message import Role, text_message
from fireside.storage.store import MEMORY, Store


@pytest.fixture
async def store() -> AsyncIterator[Store]:
    async with await Store.open(MEMORY, clock=ManualClock()) as opened:
        yield opened


async def test_a_fork_has_the_versions_of_its_answers(store: Store) -> None:
    turn = await send(store, "Draw")
    place = ArtifactPlace(message_id=turn.answer.id, start=3)
    await store.artifact_edits.add(place, text="mine")
    await store.artifact_edits.rename(place, title="House")
    await store.artifact_edits.save_draft(place, text="half")
    (before,) = (await store.artifact_edits.of_messages([turn.answer.id]))[turn.answer.id]
    fork = await store.branches.fork(turn.answer.id)
    copied = (await store.conversations.open(fork.id)).messages[-1].id
    assert copied != turn.answer.id
    assert (await store.artifact_edits.of_messages([copied]))[copied] == (before,)
    assert before == ArtifactNotes(
        start=3,
        title="House",
        draft="half",
        edits=(WrittenVersion(text="mine", created_at=before.edits[0].created_at),),
    )


async def test_a_saved_version_was_the_draft(store: Store) -> None:
    place = ArtifactPlace(message_id=(await send(store, "Draw")).answer.id, start=0)
    await store.artifact_edits.save_draft(place, text="half")
    await store.artifact_edits.add(place, text="whole")
    (note,) = (await store.artifact_edits.of_messages([place.message_id]))[place.message_id]
    assert (note.draft, [edit.text for edit in note.edits]) == (None, ["whole"])


async def test_nothing_is_kept_of_what_was_dropped(store: Store) -> None:
    place = ArtifactPlace(message_id=(await send(store, "Draw")).answer.id, start=0)
    await store.artifact_edits.save_draft(place, text="half")
    await store.artifact_edits.rename(place, title="House")
    await store.artifact_edits.save_draft(place, text=None)
    await store.artifact_edits.rename(place, title="")
    assert await store.artifact_edits.of_messages([place.message_id]) == {}


async def test_there_must_be_an_answer(store: Store) -> None:
    place = ArtifactPlace(message_id=MessageId(77), start=0)
    with pytest.raises(RecordNotFound):
        await store.artifact_edits.add(place, text="mine")
    with pytest.raises(RecordNotFound):
        await store.artifact_edits.save_draft(place, text="mine")


async def test_a_temporary_chat_keeps_them_in_memory_too(store: Store) -> None:
    chat = (await store.begin_temporary(title="x", model_id=None)).summary
    answer = await store.messages.add(
        chat.id, parent_id=None, message=text_message(Role.ASSISTANT, "```svg\n<svg></svg>\n```")
    )
    await store.artifact_edits.add(ArtifactPlace(message_id=answer.id, start=0), text="mine")
    (note,) = (await store.artifact_edits.of_messages([answer.id]))[answer.id]
    assert [edit.text for edit in note.edits] == ["mine"]
