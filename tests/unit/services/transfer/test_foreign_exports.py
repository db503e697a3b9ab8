"""Exports of other programs are read as far as they can be read, and what cannot is named."""

from __future__ import annotations

import copy
import json
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fakes.foreign_exports import (
    MARK,
    chatgpt_export,
    claude_export,
    jan_export,
    lm_studio_export,
    open_webui_export,
)
from fakes.transcripts import archive, everything
from fireside.core.message import (
    ChatMessage,
    DocumentPart,
    ImagePart,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from fireside.core.transfer import ImportReport
from fireside.services.transfer.conversation_import import ConversationImport
from fireside.services.transfer.fireside_archive import check_transcript
from fireside.services.transfer.format_detection import FoundProject, find_conversations
from fireside.services.transfer.import_refusal import ImportRefused
from fireside.services.transfer.message_parts import split_reasoning
from fireside.storage.store import MEMORY, Store
from fireside.storage.transcripts import ConversationTranscript


class Files:
    """Files of an export, in memory."""

    def __init__(self, **files: bytes) -> None:
        self.files = {name.replace("__", "."): content for name, content in files.items()}

    def names(self) -> tuple[str, ...]:
        return tuple(self.files)

    def read(self, name: str) -> bytes:
        try:
            return self.files[name]
        except KeyError:
            raise ImportRefused("it is not there.") from None


def encoded(document: Any) -> bytes:
    return json.dumps(document).encode()


def jan_files(thread: Any, messages: Sequence[Any]) -> Files:
    return Files(thread__json=encoded(thread), messages__jsonl=b"\n".join(map(encoded, messages)))


def read(files: Files) -> tuple[list[ConversationTranscript], list[str], list[str]]:
    """Return the conversations, the places of what was left out, and why others were refused."""
    found, dropped, refused = [], list[str](), []
    for each in find_conversations(files):
        try:
            if isinstance(each, ImportRefused):
                raise each
            if isinstance(each, FoundProject):
                dropped += each.dropped
                continue
            transcript = each.read(dropped.append)
            check_transcript(transcript)
            found.append(transcript)
        except ImportRefused as refusal:
            refused.append(refusal.reason)
    return found, dropped, refused


def marks_of(value: Any) -> list[str]:
    text = value if isinstance(value, str) else json.dumps(value)
    return sorted(set(MARK.findall(text)))


def read_marks(transcripts: Sequence[ConversationTranscript]) -> list[str]:
    return marks_of(msgspec.json.encode([each.messages for each in transcripts]).decode())


WHOLE: dict[str, tuple[Callable[[], Any], Callable[[Any], Files]]] = {
    "ChatGPT": (chatgpt_export, lambda value: Files(conversations__json=encoded(value))),
    "Claude": (claude_export, lambda value: Files(conversations__json=encoded(value))),
    "Open WebUI": (open_webui_export, lambda value: Files(chats__json=encoded(value))),
    "LM Studio": (lm_studio_export, lambda value: Files(chat__json=encoded(value))),
    "Jan": (jan_export, lambda value: jan_files(*value)),
}


@pytest.mark.parametrize("program", WHOLE)
def test_a_whole_export_is_read_without_a_remark(program: str) -> None:
    make, files = WHOLE[program]
    found, dropped, refused = read(files(make()))
    assert (read_marks(found), dropped, refused) == (marks_of(make()), [], [])


# What is in each of them


def test_voice_and_files_of_chatgpt_are_called_what_they_are() -> None:
    (first, second), _, _ = read(WHOLE["ChatGPT"][1](chatgpt_export()))
    said = [message.message.text for message in first.messages]
    assert said[:2] == ["MARK-1- question", "MARK-2- spoken\n\n[Audio not imported]"]
    assert said[3] == "MARK-5- second\n\n[File not included in export: plan.pdf]"
    assert first.messages[2].message.parts[0] == ReasoningPart(text="MARK-3- thought")
    assert "Refused\n\nMARK-8- error" in said[4]
    assert "A https://a.example" in said[4]
    assert said[4].endswith("MARK-9- last")
    assert said[5] == "MARK-10- other branch"
    assert (first.active, len(first.messages), len(second.messages)) == (4, 6, 2)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ({"name": "Plan", "type": "document", "content": "# One\n- two"}, "**Plan**\n\n# One\n- two"),
        ({"name": "Tool", "type": "code/python", "content": "x = 1"}, "**Tool**\n\n````python\nx = 1\n````"),
        ({"updates": [{"pattern": ".*"}]}, '````\n{"updates": [{"pattern": ".*"}]}\n````'),
    ],
)
def test_a_canvas_of_chatgpt_is_the_document_that_it_holds(call: dict[str, Any], expected: str) -> None:
    chat = chatgpt_export()[1]
    message = chat["mapping"]["z"]["message"]
    message["recipient"], message["content"]["parts"] = "canmore.create_textdoc", [json.dumps(call)]
    chat["mapping"]["z"]["children"] = ["y"]
    done = copy.deepcopy(chat["mapping"]["z"]) | {"id": "y", "parent": "z", "children": []}
    done["message"]["recipient"], done["message"]["content"]["parts"] = "all", ["Written."]
    chat["mapping"]["y"] = done
    (found,), _, _ = read(Files(a__json=encoded([chat])))
    assert found.messages[-1].message.text == f"{expected}\n\nWritten."


