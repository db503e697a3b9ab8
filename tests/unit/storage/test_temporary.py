"""Temporary chats: in memory behind the same repositories, never in the file, gone once closed."""

from __future__ import annotations

import inspect
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from fakes.stores import send
from fireside.core.attachment import Attachment
from fireside.core.chat import ConversationSummary, MessageState, StoredMessage
from fireside.core.errors import RecordNotFound
from fireside.core.ids import FIRST_TEMPORARY, ConversationId, MessageId, ModelId, is_temporary
from fireside.core.message import DocumentPart, Role, text_message
from fireside.storage.database import Repository
from fireside.storage.store import Store

MODEL = ModelId("m")
ID = FIRST_TEMPORARY + 7
NAMES = ("ConversationId", "MessageId", "QueuedMessageId", "SummaryId", "DraftKey", "StoredMessage")


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    async with await Store.open(tmp_path / "fireside.db", clock=time.time) as opened:
        yield opened


def files_with(text: str, folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if text.encode() in path.read_bytes()]


async def fill(store: Store, summary: ConversationSummary, word: str) -> MessageId:
    """Put a text wherever a chat can hold one, and return the question's id."""
    turn = await send(store, f"question {word}", to=summary.id)
    await store.messages.append_text(turn.answer.id, f"answer {word}")
    await store.queue.add(summary.id, message=text_message(Role.USER, f"later {word}"), model_id=MODEL)
    await store.drafts.save_text(summary.id, text=f"draft {word}")
    document = DocumentPart(name=f"{word}.txt", media_type="text/plain", text=word)
    await store.drafts.save_files(summary.id, attached=[Attachment(part=document, size_bytes=1)])
    await store.drafts.save_edit(turn.question.id, text=f"edit {word}")
    note = await store.summaries.put(turn.answer.id, text=f"summary {word}", n_messages=1, model_name="m")
    await store.summaries.edit(note.id, text=f"summary, edited {word}")
    await store.conversations.set_override(summary.id, key="chat.system_prompt", value=f"prompt {word}")
    await store.conversations.rename(summary.id, title=f"title {word}")
    return turn.question.id


@pytest.mark.anyio
async def test_a_temporary_chat_is_not_in_the_file(store: Store, tmp_path: Path) -> None:
    usual = await store.conversations.create(title="", model_id=None)
    await fill(store, usual, "zwirbel")
    temporary = await store.begin_temporary(title="", model_id=MODEL)
    await fill(store, temporary.summary, "kobold")
    assert files_with("zwirbel", tmp_path)
    assert not files_with("kobold", tmp_path)
    opened = await store.conversations.open(temporary.summary.id)
    texts = (opened.draft, opened.summary.title, opened.messages[0].message.text, *opened.edits.values())
    assert [text for text in texts if "kobold" not in text] == []
    assert [each.name for each in opened.attached] == ["kobold.txt"]
    assert len(opened.waiting) == 1
    assert [each.id for each in await store.conversations.all()] == [usual.id]


@pytest.mark.anyio
async def test_a_closed_one_is_gone_and_its_ids_reach_no_other(store: Store) -> None:
    temporary = await store.begin_temporary(title="", model_id=None)
    question = await fill(store, temporary.summary, "kobold")
    other = await store.begin_temporary(title="", model_id=None)
    await store.close_temporary(temporary.summary.id)
    for reading in (store.conversations.open(temporary.summary.id), store.messages.get(question)):
        with pytest.raises(RecordNotFound):
            await reading
    assert store._temporary is not None
    tables = ("message", "draft_content", "waiting_message", "context_summary", "edit_draft")
    assert [store._temporary.rows(f"SELECT * FROM {table}") for table in tables] == [[]] * len(tables)
    assert (await store.conversations.open(other.summary.id)).messages == ()
    assert (await store.begin_temporary(title="", model_id=None)).summary.id > other.summary.id


def methods_with_ids() -> list[object]:
    """Every method of a repository with a parameter that names a chat, or something in one."""
    return [
        pytest.param(kind, name, parameter, id=f"{kind.__name__}.{method}")
        for kind in Repository.__subclasses__()
        if kind is not Store
        for method, function in inspect.getmembers(kind, inspect.iscoroutinefunction)
        for name, parameter in inspect.signature(function).parameters.items()
        if any(each in str(parameter.annotation) for each in NAMES)
    ]


@pytest.mark.parametrize(("kind", "name", "parameter"), methods_with_ids())
def test_each_argument_that_names_one_is_understood(
    kind: type[Repository], name: str, parameter: inspect.Parameter
) -> None:
    annotation = str(parameter.annotation)
    example: object = ConversationId(ID)
    if "StoredMessage" in annotation:
        example = StoredMessage(
            id=MessageId(ID),
            conversation_id=ConversationId(ID),
            parent_id=None,
            message=text_message(Role.USER, ""),
            state=MessageState.COMPLETE,
            created_at=0.0,
        )
    elif "Sequence" in annotation:
        example = [ConversationId(ID)]
    without_twin = kind.__new__(kind)
    without_twin._twin = None
    without_twin._database = type("File", (), {"first_id": 0})()
    with pytest.raises(RecordNotFound):
        without_twin.serving((example,))
    assert without_twin.serving((ConversationId(7), "text", None, 1.5, True)) is without_twin


def test_ids_of_files_are_none_of_temporary_chats() -> None:
    assert [is_temporary(each) for each in (None, 1, FIRST_TEMPORARY, FIRST_TEMPORARY + 1, "draft")] == [
        *([False] * 3),
        True,
        False,
    ]
