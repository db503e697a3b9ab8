"""Drafts: unsent text and files, and unsaved edits."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from fakes.fake_clock import ManualClock
from fakes.stores import RECORD, question, send
from fireside.core.attachment import Attachment
from fireside.core.errors import RecordNotFound
from fireside.core.ids import DraftId, MessageId, ModelId, QueuedMessageId
from fireside.core.message import ChatMessage, DocumentPart, ImagePart, Role, TextPart
from fireside.core.options import SettingValue
from fireside.storage.store import MEMORY, Store

ONE, OTHER = DraftId("one"), DraftId("other")


def notes(text: str = "Remember the milk.") -> Attachment:
    part = DocumentPart(name="notes.txt", media_type="text/plain", text=text)
    return Attachment(part=part, size_bytes=18, warnings=("Some of it is missing.",))


def picture() -> Attachment:
    return Attachment(part=ImagePart(data=b"\x89PNG" * 1000, media_type="image/png"), size_bytes=4000)


async def n_contents(store: Store) -> int:
    (n,) = await store.run(lambda: store._database.row("SELECT count(*) FROM draft_content") or (0,))
    assert isinstance(n, int)
    return n


async def test_files_come_back_with_their_draft_in_their_order(tmp_path: Path) -> None:
    async with await Store.open(tmp_path / "chats.db", clock=time.time) as store:
        conversation = await store.conversations.create(title="t", model_id=None)
        await store.drafts.save_files(conversation.id, attached=(picture(), notes(), notes()))
        await store.drafts.save_files(ONE, attached=(notes(),))
    async with await Store.open(tmp_path / "chats.db", clock=time.time) as store:
        assert (await store.conversations.open(conversation.id)).attached == (picture(), notes(), notes())
        (new,) = await store.drafts.new_chats()
        assert (new.id, new.text, new.attached) == (ONE, "", (notes(),))


async def test_settings_of_a_new_chat_come_back_with_its_draft_and_alone_keep_it(store: Store) -> None:
    own: dict[str, SettingValue] = {"chat.system_prompt": "Be brief.", "chat.collections": ("c1",)}
    await store.drafts.save_settings(ONE, own)
    await store.drafts.save_text(ONE, text="")
    (new,) = await store.drafts.new_chats()
    assert new.settings == own
    await store.drafts.save_settings(ONE, {})
    assert await store.drafts.new_chats() == ()


async def test_the_same_file_is_kept_once_and_goes_with_the_last_draft_that_has_it(store: Store) -> None:
    for key in (ONE, OTHER):
        await store.drafts.save_files(key, attached=(notes(), picture()))
    assert await n_contents(store) == 2
    await store.drafts.save_files(ONE, attached=(picture(),))
    await store.drafts.save_files(OTHER, attached=())
    assert await n_contents(store) == 1
    assert await store.drafts.files(ONE) == (picture(),)


async def test_tidying_up_leaves_the_files_of_drafts_alone(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    async with await Store.open(path, clock=time.time) as store:
        gone, kept = [await store.conversations.create(title="t", model_id=None) for _ in range(2)]
        await store.drafts.save_files(gone.id, attached=(notes("secret"), picture()))
        await store.drafts.save_files(kept.id, attached=(picture(),))
        await store.conversations.delete((gone.id,))
        assert await n_contents(store) == 2
    async with await Store.open(path, clock=time.time) as store:
        assert await n_contents(store) == 1
        assert (await store.conversations.open(kept.id)).attached == (picture(),)


async def test_a_deleted_chat_that_is_brought_back_has_its_files(store: Store) -> None:
    conversation = await store.conversations.create(title="t", model_id=None)
    await store.drafts.save_files(conversation.id, attached=(notes(),))
    await store.conversations.delete((conversation.id,))
    await store.conversations.restore((conversation.id,))
    assert (await store.conversations.open(conversation.id)).attached == (notes(),)


async def test_sending_clears_only_the_draft_of_its_new_chat(store: Store) -> None:
    for key in (ONE, OTHER):
        await store.drafts.save_text(key, text=f"in {key}")
        await store.drafts.save_files(key, attached=(notes(),))
    await send(store, draft_id=ONE)
    (left,) = await store.drafts.new_chats()
    assert (left.id, left.text, left.attached) == (OTHER, "in other", (notes(),))
    await send(store)
    assert len(await store.drafts.new_chats()) == 1


async def test_drafts_of_new_chats_are_sorted_by_change_and_empty_ones_deleted() -> None:
    clock = ManualClock()
    async with await Store.open(MEMORY, clock=clock) as store:
        for key, text in ((ONE, "first"), (OTHER, "second"), (ONE, "first, longer")):
            clock.now += 1
            await store.drafts.save_text(key, text=text)
        assert [draft.text for draft in await store.drafts.new_chats()] == ["first, longer", "second"]
        await store.drafts.save_files(ONE, attached=(notes(),))
        await store.drafts.save_text(ONE, text="")
        await store.drafts.save_text(OTHER, text="")
        assert [draft.id for draft in await store.drafts.new_chats()] == [ONE]
        await store.drafts.save_files(ONE, attached=())
        assert await store.drafts.new_chats() == ()


async def test_a_damaged_file_costs_only_itself(store: Store) -> None:
    conversation = await store.conversations.create(title="t", model_id=None)
    await store.drafts.save_files(conversation.id, attached=(notes(), picture()))
    await store.run(
        lambda: store._database.rows(
            "UPDATE draft_content SET body = substr(body, 1, 40) WHERE body LIKE '%milk%'"
        )
    )
    assert (await store.conversations.open(conversation.id)).attached == (picture(),)


async def test_a_cancelled_message_becomes_the_draft_in_one_commit(store: Store) -> None:
    chat = (await send(store)).summary.id
    message = ChatMessage(role=Role.USER, parts=(notes().part, TextPart(text="And rye?")))
    (waiting,) = await store.queue.add(chat, message=message, model_id=ModelId("m"))
    await store.drafts.save_text(chat, text="typed since")
    await store.drafts.save_files(chat, attached=(picture(),))
    await store.queue.remove(waiting.id)
    opened = await store.conversations.open(chat)
    assert opened.draft == "typed since\n\nAnd rye?"
    assert [each.part for each in opened.attached] == [picture().part, notes().part]


async def test_an_edit_is_restored_until_it_is_sent_or_discarded(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    async with await Store.open(path, clock=time.time) as store:
        turn = await send(store)
        await store.messages.finish(turn.answer)
        await store.drafts.save_edit(turn.question.id, text="hello th")
        await store.drafts.save_edit(turn.question.id, text="hello there")
        await store.drafts.save_edit(turn.answer.id, text="Hi")
        await store.drafts.save_edit(turn.answer.id, text=None)
    async with await Store.open(path, clock=time.time) as store:
        opened = await store.conversations.open(turn.summary.id)
        assert opened.edits == {turn.question.id: "hello there"}
        await store.branches.add_sibling_turn(
            turn.question.id, message=question("hello there"), generation=RECORD
        )
        await store.messages.set_active_leaf(turn.answer.id)
        assert (await store.conversations.open(turn.summary.id)).edits == {}


async def test_the_edit_of_a_queued_message_is_restored_until_it_is_saved(store: Store) -> None:
    chat = (await send(store)).summary.id
    (waiting,) = await store.queue.add(chat, message=question("Two?"), model_id=ModelId("m"))
    await store.queue.save_edit(waiting.id, text="Two or three?")
    assert (await store.conversations.open(chat)).waiting[0].edit == "Two or three?"
    await store.queue.change(waiting.id, message=question("Two or three?"))
    assert (await store.conversations.open(chat)).waiting[0].edit is None


async def test_an_edit_goes_with_its_message(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    async with await Store.open(path, clock=time.time) as store:
        turn = await send(store)
        await store.drafts.save_edit(turn.question.id, text="secret")
        await store.conversations.delete((turn.summary.id,))
    async with await Store.open(path, clock=time.time) as store:
        assert await store.run(lambda: store._database.rows("SELECT * FROM edit_draft")) == []


async def test_unknown_messages_cannot_be_edited(store: Store) -> None:
    for call in (
        store.drafts.save_edit(MessageId(7), text="x"),
        store.queue.save_edit(QueuedMessageId(7), text="x"),
    ):
        with pytest.raises(RecordNotFound):
            await call
    await store.drafts.save_edit(MessageId(7), text=None)
