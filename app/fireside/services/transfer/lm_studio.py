"""Read a conversation of LM Studio (``….conversation.json``).

Its messages are a list, each with one or more versions of which one is selected. The others become branches
without a continuation, since later messages belong to the selected one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from fireside.core.i18n import tr
from fireside.core.message import (
    MessagePart,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from fireside.services.transfer.import_refusal import refuse_invalid
from fireside.services.transfer.message_trees import (
    Node,
    clean_title,
    epoch_seconds,
    order_messages,
    split_reasoning,
)
from fireside.storage.transcripts import Transcript

_ROLES: Final = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM}
_THINKING: Final = "thinking"


class _Piece(msgspec.Struct, frozen=True, rename="camel"):
    type: str
    text: str | None = None
    name: str | None = None
    file_identifier: str | None = None
    call_id: str | int | None = None
    tool_call_id: str | int | None = None
    parameters: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    content: str | None = None


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
    role: str
    content: list[_Piece] | None = None
    steps: list[_Step] | None = None
    sender_info: _Sender | None = None


class _Message(msgspec.Struct, frozen=True, rename="camel"):
    versions: list[_Version]
    currently_selected: int = 0


class _Model(msgspec.Struct, frozen=True, rename="camel"):
    identifier: str | None = None
    indexed_model_identifier: str | None = None


class _Conversation(msgspec.Struct, frozen=True, rename="camel"):
    messages: list[_Message]
    name: str | None = None
    pinned: bool | None = None
    created_at: float | None = None
    user_last_messaged_at: float | None = None
    assistant_last_messaged_at: float | None = None
    system_prompt: str | None = None


_CONVERSATION = msgspec.json.Decoder(_Conversation)


def read_lm_studio(text: bytes) -> Transcript:
    """Return the conversation of a file. Raises ``ImportRefused``."""
    with refuse_invalid():
        conversation = _CONVERSATION.decode(text)
    nodes, active = _nodes(conversation.messages)
    messages, active_index = order_messages(nodes, active=active)
    created = epoch_seconds(conversation.created_at)
    updated = max(
        epoch_seconds(conversation.user_last_messaged_at),
        epoch_seconds(conversation.assistant_last_messaged_at),
        created,
    )
    # The file has no id except the time of its creation.
    identifier = f"{conversation.created_at:.0f}" if created else hashlib.sha256(text).hexdigest()
    return Transcript(
        origin=f"lm-studio:{identifier}",
        title=clean_title(conversation.name or _first_line(nodes)),
        created_at=created,
        updated_at=updated,
        is_pinned=bool(conversation.pinned),
        overrides={"chat.system_prompt": conversation.system_prompt} if conversation.system_prompt else {},
        active=active_index,
        messages=messages,
    )


def _nodes(messages: Sequence[_Message]) -> tuple[list[Node], str | None]:
    nodes: list[Node] = []
    parent: str | None = None
    for index, message in enumerate(messages):
        selected = (
            message.currently_selected if 0 <= message.currently_selected < len(message.versions) else 0
        )
        for number, version in enumerate(message.versions):
            nodes.append(_node(f"{index}.{number}", version, parent=parent))
        if message.versions:
            parent = f"{index}.{selected}"
    return nodes, parent


def _node(name: str, version: _Version, *, parent: str | None) -> Node:
    role = _ROLES.get(version.role)
    parts = tuple(_parts(version, role)) if role is not None else ()
    return Node(
        name=name, parent=parent, role=role or Role.SYSTEM, parts=parts, model=_model_of(version)[:200]
    )


def _parts(version: _Version, role: Role) -> Iterator[MessagePart]:
    for piece in version.content or ():
        yield from _piece(piece, role=role, is_thought=False)
    for step in version.steps or ():
        is_thought = step.style is not None and step.style.type == _THINKING
        for piece in step.content or ():
            yield from _piece(piece, role=role, is_thought=is_thought)


def _piece(piece: _Piece, *, role: Role, is_thought: bool) -> Iterator[MessagePart]:
    match piece.type:
        case "text" if piece.text and is_thought:
            yield ReasoningPart(text=piece.text)
        case "text" if piece.text and role is Role.ASSISTANT:
            yield from split_reasoning(piece.text)
        case "text" if piece.text:
            yield TextPart(text=piece.text)
        case "file":
            yield TextPart(
                text="\n\n"
                + tr("[LM Studio file: {name}]").format(name=(piece.file_identifier or tr("unnamed"))[:200])
            )
        case "toolCallRequest":
            parameters = piece.parameters
            arguments = bytes(parameters).decode() if isinstance(parameters, msgspec.Raw) else "{}"
            yield ToolCallPart(id=str(piece.call_id or ""), name=piece.name or "tool", arguments=arguments)
        case "toolCallResult" if piece.content:
            call = str(piece.tool_call_id or piece.call_id or "")
            yield ToolResultPart(call_id=call, name=piece.name or "tool", text=piece.content)
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
