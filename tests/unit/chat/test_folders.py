"""Folders, archive, colours and search: stored first, then reported."""

from __future__ import annotations

import pytest

from fakes.app_place import Place
from fakes.engine import says
from fakes.stores import answer
from fireside.chat.folders import NAME_CHARACTERS
from fireside.core.chat import Colour
from fireside.core.errors import RecordNotFound
from fireside.core.events import BranchChanged, ConversationChanged, ConversationDeleted, FoldersChanged
from fireside.core.ids import ConversationId, FolderId, MessageId
from fireside.core.search import SearchQuery


async def chat(place: Place, text: str = "What is bread?") -> ConversationId:
    made = await place.app.generations.send(None, text=text, model_id=place.model_id)
    await place.settled(made)
    return made


def folder_names(place: Place) -> list[str]:
    last = place.seen(FoldersChanged)[-1]
    assert isinstance(last, FoldersChanged)
    return [folder.name for folder in last.folders]


async def test_every_change_of_a_folder_is_reported_with_all_folders(place: Place) -> None:
    place.engine.script = says("Of flour")
    keeping = place.app.folders
    work = await keeping.create_folder(name="  Work\n today ")
    await keeping.create_folder(name="")
    assert folder_names(place) == ["Work today", "New folder"]
    await keeping.move_folder(work.id, position=1)
    assert folder_names(place) == ["New folder", "Work today"]
    await keeping.rename_folder(work.id, name="x" * 500)
    assert folder_names(place) == ["New folder", "x" * NAME_CHARACTERS]
    await keeping.set_folder_colour(work.id, colour=Colour.RED)
    await keeping.open_folder(work.id, is_open=False)
    last = place.seen(FoldersChanged)[-1]
    assert isinstance(last, FoldersChanged)
    assert (last.folders[1].colour, last.folders[1].is_open) == (Colour.RED, False)
    assert (await place.app.snapshot()).folders == last.folders
    await keeping.delete_folder(work.id)
    assert folder_names(place) == ["New folder"]


async def test_an_empty_name_changes_no_folder(place: Place) -> None:
    place.engine.script = says("Of flour")
    folder = await place.app.folders.create_folder(name="Work")
    await place.app.folders.rename_folder(folder.id, name="  \n")
    assert folder_names(place) == ["Work"]


async def test_each_moved_chat_is_reported_in_its_new_state(place: Place) -> None:
    place.engine.script = says("Of flour")
    ids = [await chat(place, "One"), await chat(place, "Two")]
    keeping = place.app.folders
    folder = await keeping.create_folder(name="Work")
    place.events.clear()
    await keeping.move_conversations(ids, folder_id=folder.id)
    await keeping.set_archived(ids[:1], archived=True)
    await keeping.colour_conversations(ids[1:], colour=Colour.BLUE)
    reported = [e.summary for e in place.seen(ConversationChanged) if isinstance(e, ConversationChanged)]
    assert [(s.id, s.folder_id, s.archived, s.colour) for s in reported] == [
        (ids[0], folder.id, False, None),
        (ids[1], folder.id, False, None),
        (ids[0], folder.id, True, None),
        (ids[1], folder.id, False, Colour.BLUE),
    ]
    place.events.clear()
    await keeping.set_archived(ids[:1], archived=False)
    await keeping.delete_folder(folder.id)
    assert [s.folder_id for s in (await place.app.snapshot()).conversations] == [None, None]


async def test_nothing_is_moved_if_one_chat_does_not_exist(place: Place) -> None:
    place.engine.script = says("Of flour")
    chat_id = await chat(place)
    folder = await place.app.folders.create_folder(name="Work")
    with pytest.raises(RecordNotFound):
        await place.app.folders.move_conversations([chat_id, ConversationId(99)], folder_id=folder.id)
    assert (await place.app.snapshot()).conversations[0].folder_id is None
    with pytest.raises(RecordNotFound):
        await place.app.folders.move_conversations([chat_id], folder_id=FolderId(99))


async def test_deleted_chats_come_back_together(place: Place) -> None:
    place.engine.script = says("Of flour")
    ids = [await chat(place, "One"), await chat(place, "Two")]
    await place.app.folders.delete_conversations(ids)
    assert len(place.seen(ConversationDeleted)) == 2
    assert (await place.app.snapshot()).conversations == ()
    await place.app.folders.restore_conversations(ids)
    assert len((await place.app.snapshot()).conversations) == 2


async def test_new_text_is_found_at_once(place: Place) -> None:
    place.engine.script = says("Of flour")
    chat_id = await chat(place)
    result = (await place.app.folders.search(SearchQuery(text="flour"))).matches
    assert [(f.summary.id, [hit.snippet.text for hit in f.hits]) for f in result] == [(chat_id, ["Of flour"])]


async def test_a_message_on_another_branch_is_brought_to_the_front_with_what_follows_it(place: Place) -> None:
    place.engine.script = says("Of flour")
    chat_id = await chat(place)
    store = place.store
    question, first = (await store.conversations.open(chat_id)).messages
    end = await store.messages.add(chat_id, parent_id=first.id, message=answer("and on"))
    other = await store.messages.add(chat_id, parent_id=question.id, message=answer("other"))
    assert await place.app.folders.show_branch(other.id) == chat_id
    assert place.seen(BranchChanged) == []
    assert await place.app.folders.show_branch(first.id) == chat_id
    assert place.seen(BranchChanged) == [BranchChanged(conversation_id=chat_id)]
    assert (await store.conversations.open(chat_id)).messages[-1].id == end.id


async def test_a_deleted_message_cannot_be_shown(place: Place) -> None:
    place.engine.script = says("Of flour")
    chat_id = await chat(place)
    message = (await place.store.conversations.open(chat_id)).messages[0].id
    await place.app.folders.delete_conversations([chat_id])
    for gone in (message, MessageId(99)):
        with pytest.raises(RecordNotFound):
            await place.app.folders.show_branch(gone)