def test_documents_tools_and_artifacts_of_claude_are_what_they_were() -> None:
    (first, second), _, _ = read(WHOLE["Claude"][1](claude_export()))
    question, answer, other, last = (message.message for message in first.messages)
    pasted, plan = question.attached
    assert isinstance(pasted, DocumentPart)
    assert isinstance(plan, DocumentPart)
    assert (pasted.name, pasted.text) == ("Pasted text", "MARK-2- pasted")
    assert (plan.name, plan.text) == ("plan.pdf", "MARK-3- plan")
    assert question.text == "MARK-1- question\n\n[Image not included in export]"
    assert answer.parts == (
        ReasoningPart(text="MARK-4- thought"),
        ToolCallPart(id="toolu_01", name="web_search", arguments='{"query":"MARK-5- tea"}'),
        ToolResultPart(call_id="toolu_01", name="web_search", text="MARK-6- found"),
        TextPart(text="**A page**\n\n````html\n<p>MARK-7- page</p>\n````"),
        TextPart(text="\n\n**page**\n\n````diff\n-<p>\n+<p lang=en> MARK-8- new\n````"),
        TextPart(text="\n\nMARK-9- answer"),
    )
    assert [message.parent for message in first.messages] == [None, 0, 1, 1]
    assert (other.text, last.text, first.active) == ("MARK-10- edited away", "MARK-11- second", 3)
    assert first.created_at == 1_774_767_994.084721
    assert second.messages[1].parent == 0
    assert second.messages[1].message.text == (
        "MARK-13- Here:\n\n**Fib**\n\n````python\nprint('MARK-14-')\n````\n\nMARK-15- after"
    )


def test_what_else_an_export_of_claude_has_is_named() -> None:
    projects = [
        {"uuid": "p", "name": "Garden", "prompt_template": "Be brief.", "docs": [{"filename": "a.md"}]},
        {"uuid": "s", "name": "How to", "is_starter_project": True, "prompt_template": "x", "docs": [1]},
        {"uuid": "e", "name": "Empty", "prompt_template": "", "docs": []},
    ]
    files = Files(
        conversations__json=encoded(claude_export()),
        projects__json=encoded(projects),
        memories__json=encoded([{"conversations_memory": "Likes tea.", "account_uuid": "me"}]),
        users__json=encoded([{"uuid": "me", "full_name": "A"}]),
    )
    found, dropped, refused = read(files)
    assert (len(found), dropped) == (2, ["Garden: docs[0]"])
    assert refused == ["what Claude remembers of you stays in the export."]


def test_tool_calls_and_all_reasoning_of_open_webui_are_parts() -> None:
    (chat,), _, _ = read(WHOLE["Open WebUI"][1](open_webui_export()))
    question, answer, parts, last = (message.message for message in chat.messages)
    assert [type(part) for part in question.parts] == [TextPart, ImagePart, TextPart]
    assert question.text == "MARK-1- question\n\n[Audio not imported]"
    assert answer.parts == (
        ReasoningPart(text="MARK-2- first\nthought </details>"),
        TextPart(text="MARK-3- between"),
        ToolCallPart(id="call_1", name="search", arguments='{"query":"MARK-4- tea"}'),
        ToolResultPart(call_id="call_1", name="search", text="MARK-5- found"),
        ReasoningPart(text="MARK-6- second"),
        TextPart(text="```python\nprint('MARK-7- code')\n```\n\n````\nMARK-8- out\n````"),
        TextPart(text="\n\nMARK-9- so"),
    )
    assert parts.text == "MARK-10- parts"
    assert last.parts == (
        ReasoningPart(text="MARK-11- hm"),
        ToolCallPart(id="c2", name="look", arguments='{"at":"MARK-12- door"}'),
        ToolResultPart(call_id="c2", name="look", text="MARK-13- cat"),
        TextPart(text="MARK-14- a cat"),
    )
    assert (chat.folder, chat.overrides) == ("Open WebUI folder 9f3c", {"chat.system_prompt": "Be brief."})


