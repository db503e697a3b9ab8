"""Read a conversation of LM Studio (``….conversation.json``).

Its messages are a list, each with one or more versions of which one is selected. The others become branches
without a continuation, since later messages belong to the selected one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from fireside.core.i18n import tr
from fireside.core.lenient_json import OnDropped
from fireside.core.message import (
    MessagePart,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from fireside.services.transfer.damaged_json import read_json
from fireside.services.transfer.message_parts import (
    arguments_json,
    result_text,
    separate_texts,
    split_reasoning,
)
from fireside.services.transfer.message_trees import (
    Node,
    clean_title,
    epoch_seconds,
    order_messages,
    origin_of,
)
from fireside.storage.transcripts import ConversationTranscript

_ROLES: Final = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM}
_THINKING: Final = "thinking"
_WITHOUT_TEXT: Final = ("text", "toolCallResult", "toolStatus", "debugInfoBlock")
_FILE_NAME: Final = re.compile(r"([0-9]{10,16})(?:\.conversation)?\.json", re.IGNORECASE)


class _Piece(msgspec.Struct, frozen=True, rename="camel"):
    type: str | None = None
    text: str | None = None
    name: str | None = None
    file_identifier: str | None = None
    file_type: str | None = None
    call_id: str | None = None
    tool_call_id: str | None = None
    parameters: Any = None
    content: Any = None


class _Style(msgspec.Struct, frozen=True):
    type: str | None = None


class _GenInfo(msgspec.Struct, frozen=True, rename="camel"):
    indexed_model_identifier: str | None = None
    identifier: str | None = None


class _Step(msgspec.Struct, frozen=True, rename="camel"):
    type: str | None = None
    content: list[_Piece] | None = None
    style: _Style | None = None
    gen_info: _GenInfo | None = None


class _Sender(msgspec.Struct, frozen=True, rename="camel"):
    sender_name: str | None = None


class _Version(msgspec.Struct, frozen=True, rename="camel"):
    role: str | None = None
    content: list[_Piece] | None = None
    steps: list[_Step] | None = None
    sender_info: _Sender | None = None


class _Message(msgspec.Struct, frozen=True, rename="camel"):
    versions: list[_Version | None] | None = None
    currently_selected: int = 0


class _Model(msgspec.Struct, frozen=True, rename="camel"):
    identifier: str | None = None
    indexed_model_identifier: str | None = None


class _Conversation(msgspec.Struct, frozen=True, rename="camel"):
    messages: list[_Message | None] | None = None
    name: str | None = None
    pinned: bool | None = None
    created_at: float | str | None = None
    user_last_messaged_at: float | str | None = None
    assistant_last_messaged_at: float | str | None = None
    system_prompt: str | None = None


def read_lm_studio(text: bytes, *, file_name: str = "", on_dropped: OnDropped) -> ConversationTranscript:
    """Return the conversation of a file; ``on_dropped`` is told of what is left out. Raises
    ``ImportRefused``."""
    conversation = read_json(text, _Conversation, on_dropped=on_dropped)
    nodes, active = _nodes(conversation.messages or (), on_dropped)
    messages, active_index = order_messages(nodes, active=active)
    created = epoch_seconds(conversation.created_at)
    updated = max(
        epoch_seconds(conversation.user_last_messaged_at),
        epoch_seconds(conversation.assistant_last_messaged_at),
        created,
    )
    # The file has no id except the time of its creation, which its name has as well.
    named = _FILE_NAME.match(file_name)
    identifier = f"{created * 1000:.0f}" if created else named.group(1) if named is not None else None
    return ConversationTranscript(
        origin=origin_of("lm-studio", identifier, messages=messages),
        title=clean_title(conversation.name or _first_line(nodes)),
        created_at=created,
        updated_at=updated,
        is_pinned=bool(conversation.pinned),
        overrides={"chat.system_prompt": conversation.system_prompt} if conversation.system_prompt else {},
        active=active_index,
        messages=messages,
    )


def _nodes(messages: Sequence[_Message | None], on_dropped: OnDropped) -> tuple[list[Node], str | None]:
    nodes: list[Node] = []
    parent: str | None = None
    for index, message in enumerate(messages):
        if message is None or not message.versions:
            on_dropped(f"messages[{index}]")
            continue
        for number, version in enumerate(message.versions):
            name = f"{index}.{number}"
            nodes.append(_node(name, version or _Version(), parent=parent, on_dropped=on_dropped))
        is_known = 0 <= message.currently_selected < len(message.versions)
        parent = f"{index}.{message.currently_selected if is_known else 0}"
    return nodes, parent


def _node(name: str, version: _Version, *, parent: str | None, on_dropped: OnDropped) -> Node:
    role = _ROLES.get(version.role or "")
    if role is None:
        on_dropped(f"messages[{name}].role")
        role = Role.ASSISTANT if version.steps else Role.USER
    parts = tuple(separate_texts(_parts(name, version, role, on_dropped)))
    return Node(name=name, parent=parent, role=role, parts=parts, model=_model_of(version)[:200])


def _parts(name: str, version: _Version, role: Role, on_dropped: OnDropped) -> Iterator[MessagePart]:
    pieces = [(piece, False) for piece in version.content or ()]
    for step in version.steps or ():
        is_thought = step.style is not None and step.style.type == _THINKING
        pieces += [(piece, is_thought) for piece in step.content or ()]
    names: dict[str, str] = {}
    for piece, is_thought in pieces:
        if piece.type == "toolCallRequest" and piece.call_id and piece.name:
            names[piece.call_id] = piece.name
        parts = tuple(_piece(piece, role=role, is_thought=is_thought, names=names))
        if not parts and piece.type not in _WITHOUT_TEXT:
            on_dropped(f"messages[{name}].content, {piece.type!r}")
        yield from parts


def _piece(piece: _Piece, *, role: Role, is_thought: bool, names: Mapping[str, str]) -> Iterator[MessagePart]:
    match piece.type:
        case "file":
            yield TextPart(
                text="\n\n"
                + tr("[LM Studio file: {name}]").format(name=(piece.file_identifier or tr("unnamed"))[:200])
            )
        case _ if piece.type == "toolCallRequest" or piece.parameters is not None:
            arguments = arguments_json(piece.parameters)
            yield ToolCallPart(id=piece.call_id or "", name=piece.name or "tool", arguments=arguments)
        case _ if piece.content:
            call = piece.tool_call_id or piece.call_id or ""
            name = piece.name or names.get(call, "tool")
            yield ToolResultPart(call_id=call, name=name, text=result_text(piece.content))
        case _ if piece.text and is_thought:
            yield ReasoningPart(text=piece.text)
        case _ if piece.text and role is Role.ASSISTANT:
            yield from split_reasoning(piece.text)
        case _ if piece.text:
            yield TextPart(text=piece.text)
        case _:
            pass


def _model_of(version: _Version) -> str:
    for step in version.steps or ():
        info = step.gen_info
        if info is not None and (name := info.indexed_model_identifier or info.identifier):
            return name
    return (version.sender_info.sender_name or "") if version.sender_info is not None else ""


def _first_line(nodes: Sequence[Node]) -> str:
    for node in nodes:
        for part in node.parts:
            if isinstance(part, TextPart) and part.text.strip():
                return part.text.strip().splitlines()[0]
    return ""
