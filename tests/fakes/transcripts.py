"""Transcripts for tests: every kind of part, branches, and files of other programs as they are written."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from fakes.sounds import sound, video
from fireside.core.artifacts import ArtifactNotes, WrittenVersion
from fireside.core.chat import Colour, GenerationRecord, MessageState, TitleSource
from fireside.core.errors import StorageError
from fireside.core.generation import FinishReason, Timings, Usage
from fireside.core.ids import ModelId
from fireside.core.message import (
    ChatMessage,
    DocumentPart,
    ImagePart,
    MessagePart,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from fireside.core.options import LoadOptions, SamplingParams
from fireside.storage.messages import RunParameters
from fireside.storage.transcripts import ConversationTranscript, TranscriptFact, TranscriptMessage

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 16
RECORD = GenerationRecord(
    model_id=ModelId("maker/model:Q4"),
    model_name="Model",
    finish_reason=FinishReason.STOP,
    usage=Usage(n_prompt=10, n_cached=2, n_completion=5),
    timings=Timings(prompt_s=0.1, decode_s=0.5, first_token_s=0.2),
    seed=7,
    thought_s=4.2,
)


def said(
    *parts: MessagePart | str,
    role: Role = Role.ASSISTANT,
    parent: int | None = None,
    record: GenerationRecord | None = RECORD,
) -> TranscriptMessage:
    """Return a message; text stands for a part of text."""
    made = tuple(TextPart(text=part) if isinstance(part, str) else part for part in parts)
    return TranscriptMessage(
        parent=parent,
        message=ChatMessage(role=role, parts=made),
        created_at=1_780_000_000.0 + (parent or 0),
        generation=record if role is Role.ASSISTANT else None,
    )


def asked(text: str, *, parent: int | None = None) -> TranscriptMessage:
    return said(text, role=Role.USER, parent=parent)


def damaged(*, parent: int | None = None) -> TranscriptMessage:
    """Return what stands in for a message that could not be read."""
    return TranscriptMessage(
        parent=parent,
        message=ChatMessage(role=Role.ASSISTANT, parts=()),
        state=MessageState.FAILED,
        error=StorageError.of("message_unreadable").info(),
    )


def transcript(
    *messages: TranscriptMessage, title: str = "Rate limiter", origin: str = "test:1"
) -> ConversationTranscript:
    return ConversationTranscript(
        origin=origin, title=title, created_at=1_780_000_000.0, updated_at=1_780_000_100.0, messages=messages
    )


def archive(*conversations: ConversationTranscript, version: int = 1) -> dict[str, object]:
    """Return what a file of our own holds."""
    plain = [json.loads(msgspec.json.encode(one)) for one in conversations]
    return {"format": "fireside-conversations", "version": version, "conversations": plain}


def everything() -> ConversationTranscript:
    """Return a transcript in which no field has its usual value."""
    parameters = RunParameters(load=LoadOptions(), sampling=SamplingParams(temperature=0.3))
    answer = TranscriptMessage(
        parent=0,
        message=ChatMessage(
            role=Role.ASSISTANT,
            parts=(
                ReasoningPart(text="hm\x00 \U0001f9e0"),
                TextPart(text="An *answer*\r\n"),
                ToolCallPart(id="c1", name="search", arguments='{"q":"a"}'),
            ),
        ),
        created_at=1_780_000_001.5,
        is_pinned=True,
        generation=RECORD,
        parameters=parameters,
        raw="<think>hm</think>An *answer*",
        artifacts=(
            ArtifactNotes(
                start=0,
                title="Mine",
                draft="not done",
                edits=(WrittenVersion(text="by hand", created_at=1_780_000_009.0),),
            ),
        ),
    )
    result = said(ToolResultPart(call_id="c1", name="search", text="found"), role=Role.TOOL, parent=1)
    other = TranscriptMessage(
        parent=0,
        message=ChatMessage(role=Role.ASSISTANT, parts=(TextPart(text="another"),)),
        state=MessageState.INTERRUPTED,
        created_at=1_780_000_002.0,
    )
    question = said(
        ImagePart(data=PNG, media_type="image/png", name="cat.png"),
        DocumentPart(name="notes.txt", media_type="text/plain", text="notes", size_bytes=5),
        sound(seconds=0.1),
        video(track=sound("track.wav", seconds=0.1)),
        "Why?",
        role=Role.USER,
    )
    return ConversationTranscript(
        origin="elsewhere:42",
        title="Everything",
        title_by=TitleSource.MODEL,
        created_at=1_780_000_000.0,
        updated_at=1_780_000_100.0,
        model_id="maker/model:Q4",
        is_pinned=True,
        is_archived=True,
        colour=Colour.GREEN,
        folder="Work",
        draft="not sent yet",
        overrides={"sampling.temperature": 0.5},
        active=2,
        messages=(question, answer, result, other, damaged(parent=3)),
        facts=(
            TranscriptFact(text="Calls the cat Minka.", created_at=1_780_000_003.0, message=1),
            TranscriptFact(text="Likes short answers.", created_at=1_780_000_004.0),
        ),
    )


def _turn(role: str, text: str, *, parent: str | None, children: list[str], **more: Any) -> dict[str, Any]:
    message = {
        "author": {"role": role},
        "content": {"content_type": "text", "parts": [text]},
        "create_time": 1_700_000_000.5,
        "recipient": "all",
        "metadata": {},
    } | more
    return {"message": message, "parent": parent, "children": children}


def chatgpt_conversation() -> dict[str, Any]:
    """Return one conversation as in ``conversations.json``: hidden nodes, thoughts, a tool, two branches."""
    thoughts = {"content_type": "thoughts", "thoughts": [{"summary": "Sky", "content": "Light scatters."}]}
    code = {"content_type": "code", "language": "unknown", "text": "print(1)"}
    out = {"content_type": "execution_output", "text": "1"}
    picture = {
        "content_type": "multimodal_text",
        "parts": [
            {
                "content_type": "image_asset_pointer",
                "asset_pointer": "file-service://file-abc123",
                "width": 1,
            },
            "What is this?",
        ],
    }
    return {
        "title": "Sky",
        "create_time": 1_700_000_000.0,
        "update_time": 1_700_000_900.0,
        "conversation_id": "aaaa-bbbb",
        "current_node": "a2",
        "is_starred": True,
        "mapping": {
            "root": {"id": "root", "message": None, "parent": None, "children": ["sys"]},
            "sys": _turn(
                "system", "", parent="root", children=["u1"],
                metadata={"is_visually_hidden_from_conversation": True},
            ),
            "u1": _turn("user", "Why is the sky blue?", parent="sys", children=["a1", "t1"]),
            "a1": _turn("assistant", "First answer.", parent="u1", children=[]),
            "t1": _turn("assistant", "", parent="u1", children=["a2x"], content=thoughts),
            "a2x": _turn(
                "assistant", "Second answer.", parent="t1", children=["u2"], metadata={"model_slug": "gpt-x"}
            ),
            "u2": _turn("user", "", parent="a2x", children=["call"], content=picture),
            "call": _turn("assistant", "", parent="u2", children=["tool"], content=code, recipient="python"),
            "tool": _turn("tool", "", parent="call", children=["a2"], content=out),
            "a2": _turn("assistant", "It prints 1.", parent="tool", children=[]),
        },
    }  # fmt: skip


def open_webui_chat() -> dict[str, Any]:
    """Return one chat of an Open WebUI export: two answers to one question, a picture, thoughts."""
    thought = (
        '<details type="reasoning" done="true" duration="2">\n<summary>Thought for 2 seconds</summary>\n'
        "&gt; a &lt; b\n</details>\nBecause."
    )
    return {
        "id": "chat-1",
        "title": "Colours",
        "created_at": 1_700_000_000,
        "updated_at": 1_700_000_500,
        "pinned": True,
        "chat": {
            "title": "Colours",
            "system": "Be brief.",
            "history": {
                "currentId": "m3",
                "messages": {
                    "m1": {
                        "id": "m1", "parentId": None, "childrenIds": ["m2", "m3"], "role": "user",
                        "content": "Why?", "timestamp": 1_700_000_001,
                        "files": [{"type": "image", "url": "data:image/png;base64,iVBORw0KGgo="}],
                    },
                    "m2": {
                        "id": "m2", "parentId": "m1", "childrenIds": [], "role": "assistant",
                        "content": "I do not know.", "model": "llama", "done": True,
                    },
                    "m3": {
                        "id": "m3", "parentId": "m1", "childrenIds": [], "role": "assistant",
                        "content": thought, "model": "qwen", "done": True,
                    },
                },
            },
        },
    }  # fmt: skip


def lm_studio_conversation() -> dict[str, Any]:
    """Return a file of LM Studio: an answer in two versions, one with thoughts, and what follows."""

    def step(text: str, style: str | None = None) -> dict[str, Any]:
        made: dict[str, Any] = {"type": "contentBlock", "content": [{"type": "text", "text": text}]}
        return made | ({"style": {"type": style}} if style else {"genInfo": {"identifier": "qwen3-8b"}})

    def answer(*steps: dict[str, Any]) -> dict[str, Any]:
        return {"type": "multiStep", "role": "assistant", "steps": list(steps)}

    def question(text: str) -> dict[str, Any]:
        return {"type": "singleStep", "role": "user", "content": [{"type": "text", "text": text}]}

    return {
        "name": "Bread",
        "pinned": False,
        "createdAt": 1_700_000_000_123,
        "userLastMessagedAt": 1_700_000_100_000,
        "systemPrompt": "You bake.",
        "messages": [
            {"versions": [question("How?")], "currentlySelected": 0},
            {
                "versions": [answer(step("So.")), answer(step("Let me see", "thinking"), step("Like this."))],
                "currentlySelected": 1,
            },
            {"versions": [question("Thanks")], "currentlySelected": 0},
        ],
    }


def jan_thread() -> tuple[bytes, bytes]:
    """Return ``thread.json`` and ``messages.jsonl`` of a thread of Jan."""
    thread = {
        "id": "jan_1",
        "object": "thread",
        "title": "Tea",
        "assistants": [{"instructions": "Be kind.", "model": {"id": "qwen"}}],
        "created": 1_700_000_000_000,
        "updated": 1_700_000_200,
    }
    lines = [
        {
            "id": f"m{n}", "object": "thread.message", "thread_id": "jan_1", "role": role, "status": status,
            "content": [{"type": "text", "text": {"value": text, "annotations": []}}],
            "created_at": 1_700_000_000_000 + n,
        }
        for n, (role, text, status) in enumerate(
            [
                ("user", "Which tea?", "ready"),
                ("assistant", "<think>Green?</think>\n\nGreen.", "stopped"),
            ]
        )
    ]  # fmt: skip
    return json.dumps(thread).encode(), "\n".join(json.dumps(line) for line in lines).encode()
