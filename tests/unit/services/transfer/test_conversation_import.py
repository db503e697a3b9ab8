"""Files of Fireside and other programs are imported completely and once; hostile ones are refused."""

from __future__ import annotations

import json
import time
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.raised import refuses
from fakes.transcripts import (
    PNG,
    archive,
    chatgpt_conversation,
    everything,
    jan_thread,
    lm_studio_conversation,
    open_webui_chat,
)
from fireside.core.facts import FACT_CHARACTERS
from fireside.core.message import ImagePart, ReasoningPart, Role, TextPart
from fireside.core.transfer import ImportReport
from fireside.services.transfer import import_sources
from fireside.services.transfer.conversation_import import ConversationImport, contains_conversations
from fireside.services.transfer.fireside_archive import check_transcript
from fireside.services.transfer.format_detection import FoundConversation, find_conversations
from fireside.services.transfer.import_refusal import ImportRefused
from fireside.services.transfer.message_trees import Node, order_messages
from fireside.storage.store import MEMORY, Store
from fireside.storage.transcripts import ConversationTranscript


async def bring(store: Store, *paths: Path) -> ImportReport:
    importing = ConversationImport(
        store,
        on_added=lambda _summary: None,
        on_updated=lambda _summary: None,
        on_progress=lambda _n: None,
    )
    return await importing.run([str(path) for path in paths])


async def brought(path: Path) -> ConversationTranscript:
    """Import one conversation into an empty database and return it."""
    async with await Store.open(MEMORY, clock=time.time) as store:
        report = await bring(store, path)
        assert report.skipped == ()
        (added,) = report.imported
        return await store.transcripts.get(added)


def written(path: Path, document: Any) -> Path:
    path.write_bytes(document if isinstance(document, bytes) else json.dumps(document).encode())
    return path


def outline(transcript: ConversationTranscript) -> list[tuple[str, str, int | None]]:
    return [(str(m.message.role), m.message.text, m.parent) for m in transcript.messages]


# Our own


async def test_an_archive_round_trips_without_loss(tmp_path: Path) -> None:
    assert await brought(written(tmp_path / "x.json", archive(everything()))) == everything()


async def test_importing_a_file_twice_adds_nothing(store: Store, tmp_path: Path) -> None:
    path = written(tmp_path / "x.json", archive(everything()))
    await bring(store, path)
    assert await bring(store, path) == ImportReport(n_already_there=1)
    assert len(await store.conversations.all()) == 1


async def test_facts_of_a_chat_come_with_it_bounded_and_open_their_message(
    store: Store, tmp_path: Path
) -> None:
    document: Any = archive(everything())
    facts = document["conversations"][0]["facts"]
    facts += [{"text": text} for text in ("x" * 301, "two\nlines", *(f"{n}{'y' * 290}" for n in range(20)))]
    (chat,) = (await bring(store, written(tmp_path / "x.json", document))).imported
    cat, answers, lines, *others = await store.facts.all()
    assert (cat.text, cat.place.chat_id, cat.conversation_id) == ("Calls the cat Minka.", chat, chat)
    opened = await store.conversations.open(chat)
    assert cat.message_id in {each.id for each in opened.messages}
    assert (answers.message_id, lines.text) == (None, "two lines")
    assert sum(len(each.text) for each in (cat, answers, lines, *others)) <= FACT_CHARACTERS
    assert {len(each.text) for each in others} == {291}


async def test_a_bad_conversation_affects_no_other(tmp_path: Path) -> None:
    document = archive(everything(), everything(), everything())
    conversations: Any = document["conversations"]
    conversations[0]["messages"][1]["parent"] = 4
    conversations[1]["messages"][0]["message"]["role"] = "ghost"
    async with await Store.open(MEMORY, clock=time.time) as store:
        report = await bring(store, written(tmp_path / "x.json", document))
    assert (len(report.imported), report.n_skipped) == (1, 2)
    assert "does not stand before it" in report.skipped[0].reason


