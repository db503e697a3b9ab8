"""Exports as ChatGPT, Claude, Open WebUI, LM Studio and Jan write them; each message has a mark of its own.

Modelled on the published descriptions and types of these programs: the community's specification of ChatGPT's
export (version 3.0), Open WebUI's ``serialize_output``, Jan's ``ThreadMessage``; texts are our own.
"""

from __future__ import annotations

import html
import json
import re
from typing import Any, Final

MARK: Final = re.compile(r"MARK-[0-9]+-")


def _node(
    name: str, parent: str | None, children: list[str], role: str, content: Any, **more: Any
) -> dict[str, Any]:
    author = {"role": role, "name": more.pop("author_name", None), "metadata": {}}
    message = {
        "id": name,
        "author": author,
        "create_time": 1_760_000_000.123,
        "update_time": None,
        "content": content,
        "status": "finished_successfully",
        "end_turn": None,
        "weight": 1.0,
        "metadata": {"is_visually_hidden_from_conversation": False, **more.pop("metadata", {})},
        "recipient": more.pop("recipient", "all"),
        "channel": None,
    }
    return {"id": name, "message": message, "parent": parent, "children": children}


def _text(text: str) -> dict[str, Any]:
    return {"content_type": "text", "parts": [text]}


def chatgpt_export() -> list[dict[str, Any]]:
    """Return two conversations: with voice, files, reasoning, tools, canvas and a branch."""
    voice = {
        "content_type": "multimodal_text",
        "parts": [
            {"content_type": "audio_transcription", "text": "MARK-2- spoken", "direction": "in"},
            {
                "content_type": "real_time_user_audio_video_asset_pointer",
                "audio_asset_pointer": {
                    "content_type": "audio_asset_pointer",
                    "asset_pointer": "sediment://file_0000000011",
                    "size_bytes": 9,
                    "format": "wav",
                },
                "video_container_asset_pointer": None,
                "frames_asset_pointers": [],
            },
        ],
    }
    thoughts = {
        "content_type": "thoughts",
        "thoughts": [{"summary": "Sky", "content": "MARK-3- thought", "chunks": [], "finished": True}],
        "source_analysis_msg_id": "x",
    }
    answer = _node("a1", "t1", ["u2"], "assistant", _text("MARK-4- answer"), metadata={"model_slug": "gpt-5"})
    file = {
        "attachments": [{"id": "file-1", "name": "plan.pdf", "mime_type": "x", "mimeType": "application/pdf"}]
    }
    code = {
        "content_type": "code",
        "language": "unknown",
        "response_format_name": None,
        "text": "MARK-6- call",
    }
    page = {
        "content_type": "sonic_webpage",
        "url": "https://a.example",
        "domain": "a.example",
        "title": "A",
        "text": "MARK-7- page",
    }
    error = {"content_type": "system_error", "name": "Refused", "text": "MARK-8- error"}
    nodes = [
        {"id": "root", "message": None, "parent": None, "children": ["u1"]},
        _node("u1", "root", ["v1"], "user", _text("MARK-1- question")),
        _node("v1", "u1", ["t1"], "user", voice),
        _node("t1", "v1", ["a1"], "assistant", thoughts),
        answer,
        _node("u2", "a1", ["c1", "a3"], "user", _text("MARK-5- second"), metadata=file),
        _node("c1", "u2", ["p1"], "assistant", code, recipient="web.run"),
        _node("p1", "c1", ["e1"], "tool", page, author_name="web.run"),
        _node("e1", "p1", ["a2"], "tool", error, author_name="web.run"),
        _node("a2", "e1", [], "assistant", _text("MARK-9- last")),
        _node("a3", "u2", [], "assistant", _text("MARK-10- other branch")),
    ]
    first = {
        "title": "Sky",
        "create_time": 1_760_000_000.1,
        "update_time": 1_760_000_900.2,
        "mapping": {node["id"]: node for node in nodes},
        "moderation_results": [],
        "current_node": "a2",
        "conversation_id": "6890-1",
        "is_archived": False,
        "is_starred": None,
        "default_model_slug": "gpt-5",
        "id": "6890-1",
    }
    other = [
        {"id": "r", "message": None, "parent": None, "children": ["q"]},
        _node("q", "r", ["z"], "user", _text("MARK-11- two")),
        _node("z", "q", [], "assistant", _text("MARK-12- done")),
    ]
    second = {**first, "title": "Two", "id": "6890-2", "conversation_id": "6890-2", "current_node": "z"}
    second["mapping"] = {node["id"]: node for node in other}
    return [first, second]


