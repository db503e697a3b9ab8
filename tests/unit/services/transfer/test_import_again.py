"""A conversation that went on elsewhere gets what is new, and what was changed here stays."""

from __future__ import annotations

import copy
import json
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from fakes.foreign_exports import (
    chatgpt_export,
    claude_export,
    jan_export,
    lm_studio_export,
    open_webui_export,
)
from fakes.stores import send
from fakes.transcripts import PNG, asked, said, transcript
from fireside.core.errors import FiresideError
from fireside.core.ids import ConversationId, MessageId
from fireside.core.message import ImagePart, Role, TextPart
from fireside.core.transfer import ImportReport
from fireside.services.transfer.conversation_import import ConversationImport
from fireside.storage.recovery import purge_deleted_messages
from fireside.storage.store import MEMORY, Store
from fireside.storage.transcripts import ConversationTranscript, TranscriptFact, TranscriptMessage


@pytest.fixture
async def store() -> AsyncIterator[Store]:
    async with await Store.open(MEMORY, clock=time.time) as store:
        yield store


async def bring(store: Store, path: Path) -> ImportReport:
    importing = ConversationImport(
        store,
        on_added=lambda _summary: None,
        on_updated=lambda _summary: None,
        on_progress=lambda _n: None,
    )
    return await importing.run([str(path)])


def written(path: Path, document: Any) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(document))
    return path


def jan_written(folder: Path, messages: list[dict[str, Any]]) -> Path:
    written(folder / "thread.json", jan_export()[0])
    (folder / "messages.jsonl").write_text("\n".join(map(json.dumps, messages)))
    return folder


async def shown(store: Store, id_: int = 1) -> list[str]:
    return [
        message.message.text for message in (await store.conversations.open(ConversationId(id_))).messages
    ]


async def all_texts(store: Store, id_: int = 1) -> list[str]:
    return [message.message.text for message in (await store.transcripts.get(ConversationId(id_))).messages]


async def test_a_chat_of_lm_studio_that_went_on_gets_its_new_messages(store: Store, tmp_path: Path) -> None:
    chat = lm_studio_export()
    path = written(tmp_path / "1760000000123.conversation.json", chat)
    await bring(store, path)
    before = await all_texts(store)
    answer = {
        "type": "multiStep",
        "role": "assistant",
        "steps": [{"content": [{"type": "text", "text": "New."}]}],
    }
    chat["messages"].append({"versions": [answer], "currentlySelected": 0})
    report = await bring(store, written(path, chat))
    assert (report.imported, report.updated, report.n_new_messages) == ((), (1,), 1)
    assert await all_texts(store) == [*before, "New."]
    assert (await shown(store))[-1] == "New."
    assert (await bring(store, path)).n_already_there == 1


async def test_a_chat_of_claude_that_went_on_there_and_here_has_both(store: Store, tmp_path: Path) -> None:
    chats = claude_export()[:1]
    path = written(tmp_path / "conversations.json", chats)
    await bring(store, path)
    await send(store, "Mine.", to=ConversationId(1))
    messages = chats[0]["chat_messages"]
    new = copy.deepcopy(messages[-1]) | {"uuid": "a3", "parent_message_uuid": "u3", "sender": "assistant"}
    new["content"][0]["text"] = "Theirs."
    messages.append(new)
    report = await bring(store, written(path, chats))
    assert (report.imported, report.updated, report.n_new_messages) == ((), (1,), 1)
    assert {"Mine.", "Theirs."} <= set(await all_texts(store))
    assert "Mine." in await shown(store)
    assert (await bring(store, path)).n_already_there == 1


async def test_a_chat_of_chatgpt_gets_messages_branches_and_edits(store: Store, tmp_path: Path) -> None:
    chats = chatgpt_export()[1:]
    path = written(tmp_path / "conversations.json", chats)
    await bring(store, path)
    mapping = chats[0]["mapping"]
    other = copy.deepcopy(mapping["q"])
    other |= {"id": "q2", "children": []}
    other["message"]["content"]["parts"] = ["Asked otherwise."]
    mapping["q2"] = other
    mapping["r"]["children"].append("q2")
    mapping["z"]["message"]["content"]["parts"] = ["Longer answer."]
    report = await bring(store, written(path, chats))
    assert (report.updated, report.n_new_messages) == ((1,), 2)
    assert await all_texts(store) == ["MARK-11- two", "Longer answer.", "Asked otherwise."]
    assert await shown(store) == ["MARK-11- two", "Longer answer."]