@pytest.mark.parametrize(
    "change",
    [
        {"active": 99},
        {"active": -1},
        {"created_at": 1e300},
        {"created_at": -5.0},
        {"origin": ""},
        {"title": 7},
        {"messages": [{"parent": 0, "message": {"role": "user", "parts": []}}]},
        {"messages": [{"parent": -1, "message": {"role": "user", "parts": []}}]},
        {"messages": []},
        {"facts": [{"text": "Has a cat.", "message": 99}]},
        {"facts": [{"text": "Has a cat.", "created_at": 1e300}]},
    ],
)
async def test_inconsistent_transcripts_are_refused(
    store: Store, change: dict[str, Any], tmp_path: Path
) -> None:
    document: Any = archive(everything())
    document["conversations"][0] |= change
    with refuses("import_unreadable"):
        await bring(store, written(tmp_path / "x.json", document))
    assert await store.conversations.all() == ()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b"[]",
        b"[1, 2]",
        b"no json",
        b"\xff\xfe\x00",
        b"[" * 200_000,
        b'{"format": "fireside-conversations", "version": 1',
        b'{"format": "fireside-conversations", "version": 99, "conversations": []}',
        b'{"format": "fireside-conversations", "version": "1", "conversations": []}',
        b'{"format": "fireside-conversations", "version": 1, "conversations": [' + b"[" * 100_000,
        b'{"chat": ' + b'{"a":' * 50_000,
    ],
)
async def test_a_file_of_another_format_is_refused(store: Store, content: bytes, tmp_path: Path) -> None:
    with refuses("import_unreadable"):
        await bring(store, written(tmp_path / "x.json", content))


@given(st.data())
def test_a_damaged_file_is_read_or_refused_and_nothing_else(data: st.DataObject) -> None:
    whole = json.dumps(
        data.draw(st.sampled_from([archive(everything()), [chatgpt_conversation()], [open_webui_chat()]]))
    ).encode()
    at = data.draw(st.integers(0, len(whole) - 1))
    broken = whole[:at] + data.draw(st.binary(max_size=3)) + whole[at + data.draw(st.integers(0, 4)) :]

    class One:
        def names(self) -> tuple[str, ...]:
            return ("x.json",)

        def read(self, name: str) -> bytes:
            return broken

    for found in find_conversations(One()):
        if not isinstance(found, FoundConversation):
            continue
        with suppress(ImportRefused):
            check_transcript(found.read(lambda _: None))


# ChatGPT


async def test_chatgpt_keeps_its_branches_and_hides_what_was_hidden(tmp_path: Path) -> None:
    found = await brought(written(tmp_path / "conversations.json", [chatgpt_conversation()]))
    assert outline(found) == [
        ("user", "Why is the sky blue?", None),
        ("assistant", "First answer.", 0),
        ("assistant", "Second answer.", 0),
        ("user", "What is this?\n\n[Image not included in export]", 2),
        ("assistant", "````python\nprint(1)\n````\n\n````\n1\n````\n\nIt prints 1.", 3),
    ]
    assert (found.active, found.title, found.is_pinned, found.origin) == (4, "Sky", True, "chatgpt:aaaa-bbbb")


async def test_chatgpts_reasoning_tools_and_models_are_imported(tmp_path: Path) -> None:
    found = await brought(written(tmp_path / "conversations.json", [chatgpt_conversation()]))
    second = found.messages[2]
    assert second.message.parts == (ReasoningPart(text="Light scatters."), TextPart(text="Second answer."))
    assert second.generation is not None
    assert second.generation.model_name == "gpt-x"


async def test_a_trailing_tool_result_of_chatgpt_is_an_answer(tmp_path: Path) -> None:
    chat = chatgpt_conversation()
    del chat["mapping"]["a2"]
    chat["mapping"]["tool"]["children"] = []
    found = await brought(written(tmp_path / "conversations.json", [chat]))
    assert outline(found)[-1] == ("assistant", "````python\nprint(1)\n````\n\n````\n1\n````", 3)


async def test_chatgpts_citation_marks_become_links_or_are_removed(tmp_path: Path) -> None:
    chat = chatgpt_conversation()
    answer = chat["mapping"]["a2"]["message"]
    known = "\ue200cite\ue202turn0search1\ue201"
    answer["content"]["parts"] = [
        f"One {known}. Two \ue200cite\ue202turn0search2\ue201. Three 【11†source】."
    ]
    link = "([Tides](https://tides.example))"
    answer["metadata"] = {"content_references": [{"matched_text": known, "alt": link}, 7, {"alt": None}]}
    found = await brought(written(tmp_path / "conversations.json", [chat]))
    assert found.messages[-1].message.text.endswith(f"One {link}. Two. Three.")