def claude_export() -> list[dict[str, Any]]:
    """Return two conversations: with reasoning, tools, artifacts, files and a branch; and an older one, whose
    messages are not linked."""

    def message(name: str, parent: str, sender: str, *content: Any, **more: Any) -> dict[str, Any]:
        times = {"start_timestamp": "2026-03-29T07:06:37.514645Z", "stop_timestamp": None, "flags": None}
        return {
            "uuid": name,
            "text": "",
            "content": [times | block for block in content],
            "sender": sender,
            "created_at": "2026-03-29T07:06:35.552627Z",
            "updated_at": "2026-03-29T07:06:35.552627Z",
            "attachments": [],
            "files": [],
            "parent_message_uuid": parent,
        } | more

    def text(said: str) -> dict[str, Any]:
        return {"type": "text", "text": said, "citations": []}

    call = {"type": "tool_use", "id": "toolu_01", "name": "web_search", "input": {"query": "MARK-5- tea"}}
    result = {
        "type": "tool_result",
        "tool_use_id": "toolu_01",
        "name": "web_search",
        "content": [{"type": "text", "text": "MARK-6- found", "uuid": "x"}],
        "is_error": False,
    }
    artifact = {
        "type": "tool_use",
        "id": "toolu_02",
        "name": "artifacts",
        "input": {
            "id": "page",
            "type": "text/html",
            "title": "A page",
            "command": "create",
            "content": "<p>MARK-7- page</p>",
            "version_uuid": "v",
        },
    }
    change = {"command": "update", "id": "page", "old_str": "<p>", "new_str": "<p lang=en> MARK-8- new"}
    done = {"type": "tool_result", "name": "artifacts", "content": [{"type": "text", "text": "OK"}]}
    pasted = {"file_name": "", "file_size": 9, "file_type": "txt", "extracted_content": "MARK-2- pasted"}
    plan = {"file_name": "plan.pdf", "file_size": 9, "file_type": "pdf", "extracted_content": "MARK-3- plan"}
    sent = {
        "attachments": [pasted, plan],
        "files": [{"file_name": "plan.pdf"}, {"file_kind": "image", "file_name": "a.jpg"}],
    }
    root = "00000000-0000-4000-8000-000000000000"
    messages = [
        message("u1", root, "human", text("MARK-1- question"), **sent),
        message(
            "a1",
            "u1",
            "assistant",
            {"type": "thinking", "thinking": "MARK-4- thought", "summaries": [{"summary": "Tea"}]},
            call,
            result,
            artifact,
            done,
            artifact | {"id": "toolu_03", "input": change},
            {"type": "token_budget", "remaining": 9},
            text("MARK-9- answer"),
        ),
        message("u2", "a1", "human", text("MARK-10- edited away")),
        message("u3", "a1", "human", text("MARK-11- second")),
    ]
    first = {
        "uuid": "c-1",
        "name": "Tea",
        "summary": "",
        "created_at": "2026-03-29T07:06:34.084721Z",
        "updated_at": "2026-03-29T12:59:41.658730Z",
        "account": {"uuid": "me"},
        "chat_messages": messages,
    }
    tagged = (
        "MARK-13- Here:\n\n<antThinking>One more.</antThinking>\n"
        '<antArtifact identifier="f" type="application/vnd.ant.code" language="python" title="Fib">\n'
        "print('MARK-14-')\n</antArtifact>\n\nMARK-15- after"
    )
    old = [
        {"uuid": "m1", "text": "MARK-12- old", "sender": "human", "created_at": "2024-07-01T00:00:00Z"},
        {"uuid": "m2", "text": tagged, "sender": "assistant", "created_at": "2024-07-01T00:00:00Z"},
    ]
    second = first | {"uuid": "c-2", "name": "", "chat_messages": old}
    return [first, second]