@pytest.mark.parametrize(
    ("change", "folder"),
    [
        ({"meta": {"tags": ["none"]}}, "Open WebUI folder 9f3c"),
        ({"meta": {"tags": ["tea", "pot"]}}, "Open WebUI folder 9f3c"),
        ({"folder_id": None}, "hot drinks"),
        ({"folder": {"id": "9f3c21", "name": "Kitchen"}}, "Kitchen"),
        ({"meta": None, "folder_id": None}, None),
    ],
)
def test_a_folder_of_open_webui_is_kept(change: dict[str, Any], folder: str | None) -> None:
    (chat,), _, _ = read(Files(a__json=encoded([open_webui_export()[0] | change])))
    assert chat.folder == folder


DETAILS = '<details type="reasoning" done="true">\n<summary>Thought</summary>\n> IN CODE\n</details>'


@pytest.mark.parametrize(
    "answer",
    [
        f"So:\n\n```html\n{DETAILS}\n```\n\nAfter",
        f"So:\n\n~~~~\n```\n{DETAILS}\n~~~~\nAfter",
        f"1. So:\n\n   ```html\n   {DETAILS}\n   ```\n\nAfter",
        f"- ```html\n  {DETAILS}\n  ```\n\nAfter",
        f"So:\n\n    {DETAILS}",
        f"Not closed:\n```html\n{DETAILS}\n",
        'Write `<details type="reasoning">IN CODE</details>` so.',
        '`<details type="tool_calls">IN CODE</details>` is one',
    ],
)
def test_the_details_of_open_webui_within_code_are_text(answer: str) -> None:
    (chat,), dropped, _ = read(open_webui_answer(content=answer))
    assert (chat.messages[1].message.parts, dropped) == ((TextPart(text=answer),), [])


def test_the_details_of_open_webui_around_and_after_code_are_parts() -> None:
    real = DETAILS.replace("IN CODE", "thought")
    (chat,), _, _ = read(open_webui_answer(content=f"{real}\n```html\n{DETAILS}\n```\n{real}\nEnd"))
    assert chat.messages[1].message.parts == (
        ReasoningPart(text="thought"),
        TextPart(text=f"```html\n{DETAILS}\n```"),
        ReasoningPart(text="thought"),
        TextPart(text="End"),
    )


def open_webui_answer(**fields: Any) -> Files:
    """Return a chat of Open WebUI whose first answer has these fields."""
    entries = open_webui_export()
    entries[0]["chat"]["history"]["messages"]["m2"] |= fields
    return WHOLE["Open WebUI"][1](entries)


@pytest.mark.parametrize(
    ("error", "text", "places"),
    [
        ({"content": "Overloaded"}, "Overloaded", []),
        ("Overloaded", "Overloaded", []),
        ({"detail": {"message": "The model is overloaded."}}, "The model is overloaded.", []),
        ({"code": 5}, "", ["m2.error"]),
        (True, "", []),
    ],
)
def test_the_error_of_an_answer_of_open_webui_is_its_text(error: Any, text: str, places: list[str]) -> None:
    (chat,), dropped, _ = read(open_webui_answer(content="", error=error))
    said = [message.message.text for message in chat.messages]
    assert (said[1] if text else "", dropped) == (text, places)
    (chat,), _, _ = read(open_webui_answer(content="So far", error=error))
    assert chat.messages[1].message.text == "\n\n".join(filter(None, ("So far", text)))


def test_the_sources_of_an_answer_of_open_webui_are_listed_as_they_are_numbered() -> None:
    page, other = {"source": "https://a.example/x", "title": "A [page]"}, {"source": "https://b.example"}
    sources = [
        {"source": {"name": "web search"}, "document": ["x", "y", "z"], "metadata": [page, other, page]},
        {"source": {"id": "f1", "name": "plan.pdf"}, "document": ["p"], "metadata": [{"name": "plan.pdf"}]},
        {"source": {"name": "notes", "url": "javascript:x"}},
        {},
    ]
    (chat,), dropped, _ = read(open_webui_answer(content="So [1].", sources=sources))
    assert (chat.messages[1].message.text, dropped) == (
        "So [1].\n\n**Sources**\n\n1. [A \\[page\\]](<https://a.example/x>)\n"
        "2. [web search](<https://b.example>)\n3. plan.pdf\n4. notes",
        [],
    )
    _, dropped, _ = read(open_webui_answer(content="So.", sources=[5, {"document": ["x"]}]))
    assert dropped == ["m2.sources"]


