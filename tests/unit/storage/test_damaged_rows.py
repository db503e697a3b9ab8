"""One damaged row costs one message, never a conversation."""

from __future__ import annotations

import time
from pathlib import Path

import apsw
import pytest
from msgspec.structs import replace

from fakes.stores import answer, send, texts
from fireside.core.chat import MessageState
from fireside.core.message import Role
from fireside.storage.recovery import recover_interrupted
from fireside.storage.store import Store, StoredTurn


async def three_turns(store: Store) -> tuple[StoredTurn, StoredTurn, StoredTurn]:
    first = await send(store, "one")
    second = await send(store, "two", to=first.summary.id)
    return first, second, await send(store, "three", to=first.summary.id)


def write(store: Store, sql: str, *bindings: int) -> None:
    """Write what no method would, as a bad disk does: no foreign keys, no types."""
    connection: apsw.Connection = store._database.connection
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute(sql, bindings)


BAD_JSON = "CAST(x'7b22ff' AS TEXT)"


@pytest.mark.parametrize(
    "assignment",
    [
        "parts = 'not json'",
        "parts = '{}'",
        'parts = \'[{"type":"from the future"}]\'',
        f"parts = {BAD_JSON}",
        "role = 'ghost'",
        "role = CAST(x'ff' AS TEXT)",
        "state = 'odd'",
        "error = '[]'",
    ],
)
async def test_a_message_that_cannot_be_read_is_a_placeholder_in_its_place(
    store: Store, assignment: str
) -> None:
    first, second, _ = await three_turns(store)
    write(store, f"UPDATE message SET {assignment} WHERE id = ?", second.question.id)
    messages = (await store.conversations.open(first.summary.id)).messages
    assert texts(messages) == ["one", "", "", "", "three", ""]
    damaged = messages[2]
    assert (damaged.id, damaged.parent_id) == (second.question.id, first.answer.id)
    assert damaged.state is MessageState.FAILED
    assert damaged.error is not None
    assert damaged.error.code == "message_unreadable"
    assert [message.error for message in messages].count(None) == 5


async def test_a_placeholder_keeps_the_role_if_that_can_be_read(store: Store) -> None:
    turn = await send(store)
    write(store, "UPDATE message SET parts = ''")
    found = await store.messages.path_to(turn.answer.id)
    assert [message.message.role for message in found] == [Role.USER, Role.ASSISTANT]


async def test_a_damaged_generation_record_does_not_cost_the_answer(store: Store) -> None:
    turn = await send(store)
    await store.messages.append_text(turn.answer.id, "text")
    write(store, f"UPDATE generation SET record = {BAD_JSON}, parameters = {BAD_JSON}")
    stored = await store.messages.get(turn.answer.id)
    assert (stored.message.text, stored.generation, stored.error) == ("text", None, None)
    assert await store.messages.run_parameters(turn.answer.id) is None


async def test_damaged_text_shows_what_can_be_read(store: Store) -> None:
    turn = await send(store)
    await store.messages.append_text(turn.answer.id, "text")
    broken = "CAST(x'61ff62' AS TEXT)"
    write(store, f"UPDATE conversation SET title = {broken}, draft = {broken}, overrides = {BAD_JSON}")
    write(store, f"UPDATE chunk SET text = {broken}")
    opened = await store.conversations.open(turn.summary.id)
    assert (opened.summary.title, opened.draft, opened.overrides) == ("a�b", "a�b", {})
    assert texts(opened.messages)[-1] == "a�b"
    assert (await store.conversations.all())[0].title == "a�b"


@pytest.mark.parametrize("parent", ["12345", "id", "6"], ids=["nowhere", "itself", "a later one"])
async def test_a_damaged_link_shows_what_can_still_be_reached(store: Store, parent: str) -> None:
    first, second, _ = await three_turns(store)
    write(store, f"UPDATE message SET parent_id = {parent} WHERE id = ?", second.question.id)
    messages = (await store.conversations.open(first.summary.id)).messages
    assert texts(messages)[-4:] == ["two", "", "three", ""]


@pytest.mark.parametrize("leaf", ["NULL", "12345"])
async def test_without_a_usable_leaf_the_newest_branch_is_shown(store: Store, leaf: str) -> None:
    first, _, _ = await three_turns(store)
    write(store, f"UPDATE conversation SET active_leaf = {leaf}")
    assert len((await store.conversations.open(first.summary.id)).messages) == 6


async def test_recovery_passes_over_a_damaged_answer(store: Store) -> None:
    turn = await send(store)
    await store.messages.append_text(turn.answer.id, "text")
    write(store, f"UPDATE message SET parts = {BAD_JSON} WHERE id = ?", turn.answer.id)
    assert await store.run(lambda: recover_interrupted(store._database)) == 1
    assert (await store.messages.get(turn.answer.id)).message.text == "text"


async def test_a_damaged_page_costs_only_the_messages_on_it(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    long = "long " * 3_000
    async with await Store.open(path, clock=time.time) as store:
        turn = await send(store, "one")
        await store.messages.finish(replace(turn.answer, message=answer(long), state=MessageState.COMPLETE))
        await send(store, "two", to=turn.summary.id)
    contents = bytearray(path.read_bytes())
    # A page in the middle of the long answer: its link to the next page now leads nowhere.
    start = contents.index(b"long long", contents.index(b"long " * 700)) // 4096 * 4096
    contents[start : start + 4] = b"\xff" * 4
    path.write_bytes(contents)
    async with await Store.open(path, clock=time.time) as store:
        messages = (await store.conversations.open(turn.summary.id)).messages
        assert texts(messages) == ["one", "", "two", ""]
        assert messages[1].error is not None
        assert messages[1].error.code == "message_unreadable"