def open_webui_export() -> list[dict[str, Any]]:
    """Return a chat with reasoning twice, a tool call, code that ran, content in parts, and an ``output``."""
    arguments = html.escape(json.dumps(json.dumps({"query": "MARK-4- tea"})))
    result = html.escape(json.dumps("MARK-5- found"))
    answer = (
        '<details type="reasoning" done="true" duration="3">\n<summary>Thought for 3 seconds</summary>\n'
        "&gt; MARK-2- first\n&gt; thought &lt;/details&gt;\n</details>\n"
        "MARK-3- between\n"
        f'<details type="tool_calls" done="true" status="completed" id="call_1" name="search" '
        f'arguments="{arguments}" files="" embeds="&quot;&quot;">\n<summary>Tool Executed</summary>\n'
        f"{result}\n</details>\n"
        '<details type="reasoning" done="true" duration="1">\n<summary>Thought for 1 seconds</summary>\n'
        "&gt; MARK-6- second\n</details>\n"
        '<details type="code_interpreter" done="true" duration="1" '
        'output="{&quot;stdout&quot;: &quot;MARK-8- out&quot;}">\n'
        "<summary>Analyzed</summary>\n```python\nprint('MARK-7- code')\n```\n</details>\n"
        "MARK-9- so"
    )
    picture = {"type": "image", "url": "data:image/png;base64,iVBORw0KGgo="}
    sound = {
        "type": "file",
        "url": "f1",
        "name": "talk.mp3",
        "file": {"meta": {"content_type": "audio/mpeg"}},
    }
    output = [
        {
            "type": "reasoning",
            "id": "r",
            "status": "completed",
            "summary": [{"type": "summary_text", "text": "MARK-11- hm"}],
        },
        {
            "type": "function_call",
            "call_id": "c2",
            "name": "look",
            "arguments": '{"at": "MARK-12- door"}',
            "status": "completed",
        },
        {
            "type": "function_call_output",
            "call_id": "c2",
            "output": [{"type": "input_text", "text": "MARK-13- cat"}],
        },
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "MARK-14- a cat"}],
        },
    ]
    messages = {
        "m1": {
            "id": "m1", "parentId": None, "childrenIds": ["m2"], "role": "user",
            "content": "MARK-1- question", "files": [picture, sound],
            "timestamp": 1_760_000_001, "models": ["qwen"],
        },
        "m2": {
            "id": "m2", "parentId": "m1", "childrenIds": ["m3"], "role": "assistant", "content": answer,
            "model": "qwen", "modelName": "Qwen", "modelIdx": 0, "timestamp": 1_760_000_002, "done": True,
            "usage": {"total_tokens": 9},
        },
        "m3": {
            "id": "m3", "parentId": "m2", "childrenIds": ["m4"], "role": "user",
            "content": [{"type": "text", "text": "MARK-10- parts"}], "timestamp": 1_760_000_003,
        },
        "m4": {
            "id": "m4", "parentId": "m3", "childrenIds": [], "role": "assistant",
            "content": "", "output": output, "model": "qwen", "timestamp": 1_760_000_004, "done": True,
        },
    }  # fmt: skip
    chat = {
        "id": "", "title": "Tea", "models": ["qwen"], "params": {"system": "Be brief."},
        "history": {"messages": messages, "currentId": "m4"},
        "messages": [], "tags": [], "timestamp": 1_760_000_000_000, "files": [],
    }  # fmt: skip
    return [
        {
            "id": "owui-1", "user_id": "u", "title": "Tea", "chat": chat, "updated_at": 1_760_000_900,
            "created_at": 1_760_000_000, "share_id": None, "archived": False, "pinned": False,
            "meta": {"tags": ["hot_drinks"]}, "folder_id": "9f3c21",
        }
    ]  # fmt: skip