async def test_a_thread_of_jan_that_went_on_gets_its_new_messages(store: Store, tmp_path: Path) -> None:
    messages = jan_export()[1]
    await bring(store, jan_written(tmp_path / "thread", messages[:1]))
    report = await bring(store, jan_written(tmp_path / "thread", messages))
    assert (report.updated, report.n_new_messages) == ((1,), 2)
    assert [text.split()[0] for text in await shown(store)] == ["MARK-1-", "MARK-3-", "MARK-6-"]


async def test_what_was_changed_here_stays_beside_what_changed_there(store: Store, tmp_path: Path) -> None:
    chats = chatgpt_export()[1:]
    path = written(tmp_path / "conversations.json", chats)
    await bring(store, path)
    store._database.rows("UPDATE message SET parts = ? WHERE id = 2", '[{"type":"text","text":"Mine."}]')
    assert (await bring(store, path)).n_already_there == 1
    chats[0]["mapping"]["z"]["message"]["content"]["parts"] = ["Theirs."]
    report = await bring(store, written(path, chats))
    assert (report.updated, report.n_new_messages) == ((1,), 1)
    assert await all_texts(store) == ["MARK-11- two", "Mine.", "Theirs."]
    assert (await bring(store, path)).n_already_there == 1


@pytest.mark.parametrize("is_purged", [False, True])
async def test_what_was_removed_here_does_not_come_back(
    store: Store, tmp_path: Path, is_purged: bool
) -> None:
    chats = chatgpt_export()[1:]
    path = written(tmp_path / "conversations.json", chats)
    await bring(store, path)
    await store.branches.delete_only(MessageId(2))
    if is_purged:
        purge_deleted_messages(store._database)
    chats[0]["mapping"]["z"]["children"].append("n")
    new = copy.deepcopy(chats[0]["mapping"]["q"]) | {"id": "n", "parent": "z", "children": []}
    new["message"]["content"]["parts"] = ["And more?"]
    chats[0]["mapping"]["n"] = new
    await bring(store, written(path, chats))
    assert await all_texts(store) == ["MARK-11- two", "And more?"]


async def test_the_branch_that_the_user_continued_here_stays_shown(store: Store, tmp_path: Path) -> None:
    chats = chatgpt_export()[1:]
    path = written(tmp_path / "conversations.json", chats)
    await bring(store, path)
    mine = store._database.insert(
        "INSERT INTO message (conversation_id, parent_id, role, parts, state, created_at) "
        "VALUES (1, 2, 'user', ?, 'complete', 5)",
        '[{"type":"text","text":"Mine."}]',
    )
    store._database.rows("UPDATE conversation SET active_leaf = ? WHERE id = 1", mine)
    chats[0]["mapping"]["z"]["children"].append("n")
    new = copy.deepcopy(chats[0]["mapping"]["q"]) | {"id": "n", "parent": "z", "children": []}
    chats[0]["mapping"]["n"], chats[0]["current_node"] = new, "n"
    report = await bring(store, written(path, chats))
    assert report.n_new_messages == 1
    assert (await shown(store))[-1] == "Mine."


