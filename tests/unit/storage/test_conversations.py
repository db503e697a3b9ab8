"""Conversations: the list, titles, pins, drafts, settings of their own."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from fakes.fake_clock import ManualClock
from fakes.stores import send, texts
from fireside.core.errors import InvalidText, RecordNotFound
from fireside.core.ids import ConversationId, DraftId, ModelId
from fireside.core.options import SettingValue
from fireside.storage.store import MEMORY, Store

NEW = DraftId("new")


async def test_a_new_database_has_no_conversations(store: Store) -> None:
    assert await store.conversations.all() == ()


async def test_the_conversation_changed_last_comes_first() -> None:
    clock = ManualClock()
    async with await Store.open(MEMORY, clock=clock) as store:
        first = await store.conversations.create(title="first", model_id=None)
        clock.now += 1
        await store.conversations.create(title="second", model_id=None)
        clock.now += 1
        await send(store, to=first.id)
        assert [line.title for line in await store.conversations.all()] == ["first", "second"]


async def test_conversations_of_the_same_moment_are_ordered_by_their_id() -> None:
    async with await Store.open(MEMORY, clock=ManualClock()) as store:
        for title in "abc":
            await store.conversations.create(title=title, model_id=None)
        assert [line.title for line in await store.conversations.all()] == ["c", "b", "a"]


async def test_a_conversation_has_times_of_creation_and_change() -> None:
    clock = ManualClock(100.0)
    async with await Store.open(MEMORY, clock=clock) as store:
        conversation = await store.conversations.create(title="t", model_id=ModelId("m"))
        clock.now = 250.0
        changed = (await send(store, to=conversation.id)).summary
        assert (changed.created_at, changed.updated_at) == (100.0, 250.0)


async def test_renaming_and_pinning_do_not_count_as_a_change_of_the_conversation() -> None:
    clock = ManualClock(100.0)
    async with await Store.open(MEMORY, clock=clock) as store:
        conversation = await store.conversations.create(title="t", model_id=None)
        clock.now = 250.0
        await store.conversations.rename(conversation.id, title="new")
        assert (await store.conversations.set_pinned(conversation.id, pinned=True)).updated_at == 100.0


async def test_title_pin_and_model_are_still_there_after_opening_again(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    async with await Store.open(path, clock=time.time) as store:
        conversation = await store.conversations.create(title="before", model_id=ModelId("old"))
        await store.conversations.rename(conversation.id, title="Größe “🦙” \x00 end")
        await store.conversations.set_pinned(conversation.id, pinned=True)
        last = await store.conversations.set_model(conversation.id, model_id=ModelId("new"))
    async with await Store.open(path, clock=time.time) as store:
        assert await store.conversations.all() == (last,)
        assert (last.title, last.pinned, last.model_id) == ("Größe “🦙” \x00 end", True, "new")


async def test_a_deleted_conversation_is_hidden_and_can_be_restored(store: Store) -> None:
    turn = await send(store, "keep me")
    await store.conversations.delete((turn.summary.id,))
    assert await store.conversations.all() == ()
    assert await store.conversations.restore((turn.summary.id,)) == (turn.summary,)
    assert texts((await store.conversations.open(turn.summary.id)).messages)[0] == "keep me"


async def test_a_deleted_conversation_is_purged_when_the_store_is_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    async with await Store.open(path, clock=time.time) as store:
        doomed = await send(store, "secret-words " * 2_000)
        await store.messages.append_text(doomed.answer.id, "more")
        kept = await send(store, "kept")
        await store.conversations.delete((doomed.summary.id,))
    async with await Store.open(path, clock=time.time) as store:
        with pytest.raises(RecordNotFound):
            await store.conversations.restore((doomed.summary.id,))
        assert [line.id for line in await store.conversations.all()] == [kept.summary.id]
    assert b"secret-words" not in path.read_bytes()


async def test_an_id_is_never_used_twice(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    async with await Store.open(path, clock=time.time) as store:
        doomed = await send(store)
        await store.conversations.delete((doomed.summary.id,))
    async with await Store.open(path, clock=time.time) as store:
        new = await send(store)
        assert new.summary.id > doomed.summary.id
        assert new.question.id > doomed.answer.id


async def test_changes_of_an_unknown_conversation_are_not_stored(store: Store) -> None:
    unknown = ConversationId(77)
    for call in (
        store.conversations.open(unknown),
        store.conversations.rename(unknown, title="x"),
        store.conversations.set_pinned(unknown, pinned=True),
        store.conversations.set_model(unknown, model_id=ModelId("m")),
        store.conversations.delete((unknown,)),
        store.conversations.restore((unknown,)),
        store.drafts.text(unknown),
        store.drafts.save_text(unknown, text="x"),
        store.conversations.overrides(unknown),
        store.conversations.set_override(unknown, key="k", value=1),
        store.conversations.clear_override(unknown, key="k"),
        send(store, to=unknown),
    ):
        with pytest.raises(RecordNotFound) as caught:
            await call
        assert (caught.value.what, caught.value.id) == ("conversation", 77)


async def test_drafts_are_kept_for_each_conversation_and_for_the_new_chat(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    async with await Store.open(path, clock=time.time) as store:
        conversation = await store.conversations.create(title="t", model_id=None)
        await store.drafts.save_text(NEW, text="new chat")
        await store.drafts.save_text(NEW, text="new chat, longer")
        await store.drafts.save_text(conversation.id, text="half a thought")
    async with await Store.open(path, clock=time.time) as store:
        assert await store.drafts.text(NEW) == "new chat, longer"
        assert await store.drafts.text(conversation.id) == "half a thought"
        assert (await store.conversations.open(conversation.id)).draft == "half a thought"


async def test_a_send_clears_only_the_draft_that_it_came_from(store: Store) -> None:
    conversation = await store.conversations.create(title="t", model_id=None)
    await store.drafts.save_text(NEW, text="new chat")
    await store.drafts.save_text(conversation.id, text="sent now")
    await send(store, to=conversation.id)
    assert (await store.drafts.text(NEW), await store.drafts.text(conversation.id)) == ("new chat", "")
    await send(store, draft_id=NEW)
    assert await store.drafts.text(NEW) == ""


async def test_overrides_come_back_with_their_types(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    values: dict[str, SettingValue] = {
        "a": True,
        "b": 1,
        "c": 1.5,
        "d": "text",
        "e": ("x", "y"),
        "f": None,
        "g": (),
    }
    async with await Store.open(path, clock=time.time) as store:
        conversation = await store.conversations.create(title="t", model_id=None)
        for key, value in values.items():
            await store.conversations.set_override(conversation.id, key=key, value=value)
        await store.conversations.set_override(conversation.id, key="gone", value=1)
        await store.conversations.clear_override(conversation.id, key="gone")
        await store.conversations.clear_override(conversation.id, key="was never there")
    async with await Store.open(path, clock=time.time) as store:
        found = (await store.conversations.open(conversation.id)).overrides
        assert found == values == await store.conversations.overrides(conversation.id)
        assert [type(found[key]) for key in values] == [type(value) for value in values.values()]


async def test_conversations_are_found_by_a_setting_of_their_own(tmp_path: Path) -> None:
    async with await Store.open(tmp_path / "chats.db", clock=time.time) as store:
        keys = ("tools.files", "tools.folders", "tools.files", "tools.files")
        conversation = [await store.conversations.create(title=key, model_id=None) for key in keys]
        for one, key in zip(conversation, keys, strict=True):
            await store.conversations.set_override(one.id, key=key, value=("“tools.files”",))
        await store.conversations.delete((conversation[0].id,))
        await store.conversations.clear_override(conversation[3].id, key="tools.files")
        found = await store.conversations.with_override("tools.files")
        assert [(summary.id, value) for summary, value in found] == [(conversation[2].id, ("“tools.files”",))]


async def test_text_with_a_lone_surrogate_is_refused_everywhere_and_nothing_is_written(store: Store) -> None:
    bad = "half \ud83e of a llama"
    turn = await send(store)
    for call in (
        store.conversations.create(title=bad, model_id=None),
        store.conversations.rename(turn.summary.id, title=bad),
        store.conversations.set_model(turn.summary.id, model_id=ModelId(bad)),
        store.drafts.save_text(NEW, text=bad),
        store.drafts.save_text(turn.summary.id, text=bad),
        store.conversations.set_override(turn.summary.id, key="k", value=bad),
        store.messages.append_text(turn.answer.id, bad),
        send(store, bad),
    ):
        with pytest.raises(InvalidText):
            await call
    assert await store.conversations.all() == (turn.summary,)
    assert (await store.conversations.open(turn.summary.id)).messages == (turn.question, turn.answer)
