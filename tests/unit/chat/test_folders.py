"""Folders, archive, colours and search: stored first, then reported."""

from __future__ import annotations

import pytest

from fakes.app_harness import AppHarness
from fakes.engine import says
from fakes.stores import answer
from fireside.chat.folders import NAME_CHARACTERS
from fireside.core.chat import Colour
from fireside.core.errors import RecordNotFound
from fireside.core.events import BranchChanged, ConversationChanged, ConversationDeleted, FoldersChanged
from fireside.core.ids import ConversationId, FolderId, MessageId
from fireside.core.search import SearchQuery


async def chat(harness: AppHarness, text: str = "What is bread?") -> ConversationId:
    made = await harness.app.generations.send(None, text=text, model_id=harness.model_id)
    await harness.settled(made)
    return made


def folder_names(harness: AppHarness) -> list[str]:
    last = harness.seen(FoldersChanged)[-1]
    assert isinstance(last, FoldersChanged)
    return [folder.name for folder in last.folders]


async def test_every_change_of_a_folder_is_reported_with_all_folders(harness: AppHarness) -> None:
    harness.engine.script = says("Of flour")
    keeping = harness.app.folders
    work = await keeping.create_folder(name="  Work\n today ")
    await keeping.create_folder(name="")
    assert folder_names(harness) == ["Work today", "New folder"]
    await keeping.move_folder(work.id, position=1)
    assert folder_names(harness) == ["New folder", "Work today"]
    await keeping.rename_folder(work.id, name="x" * 500)
    assert folder_names(harness) == ["New folder", "x" * NAME_CHARACTERS]
    await keeping.set_folder_colour(work.id, colour=Colour.RED)
    await keeping.open_folder(work.id, is_open=False)
    last = harness.seen(FoldersChanged)[-1]
    assert isinstance(last, FoldersChanged)
    assert (last.folders[1].colour, last.folders[1].is_open) == (Colour.RED, False)
    assert (await harness.app.snapshot()).folders == last.folders
    await keeping.delete_folder(work.id)
    assert folder_names(harness) == ["New folder"]


async def test_an_empty_name_changes_no_folder(harness: AppHarness) -> None:
    harness.engine.script = says("Of flour")
    folder = await harness.app.folders.create_folder(name="Work")
    await harness.app.folders.rename_folder(folder.id, name="  \n")
    assert folder_names(harness) == ["Work"]


async def test_each_moved_chat_is_reported_in_its_new_state(harness: AppHarness) -> None:
    harness.engine.script = says("Of flour")
    ids = [await chat(harness, "One"), await chat(harness, "Two")]
    keeping = harness.app.folders
    folder = await keeping.create_folder(name="Work")
    harness.events.clear()
    await keeping.move_conversations(ids, folder_id=folder.id)
    await keeping.set_archived(ids[:1], archived=True)
    await keeping.colour_conversations(ids[1:], colour=Colour.BLUE)
    reported = [e.summary for e in harness.seen(ConversationChanged) if isinstance(e, ConversationChanged)]
    assert [(s.id, s.folder_id, s.archived, s.colour) for s in reported] == [
        (ids[0], folder.id, False, None),
        (ids[1], folder.id, False, None),
        (ids[0], folder.id, True, None),
        (ids[1], folder.id, False, Colour.BLUE),
    ]
    harness.events.clear()
    await keeping.set_archived(ids[:1], archived=False)
    await keeping.delete_folder(folder.id)
    assert [s.folder_id for s in (await harness.app.snapshot()).conversations] == [None, None]


async def test_nothing_is_moved_if_one_chat_does_not_exist(harness: AppHarness) -> None:
    harness.engine.script = says("Of flour")
    chat_id = await chat(harness)
    folder = await harness.app.folders.create_folder(name="Work")
    with pytest.raises(RecordNotFound):
        await harness.app.folders.move_conversations([chat_id, ConversationId(99)], folder_id=folder.id)
    assert (await harness.app.snapshot()).conversations[0].folder_id is None
    with pytest.raises(RecordNotFound):
        await harness.app.folders.move_conversations([chat_id], folder_id=FolderId(99))


async def test_deleted_chats_come_back_together(harness: AppHarness) -> None:
    harness.engine.script = says("Of flour")
    ids = [await chat(harness, "One"), await chat(harness, "Two")]
    await harness.app.folders.delete_conversations(ids)
    assert len(harness.seen(ConversationDeleted)) == 2
    assert (await harness.app.snapshot()).conversations == ()
    await harness.app.folders.restore_conversations(ids)
    assert len((await harness.app.snapshot()).conversations) == 2


async def test_new_text_is_found_at_once(harness: AppHarness) -> None:
    harness.engine.script = says("Of flour")
    chat_id = await chat(harness)
    result = (await harness.app.folders.search(SearchQuery(text="flour"))).matches
    assert [(f.summary.id, [hit.snippet.text for hit in f.hits]) for f in result] == [(chat_id, ["Of flour"])]


async def test_a_message_on_another_branch_is_brought_to_the_front_with_what_follows_it(
    harness: AppHarness,
) -> None:
    harness.engine.script = says("Of flour")
    chat_id = await chat(harness)
    store = harness.store
    question, first = (await store.conversations.open(chat_id)).messages
    end = await store.messages.add(chat_id, parent_id=first.id, message=answer("and on"))
    other = await store.messages.add(chat_id, parent_id=question.id, message=answer("other"))
    assert await harness.app.folders.show_branch(other.id) == chat_id
    assert harness.seen(BranchChanged) == []
    assert await harness.app.folders.show_branch(first.id) == chat_id
    assert harness.seen(BranchChanged) == [BranchChanged(conversation_id=chat_id)]
    assert (await store.conversations.open(chat_id)).messages[-1].id == end.id


async def test_a_deleted_message_cannot_be_shown(harness: AppHarness) -> None:
    harness.engine.script = says("Of flour")
    chat_id = await chat(harness)
    message = (await harness.store.conversations.open(chat_id)).messages[0].id
    await harness.app.folders.delete_conversations([chat_id])
    for gone in (message, MessageId(99)):
        with pytest.raises(RecordNotFound):
            await harness.app.folders.show_branch(gone)