async def test_a_damaged_export_replaces_nothing(store: Store, tmp_path: Path) -> None:
    chats = open_webui_export()
    path = written(tmp_path / "chats.json", chats)
    await bring(store, path)
    before = await store.transcripts.get(ConversationId(1))
    for percent in range(10, 100, 10):
        whole = json.dumps(chats)
        path.write_text(whole[: len(whole) * percent // 100])
        with suppress(FiresideError):
            await bring(store, path)
    assert (await store.transcripts.get(ConversationId(1))).messages == before.messages


async def test_an_export_without_its_images_takes_none_away(store: Store) -> None:
    picture = ImagePart(data=PNG, media_type="image/png")
    with_image = transcript(said(picture, "What?", role=Role.USER))
    named = ConversationTranscript(origin="x", title="X", messages=(_named(with_image.messages[0], "a"),))
    await store.transcripts.add(named)
    without = ConversationTranscript(origin="x", title="X", messages=(_named(asked("What? [Image]"), "a"),))
    again = await store.transcripts.add(without)
    assert (again.n_added, again.n_changed) == (0, 0)
    (message,) = (await store.transcripts.get(ConversationId(1))).messages
    assert message.message.parts == (picture, TextPart(text="What?"))


def _named(message: TranscriptMessage, name: str) -> TranscriptMessage:
    return TranscriptMessage(
        parent=message.parent, message=message.message, created_at=message.created_at, name=name
    )


async def test_what_an_earlier_version_imported_is_recognized(store: Store, tmp_path: Path) -> None:
    chats = chatgpt_export()
    path = written(tmp_path / "conversations.json", chats)
    await bring(store, path)
    store._database.rows("DELETE FROM imported_message")
    store._database.rows("UPDATE message SET parts = ? WHERE id = 2", '[{"type":"text","text":"Mine."}]')
    before = await all_texts(store)
    assert (await bring(store, path)).n_already_there == 2
    store._database.rows("DELETE FROM imported_message")
    mapping = chats[0]["mapping"]
    mapping["a2"]["children"].append("n")
    new = copy.deepcopy(mapping["u1"]) | {"id": "n", "parent": "a2", "children": []}
    new["message"]["create_time"] = 1_760_000_500.0
    mapping["n"] = new
    report = await bring(store, written(path, chats))
    assert report.n_new_messages == 1
    assert sorted(await all_texts(store)) == sorted([*before, "MARK-1- question"])


async def test_a_chat_of_ones_own_that_went_on_elsewhere_comes_back_with_it(store: Store) -> None:
    turn = await send(store, "hello")
    store._database.rows("UPDATE message SET state = 'complete'")
    own = await store.transcripts.get(turn.summary.id)
    more = (*own.messages, asked("And then?", parent=len(own.messages) - 1))
    older = ConversationTranscript(
        origin=own.origin, title=own.title, updated_at=own.updated_at, messages=more
    )
    assert (await store.transcripts.add(older)).n_added == 0
    newer = ConversationTranscript(
        origin=own.origin, title=own.title, updated_at=own.updated_at + 9, messages=more
    )
    assert (await store.transcripts.add(newer)).n_added == 1
    assert (await store.transcripts.add(newer)).n_added == 0


async def test_facts_of_a_chat_come_with_their_new_messages_and_a_deleted_one_stays_deleted(
    store: Store,
) -> None:
    chat = transcript(asked("I have a cat."))
    cat = TranscriptFact(text="Has a cat.", message=0)
    await store.transcripts.add(replace(chat, facts=(cat,)))
    (fact,) = await store.facts.all()
    await store.facts.delete(fact.id)
    more = (*chat.messages, asked("And a dog.", parent=0))
    facts = (cat, TranscriptFact(text="Has a dog.", message=1))
    await store.transcripts.add(replace(chat, messages=more, facts=facts))
    assert [each.text for each in await store.facts.all()] == ["Has a dog."]


TREES = st.lists(st.tuples(st.integers(0, 100), st.sampled_from("abc")), min_size=1, max_size=12)


def _tree(choices: list[tuple[int, str]], *, is_named: bool) -> ConversationTranscript:
    messages: list[TranscriptMessage] = []
    for index, (choice, text) in enumerate(choices):
        parent = choice % (index + 1) - 1
        message = asked(text, parent=parent if parent >= 0 else None)
        messages.append(_named(message, f"m{index}") if is_named else message)
    return ConversationTranscript(origin="x", title="X", messages=tuple(messages))


@given(TREES, st.integers(1, 12), st.booleans())
@settings(max_examples=60, deadline=None)
async def test_any_chat_imported_in_two_steps_is_as_if_in_one(
    choices: list[tuple[int, str]], n_first: int, is_named: bool
) -> None:
    async with await Store.open(MEMORY, clock=time.time) as store:
        whole = _tree(choices, is_named=is_named)
        first = _tree(choices[:n_first], is_named=is_named)
        await store.transcripts.add(first)
        added = await store.transcripts.add(whole)
        assert added.n_added == max(0, len(choices) - n_first)
        assert (await store.transcripts.add(whole)).n_added == 0
        found = await store.transcripts.get(ConversationId(1))
        assert [(m.parent, m.message) for m in found.messages] == [
            (m.parent, m.message) for m in whole.messages
        ]
