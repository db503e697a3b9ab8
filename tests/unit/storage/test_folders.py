"""Folders, archive and colours: changes apply to all chats or none, and deleted folders leave no trace."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from fakes.fake_clock import ManualClock
from fakes.stores import send
from fireside.core.chat import Colour
from fireside.core.errors import InvalidText, RecordNotFound, StorageError
from fireside.core.ids import ConversationId, FolderId
from fireside.storage.store import MEMORY, Store


async def chats(store: Store, n: int) -> list[ConversationId]:
    return [(await send(store)).summary.id for _ in range(n)]


async def names(store: Store) -> list[str]:
    return [folder.name for folder in await store.folders.all()]


async def test_a_new_folder_comes_after_the_others(store: Store) -> None:
    for name in ("b", "a", "Größe 🦙"):
        folder = await store.folders.create(name=name)
        assert (folder.name, folder.colour, folder.is_open) == (name, None, True)
    assert await names(store) == ["b", "a", "Größe 🦙"]


@pytest.mark.parametrize(
    ("position", "order"),
    [(0, "cab"), (1, "acb"), (2, "abc"), (99, "abc"), (-5, "cab")],
)
async def test_a_folder_moves_to_the_given_position(store: Store, position: int, order: str) -> None:
    *_, last = [await store.folders.create(name=name) for name in "abc"]
    await store.folders.move(last.id, position=position)
    assert await names(store) == list(order)


async def test_changes_of_a_folder_survive_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    async with await Store.open(path, clock=time.time) as store:
        made = await store.folders.create(name="a")
        await store.folders.rename(made.id, name="b")
        await store.folders.set_colour(made.id, colour=Colour.GREEN)
        await store.folders.set_open(made.id, is_open=False)
        (chat,) = await chats(store, 1)
        await store.conversations.move_to_folder([chat], folder_id=made.id)
        await store.conversations.set_archived([chat], archived=True)
        await store.conversations.set_colour([chat], colour=Colour.RED)
    async with await Store.open(path, clock=time.time) as store:
        (folder,) = await store.folders.all()
        assert (folder.name, folder.colour, folder.is_open) == ("b", Colour.GREEN, False)
        (line,) = await store.conversations.all()
        assert (line.folder_id, line.archived, line.colour) == (folder.id, True, Colour.RED)


async def test_the_chats_of_a_deleted_folder_go_back_to_the_list(store: Store) -> None:
    inside, deleted, elsewhere = await chats(store, 3)
    folder, other = await store.folders.create(name="a"), await store.folders.create(name="b")
    await store.conversations.move_to_folder([inside, deleted], folder_id=folder.id)
    await store.conversations.move_to_folder([elsewhere], folder_id=other.id)
    await store.conversations.delete((deleted,))
    freed = await store.folders.delete(folder.id)
    assert [(line.id, line.folder_id) for line in freed] == [(inside, None)]
    assert (await store.conversations.restore((deleted,)))[0].folder_id is None
    assert {line.folder_id for line in await store.conversations.all()} == {None, other.id}


async def test_moving_and_colouring_do_not_change_the_time_of_use() -> None:
    clock = ManualClock()
    async with await Store.open(MEMORY, clock=clock) as store:
        (chat,) = await chats(store, 1)
        clock.now += 100
        folder = await store.folders.create(name="a")
        await store.conversations.move_to_folder([chat], folder_id=folder.id)
        await store.conversations.set_archived([chat], archived=True)
        await store.conversations.set_colour([chat], colour=Colour.RED)
        assert (await store.conversations.all())[0].updated_at == clock.now - 100


async def test_no_chat_is_moved_if_one_does_not_exist(store: Store) -> None:
    here, gone = await chats(store, 2)
    folder = await store.folders.create(name="a")
    await store.conversations.delete((gone,))
    before = await store.conversations.all()
    for work in (
        store.conversations.move_to_folder([here, gone], folder_id=folder.id),
        store.conversations.set_archived([here, gone], archived=True),
        store.conversations.set_colour([here, gone], colour=Colour.RED),
        store.conversations.delete([here, gone]),
        store.conversations.move_to_folder([here], folder_id=FolderId(99)),
    ):
        with pytest.raises(RecordNotFound):
            await work
    assert await store.conversations.all() == before


async def test_a_thousand_chats_are_deleted_and_restored_at_once(store: Store) -> None:
    ids = [(await store.conversations.create(title="x", model_id=None)).id for _ in range(1000)]
    await store.conversations.delete(ids)
    assert await store.conversations.all() == ()
    assert len(await store.conversations.restore(ids)) == 1000
    assert len(await store.conversations.all()) == 1000


async def test_an_unknown_folder_is_reported(store: Store) -> None:
    for work in (
        store.folders.rename(FolderId(9), name="x"),
        store.folders.set_colour(FolderId(9), colour=None),
        store.folders.set_open(FolderId(9), is_open=True),
        store.folders.move(FolderId(9), position=0),
        store.folders.delete(FolderId(9)),
    ):
        with pytest.raises(RecordNotFound) as caught:
            await work
        assert caught.value.info().sentence


async def test_a_name_that_no_database_can_hold_is_refused(store: Store) -> None:
    with pytest.raises((InvalidText, StorageError)):
        await store.folders.create(name="\ud800")
    assert await store.folders.all() == ()
