"""Folders, archive and colours: for all that were named or for none, and gone folders leave no trace."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from fakes.stores import HandClock, asynchronous, send
from fireside.core.chat import Colour
from fireside.core.errors import InvalidText, NotStored, StorageError
from fireside.core.ids import ConversationId, FolderId
from fireside.storage.store import MEMORY, Store


async def opened() -> Store:
    return await Store.open(MEMORY, clock=time.time)


async def chats(store: Store, n: int) -> list[ConversationId]:
    return [(await send(store)).summary.id for _ in range(n)]


async def names(store: Store) -> list[str]:
    return [folder.name for folder in await store.list_folders()]


@asynchronous
async def test_a_new_folder_stands_below_the_others() -> None:
    async with await opened() as store:
        for name in ("b", "a", "Größe 🦙"):
            made = await store.create_folder(name=name)
            assert (made.name, made.colour, made.is_open) == (name, None, True)
        assert await names(store) == ["b", "a", "Größe 🦙"]


@pytest.mark.parametrize(
    ("position", "order"),
    [(0, "cab"), (1, "acb"), (2, "abc"), (99, "abc"), (-5, "cab")],
)
@asynchronous
async def test_a_folder_takes_the_place_it_is_given(position: int, order: str) -> None:
    async with await opened() as store:
        *_, last = [await store.create_folder(name=name) for name in "abc"]
        await store.move_folder(last.id, position=position)
        assert await names(store) == list(order)


@asynchronous
async def test_what_is_changed_of_a_folder_outlives_the_program(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    async with await Store.open(path, clock=time.time) as store:
        made = await store.create_folder(name="a")
        await store.rename_folder(made.id, name="b")
        await store.colour_folder(made.id, colour=Colour.GREEN)
        await store.set_folder_open(made.id, is_open=False)
        (chat,) = await chats(store, 1)
        await store.move_to_folder([chat], folder_id=made.id)
        await store.set_archived([chat], archived=True)
        await store.set_colour([chat], colour=Colour.RED)
    async with await Store.open(path, clock=time.time) as store:
        (folder,) = await store.list_folders()
        assert (folder.name, folder.colour, folder.is_open) == ("b", Colour.GREEN, False)
        (line,) = await store.list_conversations()
        assert (line.folder_id, line.archived, line.colour) == (folder.id, True, Colour.RED)


@asynchronous
async def test_the_chats_of_a_deleted_folder_go_back_to_the_list() -> None:
    async with await opened() as store:
        inside, deleted, elsewhere = await chats(store, 3)
        folder, other = await store.create_folder(name="a"), await store.create_folder(name="b")
        await store.move_to_folder([inside, deleted], folder_id=folder.id)
        await store.move_to_folder([elsewhere], folder_id=other.id)
        await store.delete(deleted)
        freed = await store.delete_folder(folder.id)
        assert [(line.id, line.folder_id) for line in freed] == [(inside, None)]
        assert (await store.restore(deleted)).folder_id is None
        assert {line.folder_id for line in await store.list_conversations()} == {None, other.id}


@asynchronous
async def test_what_is_moved_or_coloured_counts_as_used_no_later() -> None:
    clock = HandClock()
    async with await Store.open(MEMORY, clock=clock) as store:
        (chat,) = await chats(store, 1)
        clock.now += 100
        folder = await store.create_folder(name="a")
        await store.move_to_folder([chat], folder_id=folder.id)
        await store.set_archived([chat], archived=True)
        await store.set_colour([chat], colour=Colour.RED)
        assert (await store.list_conversations())[0].updated_at == clock.now - 100


@asynchronous
async def test_one_chat_that_is_gone_keeps_all_where_they_are() -> None:
    async with await opened() as store:
        here, gone = await chats(store, 2)
        folder = await store.create_folder(name="a")
        await store.delete(gone)
        before = await store.list_conversations()
        for work in (
            store.move_to_folder([here, gone], folder_id=folder.id),
            store.set_archived([here, gone], archived=True),
            store.set_colour([here, gone], colour=Colour.RED),
            store.delete_all([here, gone]),
            store.move_to_folder([here], folder_id=FolderId(99)),
        ):
            with pytest.raises(NotStored):
                await work
        assert await store.list_conversations() == before


@asynchronous
async def test_a_thousand_chats_are_deleted_and_restored_at_once() -> None:
    async with await opened() as store:
        ids = [(await store.create_conversation(title="x", model_id=None)).id for _ in range(1000)]
        await store.delete_all(ids)
        assert await store.list_conversations() == ()
        assert len(await store.restore_all(ids)) == 1000
        assert len(await store.list_conversations()) == 1000


@asynchronous
async def test_a_folder_that_is_gone_is_said() -> None:
    async with await opened() as store:
        for work in (
            store.rename_folder(FolderId(9), name="x"),
            store.colour_folder(FolderId(9), colour=None),
            store.set_folder_open(FolderId(9), is_open=True),
            store.move_folder(FolderId(9), position=0),
            store.delete_folder(FolderId(9)),
        ):
            with pytest.raises(NotStored) as caught:
                await work
            assert caught.value.info().sentence


@asynchronous
async def test_a_name_that_no_database_can_hold_is_refused() -> None:
    async with await opened() as store:
        with pytest.raises((InvalidText, StorageError)):
            await store.create_folder(name="\ud800")
        assert await store.list_folders() == ()