async def test_images_of_a_chatgpt_zip_are_imported(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as made:
        made.writestr("conversations.json", json.dumps([chatgpt_conversation()]))
        made.writestr("user.json", "{}")
        made.writestr("file-abc123-cat.png", PNG)
    found = await brought(tmp_path / "export.zip")
    pictures = [part for part in found.messages[3].message.parts if isinstance(part, ImagePart)]
    assert pictures == [ImagePart(data=PNG, media_type="image/png")]


# Open WebUI, LM Studio, Jan


async def test_open_webui_keeps_its_branches(tmp_path: Path) -> None:
    found = await brought(written(tmp_path / "chats.json", [open_webui_chat()]))
    assert [(role, parent) for role, _, parent in outline(found)] == [
        ("user", None),
        ("assistant", 0),
        ("assistant", 0),
    ]
    assert found.active == 2
    assert found.messages[2].message.parts == (ReasoningPart(text="a < b"), TextPart(text="Because."))
    assert found.overrides == {"chat.system_prompt": "Be brief."}
    assert isinstance(found.messages[0].message.parts[1], ImagePart)


@pytest.mark.parametrize("place", ["params", "message"])
async def test_the_system_prompt_of_open_webui_is_the_chats(tmp_path: Path, place: str) -> None:
    entry = open_webui_chat()
    chat = entry["chat"]
    del chat["system"]
    if place == "params":
        chat["params"] = {"system": "Be kind.", "temperature": 0.2}
    else:
        chat["history"]["messages"]["m0"] = {"role": "system", "content": "Be kind.", "childrenIds": ["m1"]}
        chat["history"]["messages"]["m1"]["parentId"] = "m0"
    found = await brought(written(tmp_path / "chats.json", [entry]))
    assert found.overrides == {"chat.system_prompt": "Be kind."}
    assert [role for role, _, _ in outline(found)] == ["user", "assistant", "assistant"]


async def test_versions_of_lm_studio_become_branches(tmp_path: Path) -> None:
    path = written(tmp_path / "1700000000123.conversation.json", lm_studio_conversation())
    found = await brought(path)
    assert outline(found) == [
        ("user", "How?", None),
        ("assistant", "So.", 0),
        ("assistant", "Like this.", 0),
        ("user", "Thanks", 2),
    ]
    assert found.messages[2].message.reasoning == "Let me see"
    assert (found.active, found.origin) == (3, "lm-studio:1700000000123")


async def test_a_thread_of_jan_is_read_from_its_folder_and_from_its_file(tmp_path: Path) -> None:
    folder = tmp_path / "threads" / "jan_1"
    folder.mkdir(parents=True)
    thread, messages = jan_thread()
    written(folder / "thread.json", thread)
    written(folder / "messages.jsonl", messages)
    for path in (tmp_path / "threads", folder, folder / "thread.json"):
        found = await brought(path)
        assert outline(found) == [("user", "Which tea?", None), ("assistant", "Green.", 0)]
        assert found.messages[1].message.reasoning == "Green?"
        assert found.created_at == 1_700_000_000.0


# Archives and folders


async def test_a_zip_bomb_is_not_unpacked(store: Store, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("conversations.json", b"[" + b" " * (64 << 20))
    with refuses("import_unreadable", match="would be"):
        await bring(store, tmp_path / "bomb.zip")


async def test_a_file_beyond_the_bound_is_refused(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_sources, "MAX_DOCUMENT_BYTES", 100)
    with refuses("import_unreadable", match="larger than"):
        await bring(store, written(tmp_path / "x.json", archive(everything())))


def test_only_files_with_conversations_are_recognized(tmp_path: Path) -> None:
    assert contains_conversations(written(tmp_path / "a.json", [open_webui_chat()]))
    assert not contains_conversations(written(tmp_path / "b.json", {"name": "package"}))
    assert not contains_conversations(tmp_path / "nothing.json")


# Trees


def node(name: str, parent: str | None, *, empty: bool = False) -> Node:
    return Node(name=name, parent=parent, role=Role.USER, parts=() if empty else (TextPart(text=name),))


def test_a_cycle_is_cut_and_loses_no_message() -> None:
    messages, _ = order_messages([node("a", "b"), node("b", "a"), node("c", "c")], active=None)
    assert sorted(m.message.text for m in messages) == ["a", "b", "c"]
    assert all(m.parent is None or m.parent < place for place, m in enumerate(messages))


def test_what_follows_an_empty_message_follows_the_one_before_it() -> None:
    nodes = [node("a", None), node("x", "a", empty=True), node("y", "x", empty=True), node("b", "y")]
    messages, active = order_messages(nodes, active="y")
    assert [(m.message.text, m.parent) for m in messages] == [("a", None), ("b", 0)]
    assert active == 0


def test_a_branch_of_many_messages_needs_no_deep_stack() -> None:
    nodes = [node(str(n), str(n - 1) if n else None) for n in range(20_000)]
    messages, _ = order_messages(reversed(nodes), active=None)
    assert [m.parent for m in messages[:3]] == [None, 0, 1]
    assert len(messages) == 20_000