PLACE = "mapping.z.message.content"


@pytest.mark.parametrize(
    ("content", "text", "places"),
    [
        ({"content_type": "brand_new", "weird": {"text": "DEEP"}}, "DEEP", []),
        ({"content_type": "brand_new", "parts": ["a"], "weird": [{"x": "two words"}]}, "a\n\ntwo words", []),
        ({"content_type": "brand_new", "weird": {"id": "x1"}}, "", [PLACE]),
        ({"content_type": "brand_new", "parts": [""], "weird": None}, "", []),
        ({"content_type": "citable_code_output", "output_str": "42"}, "42", []),
        ({"content_type": "text", "parts": ["a", {"content_type": "new", "x": {"text": "B"}}]}, "a\n\nB", []),
        ({"content_type": "text", "parts": ["a", {"content_type": "new", "x": 5}]}, "a",
         [f"{PLACE}.parts[1]"]),
        ({"content_type": "video", "video": {"id": "file_1"}}, "\n\n[Video not imported]", []),
        ({"content_type": "multimodal_text", "parts": [{"content_type": "video_asset_pointer"}]},
         "\n\n[Video not imported]", []),
        ({"content_type": "multimodal_text", "parts": ["a", {"content_type": "video", "url": "u"}]},
         "a\n\n[Video not imported]", []),
        ({"content_type": "tether_browsing_display", "result": "r", "tether_id": "t"}, "r", []),
        ({"content_type": "model_editable_context", "model_set_context": "my settings"}, "", []),
        (True, "", [PLACE]),
    ],
)  # fmt: skip
def test_content_of_chatgpt_of_an_unknown_kind_is_shown_or_named(
    content: Any, text: str, places: list[str]
) -> None:
    entry = chatgpt_export()[1]
    entry["mapping"]["z"]["message"]["content"] = content
    (chat,), dropped, _ = read(Files(a__json=encoded([entry])))
    said = [message.message.text for message in chat.messages[1:]]
    assert (said, dropped) == ([text] if text else [], places)


@pytest.mark.parametrize("kind", ["mimeType", "mime_type"])
def test_a_video_attached_in_chatgpt_is_named(kind: str) -> None:
    entry = chatgpt_export()[1]
    entry["mapping"]["q"]["message"]["metadata"]["attachments"] = [{"id": "f", kind: "video/mp4"}]
    (chat,), _, _ = read(Files(a__json=encoded([entry])))
    assert chat.messages[0].message.text == "MARK-11- two\n\n[Video not imported]"


@pytest.mark.parametrize("odd", [None, {}, {"versions": []}, {"versions": None}])
def test_a_message_of_lm_studio_without_anything_is_named(odd: Any) -> None:
    whole = lm_studio_export()
    whole["messages"].insert(1, odd)
    (chat,), dropped, _ = read(WHOLE["LM Studio"][1](whole))
    assert (read_marks([chat]), dropped) == (marks_of(whole), ["messages[1]"])


def test_a_message_of_open_webui_that_is_null_is_named() -> None:
    whole = open_webui_export()
    chat = whole[0]["chat"]
    chat["messages"] = [None, *chat.pop("history")["messages"].values()]
    (found,), dropped, _ = read(WHOLE["Open WebUI"][1](whole))
    assert (read_marks([found]), dropped) == (marks_of(whole), ["chat.messages[0]"])


def test_a_version_of_lm_studio_that_is_null_leaves_the_selected_one_selected() -> None:
    whole = lm_studio_export()
    first = whole["messages"][0]
    first["versions"], first["currentlySelected"] = [None, *first["versions"]], 1
    (chat,), dropped, _ = read(WHOLE["LM Studio"][1](whole))
    assert [message.parent for message in chat.messages][:2] == [None, 0]
    assert dropped == ["messages[0.0].role"]


