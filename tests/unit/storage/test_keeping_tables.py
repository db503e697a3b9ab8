"""The third migration: hidden messages, queued messages, titles."""

from __future__ import annotations

import time
from pathlib import Path

import apsw

from fakes.stores import send
from fireside.core.chat import TitleSource
from fireside.core.ids import ConversationId, MessageId
from fireside.storage.migrations import load_migrations
from fireside.storage.store import Store


def wait_for_sending(store: Store, conversation_id: ConversationId) -> None:
    store._database.rows(
        "INSERT INTO waiting_message (conversation_id, position, parts, model_id, created_at) "
        "VALUES (?, 0, '[]', 'm', 0)",
        conversation_id,
    )


def hide(store: Store, message_id: MessageId) -> None:
    store._database.rows("UPDATE message SET deleted_at = 1.0 WHERE id = ?", message_id)


async def test_queued_messages_are_purged_with_their_conversation(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    async with await Store.open(path, clock=time.time) as store:
        turn = await send(store)
        wait_for_sending(store, turn.summary.id)
        await store.conversations.delete((turn.summary.id,))
    async with await Store.open(path, clock=time.time) as store:
        assert store._database.rows("SELECT * FROM waiting_message") == []


async def test_a_deleted_message_is_removed_and_what_followed_it_moves_up(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    async with await Store.open(path, clock=time.time) as store:
        first = await send(store, "one")
        second = await send(store, "two", to=first.summary.id)
        hide(store, first.answer.id)
        hide(store, second.question.id)
    async with await Store.open(path, clock=time.time) as store:
        opened = await store.conversations.open(first.summary.id)
        assert [message.id for message in opened.messages] == [first.question.id, second.answer.id]


async def test_where_the_end_was_deleted_the_branch_ends_before_it(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    async with await Store.open(path, clock=time.time) as store:
        turn = await send(store, "one")
        other = await store.messages.add(
            turn.summary.id, parent_id=turn.question.id, message=turn.answer.message
        )
        hide(store, other.id)
    async with await Store.open(path, clock=time.time) as store:
        opened = await store.conversations.open(turn.summary.id)
        assert [message.id for message in opened.messages] == [turn.question.id]


async def test_a_folder_that_goes_leaves_its_conversations(store: Store) -> None:
    turn = await send(store)
    store._database.rows("INSERT INTO folder (id, name, position, created_at) VALUES (5, 'Work', 0, 0)")
    store._database.rows("UPDATE conversation SET folder_id = 5")
    store._database.rows("DELETE FROM folder")
    (line,) = await store.conversations.all()
    assert (line.id, line.folder_id) == (turn.summary.id, None)


async def test_titles_of_before_are_taken_for_the_users(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    old = apsw.Connection(str(path))
    for migration in load_migrations()[:2]:
        old.execute(migration.sql).fetchall()
    old.execute("PRAGMA application_id = 0x46697265; PRAGMA user_version = 2").fetchall()
    old.execute(
        "INSERT INTO conversation (title, created_at, updated_at) VALUES ('My own', 1.0, 1.0)"
    ).fetchall()
    old.close()
    async with await Store.open(path, clock=time.time) as store:
        (line,) = await store.conversations.all()
        assert line.title_by is TitleSource.USER


async def test_a_models_title_replaces_the_first_one_but_never_the_users(store: Store) -> None:
    conversation = await store.conversations.create(title="so it", model_id=None)
    assert conversation.title_by is TitleSource.START
    by_model = await store.conversations.rename(conversation.id, title="Begins", by=TitleSource.MODEL)
    assert (by_model.title, by_model.title_by) == ("Begins", TitleSource.MODEL)
    await store.conversations.rename(conversation.id, title="Mine")
    kept = await store.conversations.rename(conversation.id, title="Better", by=TitleSource.MODEL)
    assert (kept.title, kept.title_by) == ("Mine", TitleSource.USER)