def lm_studio_export() -> dict[str, Any]:
    """Return a chat with a tool call, reasoning, an answer in two versions and an attached file."""

    def block(*pieces: dict[str, Any], style: dict[str, Any] | None = None) -> dict[str, Any]:
        step = {
            "type": "contentBlock",
            "stepIdentifier": "1-0.1",
            "content": list(pieces),
            "defaultShouldIncludeInContext": True,
        }
        return step | (
            {"style": style}
            if style
            else {"genInfo": {"identifier": "qwen3-8b", "stats": {"stopReason": "eosFound"}}}
        )

    def text(value: str) -> dict[str, Any]:
        return {
            "type": "text",
            "text": value,
            "fromDraftModel": False,
            "tokensCount": 1,
            "isStructural": False,
        }

    call = {
        "type": "toolCallRequest",
        "callId": 1,
        "toolCallRequestId": "7",
        "name": "look",
        "parameters": {"at": "MARK-4- up"},
    }
    result = {
        "type": "toolCallResult",
        "toolCallId": "1",
        "content": json.dumps([{"type": "text", "text": "MARK-5- sky"}]),
    }
    thinking = {"type": "thinking", "ended": True, "title": "Thought for 2 seconds"}
    file = {"type": "file", "fileIdentifier": "1760 - plan.pdf", "fileType": "text/plain", "sizeBytes": 5}

    def question(*pieces: dict[str, Any]) -> dict[str, Any]:
        return {"type": "singleStep", "role": "user", "content": list(pieces)}

    def answer(*steps: dict[str, Any]) -> dict[str, Any]:
        sender = {"senderName": "qwen"}
        return {"type": "multiStep", "role": "assistant", "senderInfo": sender, "steps": list(steps)}

    return {
        "name": "Sky",
        "pinned": False,
        "createdAt": 1_760_000_000_123,
        "preset": "",
        "tokenCount": 12,
        "userLastMessagedAt": 1_760_000_100_000,
        "systemPrompt": "Be brief.",
        "messages": [
            {
                "versions": [question(text("MARK-1- why"), file)],
                "currentlySelected": 0,
            },
            {
                "versions": [
                    answer(block(text("MARK-2- no"))),
                    answer(
                        block(text("MARK-3- hm"), style=thinking),
                        block(call),
                        block(result),
                        {"type": "debugInfoBlock", "debugInfo": "Conversation naming technique: 'prompt'"},
                        block(text("MARK-6- blue")),
                    ),
                ],
                "currentlySelected": 1,
            },
            {"versions": [question(text("MARK-7- thanks"))], "currentlySelected": 0},
        ],
        "usePerChatPredictionConfig": True,
        "clientInput": "",
        "notes": [],
    }  # fmt: skip


def jan_export() -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return a thread and its messages: reasoning, a tool call in the metadata, an attached file."""
    thread = {
        "id": "01K7",
        "object": "thread",
        "title": "Tea",
        "model": {"id": "qwen", "provider": "llamacpp"},
        "assistants": [
            {"id": "jan", "name": "Jan", "instructions": "Be kind.", "model": {"id": "qwen"}, "tools": []}
        ],
        "created": 1_760_000_000,
        "updated": 1_760_000_200,
        "metadata": {"order": 1},
    }
    call = {
        "tool": {
            "id": "01",
            "type": "function",
            "function": {"name": "look", "arguments": '{"at":"MARK-4- cup"}'},
        },
        "response": {"content": [{"type": "text", "text": "MARK-5- full"}], "error": ""},
        "state": "ready",
    }

    def message(number: int, role: str, text: str, **more: Any) -> dict[str, Any]:
        return {
            "type": "text",
            "id": f"m{number}",
            "object": "thread.message",
            "thread_id": "01K7",
            "role": role,
            "content": [{"type": "text", "text": {"value": text, "annotations": []}}],
            "status": "ready",
            "created_at": 1_760_000_000_000 + number,
            "completed_at": 1_760_000_000_000 + number,
            **more,
        }

    return thread, [
        message(1, "user", "MARK-1- which", attachments=[{"name": "list.pdf", "type": "file"}]),
        message(2, "assistant", "<think>MARK-2- hm</think>\nMARK-3- green", metadata={"tool_calls": [call]}),
        message(3, "user", "MARK-6- thanks", attachments=None, metadata={}),
    ]