async def test_an_entry_without_messages_is_called_by_its_title(tmp_path: Path) -> None:
    entries = [
        *chatgpt_export(),
        {"title": "  Empty\nmapping ", "mapping": None},
        {"title": "No chat", "chat": None},
        {"name": "No messages", "messages": []},
        {"title": "", "mapping": None},
        {"title": "Bare", "mapping": {}},
    ]
    path = tmp_path / "conversations.json"
    path.write_bytes(encoded(entries))
    async with await Store.open(MEMORY, clock=time.time) as store:
        report = await bring(store, path)
    assert [skipped.what for skipped in report.skipped] == [
        "Empty mapping",
        "No chat",
        "No messages",
        "conversations.json, number 6",
        "Bare",
    ]


def test_a_tool_call_of_lm_studio_has_its_result() -> None:
    (chat,), _, _ = read(WHOLE["LM Studio"][1](lm_studio_export()))
    assert chat.messages[2].message.parts == (
        ReasoningPart(text="MARK-3- hm"),
        ToolCallPart(id="1", name="look", arguments='{"at":"MARK-4- up"}'),
        ToolResultPart(call_id="1", name="look", text='[{"type": "text", "text": "MARK-5- sky"}]'),
        TextPart(text="MARK-6- blue"),
    )


def test_a_tool_call_of_jan_has_its_result() -> None:
    (chat,), _, _ = read(WHOLE["Jan"][1](jan_export()))
    assert chat.messages[0].message.text == "MARK-1- which\n\n[File not included in export: list.pdf]"
    assert chat.messages[1].message.parts == (
        ReasoningPart(text="MARK-2- hm"),
        TextPart(text="MARK-3- green"),
        ToolCallPart(id="01", name="look", arguments='{"at":"MARK-4- cup"}'),
        ToolResultPart(call_id="01", name="look", text="MARK-5- full"),
    )


# Anything may be odd, absent or cut

ODD: list[Any] = [
    None,
    5,
    -1.5,
    True,
    "odd",
    "",
    [],
    {},
    ["x"],
    {"x": 1},
    "2026-01-02T03:04:05Z",
    1e300,
    "\ud800",
]


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in items:
        yield from _places(each, (*path, key))


def _changed(value: Any, path: tuple[Any, ...], odd: Any) -> Any:
    made = copy.deepcopy(value)
    place = made
    for key in path[:-1]:
        place = place[key]
    if odd is Ellipsis:
        del place[path[-1]]
    else:
        place[path[-1]] = odd
    return made


