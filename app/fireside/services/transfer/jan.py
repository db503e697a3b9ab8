"""Read a thread of Jan: ``thread.json``, and ``messages.jsonl`` with one message a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from fireside.core.lenient_json import OnDropped
from fireside.core.message import MessagePart, Role
from fireside.services.transfer.damaged_json import CUT_SHORT, read_json
from fireside.services.transfer.import_refusal import ImportRefused
from fireside.services.transfer.message_parts import call_parts, content_parts, missing_file, separate_texts
from fireside.services.transfer.message_trees import (
    Node,
    clean_title,
    epoch_seconds,
    order_messages,
    origin_of,
)
from fireside.storage.transcripts import ConversationTranscript

_ROLES: Final = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM, "tool": Role.TOOL}
_CUT_OFF: Final = ("stopped", "error", "pending")


class _Model(msgspec.Struct, frozen=True):
    id: str | None = None


class _Assistant(msgspec.Struct, frozen=True):
    instructions: str | None = None
    model: _Model | None = None


class _Thread(msgspec.Struct, frozen=True):
    id: str | None = None
    title: str | None = None
    assistants: list[_Assistant] | None = None
    created: float | str | None = None
    updated: float | str | None = None


class _ToolCall(msgspec.Struct, frozen=True):
    tool: dict[str, Any] | None = None
    response: Any = None


class _Metadata(msgspec.Struct, frozen=True):
    tool_calls: list[_ToolCall] | None = None


class _Attachment(msgspec.Struct, frozen=True):
    name: str | None = None
    type: str | None = None


class _Message(msgspec.Struct, frozen=True):
    id: str | None = None
    role: str | None = None
    content: Any = None
    status: str | None = None
    created_at: float | str | None = None
    created: float | str | None = None
    attachments: list[_Attachment] | None = None
    metadata: _Metadata | None = None


def read_jan(
    thread: bytes, *, messages: bytes, folder: str = "", on_dropped: OnDropped
) -> ConversationTranscript:
    """Return the thread with its messages in Jan's order; ``on_dropped`` is told of what is left out.

    A thread that cannot be read leaves its messages, and the name of its ``folder``.
    """
    try:
        thread_data = read_json(thread, _Thread, on_dropped=on_dropped)
    except ImportRefused:
        on_dropped("thread.json")
        thread_data = _Thread()
    first = thread_data.assistants[0] if thread_data.assistants else _Assistant()
    model = (first.model.id or "")[:200] if first.model is not None else ""
    nodes: list[Node] = []
    for number, line in enumerate(messages.splitlines(), start=1):
        if line.strip():
            place = f"messages.jsonl:{number}"
            message = _message_of(line, place=place, on_dropped=on_dropped)
            if message is not None:
                parent = nodes[-1].name if nodes else None
                is_known = message.id is None or any(node.name == message.id for node in nodes)
                name = place if is_known or message.id is None else message.id
                node = _node(place, message, parent=parent, model=model, on_dropped=on_dropped)
                nodes.append(msgspec.structs.replace(node, name=name, is_named=name != place))
    ordered, active = order_messages(nodes, active=nodes[-1].name if nodes else None)
    created = epoch_seconds(thread_data.created)
    return ConversationTranscript(
        origin=origin_of("jan", thread_data.id or folder, messages=ordered),
        title=clean_title(thread_data.title),
        created_at=created,
        updated_at=epoch_seconds(thread_data.updated) or created,
        overrides={"chat.system_prompt": first.instructions} if first.instructions else {},
        active=active,
        messages=ordered,
    )


def _message_of(line: bytes, *, place: str, on_dropped: OnDropped) -> _Message | None:
    try:
        return read_json(line, _Message, on_dropped=lambda path: on_dropped(_placed(place, path)))
    except ImportRefused:
        on_dropped(place)
        return None


def _placed(place: str, path: str) -> str:
    return path if path == CUT_SHORT else f"{place} {path}"


def _node(place: str, message: _Message, *, parent: str | None, model: str, on_dropped: OnDropped) -> Node:
    role = _ROLES.get(message.role or "")
    if role is None:
        on_dropped(f"{place} role")
        role = Role.ASSISTANT if message.metadata is not None else Role.USER
    return Node(
        name=place,
        parent=parent,
        role=role,
        parts=tuple(separate_texts(_parts(message, role, place=place, on_dropped=on_dropped))),
        created_at=epoch_seconds(message.created_at or message.created),
        model=model if role is Role.ASSISTANT else "",
        is_cut_off=message.status in _CUT_OFF,
    )


def _parts(message: _Message, role: Role, *, place: str, on_dropped: OnDropped) -> Iterator[MessagePart]:
    yield from content_parts(message.content, role, path=f"{place} content", on_dropped=on_dropped)
    for call in (message.metadata.tool_calls if message.metadata is not None else None) or ():
        yield from call_parts(call.tool or {}, result=call.response)
    for attachment in message.attachments or ():
        if attachment.name:
            yield missing_file(attachment.type or "file", attachment.name)