@pytest.mark.parametrize("program", WHOLE)
def test_an_odd_or_absent_field_costs_itself_alone(program: str) -> None:
    """Of each place in an export, absent and with odd values: all text that is left in it is read."""
    make, files = WHOLE[program]
    whole = list(make()) if program == "Jan" else make()
    for number, path in enumerate(_places(whole)):
        if (len(path) == 1 and program == "Jan") or path[-1] == "is_visually_hidden_from_conversation":
            continue
        # All values at each place take half a minute; so each place has two, each value every seventh place.
        for odd in (..., ODD[number % len(ODD)], ODD[(number + len(ODD) // 2) % len(ODD)]):
            if path[-2:] == ("m4", "content") and odd:
                continue  # a content is what Open WebUI shows, whatever ``output`` it was made of
            changed = _changed(whole, path, odd)
            found, _, _ = read(files(changed))
            assert read_marks(found) == marks_of(changed), (path, odd)


@pytest.mark.parametrize("program", WHOLE)
@pytest.mark.parametrize("percent", range(5, 100, 5))
def test_a_file_that_was_cut_short_is_read_up_to_there(program: str, percent: int) -> None:
    make, files = WHOLE[program]
    whole = files(make())
    name = whole.names()[-1]
    content = whole.files[name]
    whole.files[name] = content[: len(content) * percent // 100]
    found, dropped, refused = read(whole)
    expected = marks_of(whole.files[name].decode())
    # Of the value in which the cut is, nothing is known for sure.
    last = MARK.findall(whole.files[name].decode())[-1:]
    assert set(expected) - set(last) <= set(read_marks(found)) <= set(expected)
    assert dropped or refused


def test_bytes_that_are_no_utf_8_cost_themselves_alone() -> None:
    files = WHOLE["ChatGPT"][1](chatgpt_export())
    files.files["conversations.json"] = files.files["conversations.json"].replace(
        b"MARK-4- answer", b"MARK-4- \xff"
    )
    found, _, refused = read(files)
    assert (read_marks(found), refused) == (marks_of(chatgpt_export()), [])


@pytest.mark.parametrize("shell", [{}, None, 5, {"id": "x", "title": None}, {"mapping": None}, "text", []])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_an_entry_without_messages_costs_itself_alone_wherever_it_is(shell: Any, place: int) -> None:
    entries: list[Any] = chatgpt_export()
    entries.insert(place, shell)
    found, _, refused = read(Files(conversations__json=encoded(entries)))
    assert (len(found), len(refused)) == (2, 1)


def test_damage_within_one_entry_costs_no_other() -> None:
    first, second = map(encoded, chatgpt_export())
    third = encoded(open_webui_export()[0])
    broken = first.replace(b'"MARK-5- second"', b'"MARK-5- second" nul')
    found, dropped, refused = read(Files(a__json=b"[" + b",".join((broken, second, third)) + b"]"))
    assert len(found) == 3
    assert dropped == ["…"]
    assert {"MARK-1-", "MARK-4-"} <= set(
        marks_of(encoded([msgspec.to_builtins(m.message) for m in found[0].messages]).decode())
    )
    assert refused == []


@pytest.mark.parametrize("field", ["conversations", "chats", "data"])
def test_a_list_may_be_within_an_object(field: str) -> None:
    found, _, _ = read(Files(a__json=encoded({field: chatgpt_export(), "version": 2})))
    assert len(found) == 2


def test_a_thread_of_jan_is_read_without_its_thread_file() -> None:
    files = jan_files(*jan_export())
    files.files["thread.json"] = b'{"id": "01K'
    found, dropped, _ = read(files)
    assert (read_marks(found), bool(dropped)) == (marks_of(jan_export()), True)
    del files.files["thread.json"]
    found, _, _ = read(files)
    assert read_marks(found) == marks_of(jan_export())


async def test_a_thread_in_an_archive_is_read_and_one_without_messages_is_named(tmp_path: Path) -> None:
    thread, messages = jan_export()
    with zipfile.ZipFile(tmp_path / "jan.zip", "w") as made:
        made.writestr("jan/threads/a/thread.json", encoded(thread))
        made.writestr("jan/threads/a/messages.jsonl", b"\n".join(map(encoded, messages)))
        made.writestr("jan/threads/b/thread.json", encoded(thread))
        made.writestr("jan/logs/other.jsonl", b'{"level": "info"}\n')
    async with await Store.open(MEMORY, clock=time.time) as store:
        report = await bring(store, tmp_path / "jan.zip")
    assert (len(report.imported), report.n_skipped) == (1, 1)
    assert "messages.jsonl" in report.skipped[0].reason


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("<think>a</think>\n\nb", ("a", "b")),
        ("<thinking>a", ("a", "")),
        ("a\n</think>\n\nb", ("a", "b")),
        ("[THINK]a[/THINK]b", ("a", "b")),
        ("Write `</think>` so.", ("", "Write `</think>` so.")),
        ("<think>\n</think>b", ("", "b")),
    ],
)
def test_reasoning_in_the_text_of_an_answer_is_folded(text: str, parts: tuple[str, str]) -> None:
    made = ChatMessage(role=Role.ASSISTANT, parts=split_reasoning(text))
    assert (made.reasoning, made.text) == parts


async def bring(store: Store, path: Path) -> ImportReport:
    importing = ConversationImport(
        store,
        on_added=lambda _summary: None,
        on_updated=lambda _summary: None,
        on_progress=lambda _n: None,
    )
    return await importing.run([str(path)])


@pytest.mark.parametrize("percent", [50, 70, 90])
def test_a_cut_conversation_of_our_own_file_or_of_a_list_within_an_object_is_named(percent: int) -> None:
    documents = [archive(everything(), everything()), {"version": 2, "conversations": chatgpt_export()}]
    for content in map(encoded, documents):
        found, dropped, refused = read(Files(a__json=content[: len(content) * percent // 100]))
        assert found or refused
        assert "…" in dropped or refused


async def test_what_could_not_be_read_is_named_in_the_report(tmp_path: Path) -> None:
    entries = chatgpt_export()
    entries[0]["mapping"]["a1"]["message"]["metadata"] = 5
    path = tmp_path / "conversations.json"
    path.write_bytes(encoded(entries)[:-200])
    async with await Store.open(MEMORY, clock=time.time) as store:
        report = await bring(store, path)
    assert (len(report.imported), report.n_skipped, report.n_incomplete) == (2, 0, 2)
    first, second = report.incomplete
    assert (first.what, second.what) == ("Sky", "Two")
    assert "mapping.a1.message.metadata" in first.reason
    assert "cut short" in second.reason
