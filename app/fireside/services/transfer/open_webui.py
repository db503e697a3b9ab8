"""Read the chats of an Open WebUI export: a list, each with its messages by name in ``chat.history``."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Final

import msgspec

from fireside.core.i18n import tr, tr_noop
from fireside.core.message import MessagePart, ReasoningPart, Role, TextPart
from fireside.services.transfer.import_refusal import ImportRefused, refuse_invalid
from fireside.services.transfer.message_trees import (
    Node,
    clean_title,
    epoch_seconds,
    image_from_data_url,
    order_messages,
    split_reasoning,
)
from fireside.storage.transcripts import Transcript

_ROLES: Final = {"user": Role.USER, "assistant": Role.ASSISTANT, "tool": Role.TOOL}
_DETAILS: Final = re.compile(
    r"\s*<details type=\"reasoning\"[^>]{0,300}>\s*(?:<summary>[^<]{0,300}</summary>)?(.*?)</details>\s*",
    re.DOTALL,
)


class _File(msgspec.Struct, frozen=True):
    type: str | None = None
    url: str | None = None
    name: str | None = None


class _Message(msgspec.Struct, frozen=True, rename="camel"):
    role: str
    content: str | None = None
    parent_id: str | None = None
    children_ids: list[str] | None = None
    timestamp: float | None = None
    model: str | None = None
    done: bool | None = None
    files: list[_File] | None = None


class _History(msgspec.Struct, frozen=True, rename="camel"):
    messages: dict[str, _Message]
    current_id: str | None = None


class _Params(msgspec.Struct, frozen=True):
    system: str | None = None


class _Chat(msgspec.Struct, frozen=True):
    history: _History
    id: str | None = None
    title: str | None = None
    timestamp: float | None = None
    system: str | None = None
    params: _Params | None = None


class _Entry(msgspec.Struct, frozen=True):
    chat: _Chat
    id: str | None = None
    title: str | None = None
    created_at: float | None = None
    updated_at: float | None = None
    archived: bool | None = None
    pinned: bool | None = None


_ENTRY = msgspec.json.Decoder(_Entry)


def read_open_webui(text: bytes) -> Transcript:
    """Return one chat of the list. Raises ``ImportRefused``."""
    with refuse_invalid():
        entry = _ENTRY.decode(text)
    chat = entry.chat
    name = entry.id or chat.id
    if not name:
        raise ImportRefused(tr_noop("it has no identifier (“id”)."))
    messages = chat.history.messages
    rank = {child: n for message in messages.values() for n, child in enumerate(message.children_ids or ())}
    nodes = [_node(key, message) for key, message in messages.items()]
    nodes.sort(key=lambda node: rank.get(node.name, 0))
    ordered, active = order_messages(nodes, active=chat.history.current_id)
    created = epoch_seconds(entry.created_at) or epoch_seconds(chat.timestamp)
    return Transcript(
        origin=f"open-webui:{name[:200]}",
        title=clean_title(entry.title or chat.title),
        created_at=created,
        updated_at=epoch_seconds(entry.updated_at) or created,
        is_pinned=bool(entry.pinned),
        is_archived=bool(entry.archived),
        overrides={"chat.system_prompt": system} if (system := _system_prompt(chat)) else {},
        active=active,
        messages=ordered,
    )


def _system_prompt(chat: _Chat) -> str:
    """Return the system prompt, wherever this version stores it: chat, parameters or first message."""
    system_messages = (
        message.content for message in chat.history.messages.values() if message.role == "system"
    )
    in_parameters = chat.params.system if chat.params is not None else None
    return next(filter(None, (chat.system, in_parameters, *system_messages)), "")


def _node(name: str, message: _Message) -> Node:
    role = _ROLES.get(message.role)
    return Node(
        name=name,
        parent=message.parent_id,
        role=role or Role.SYSTEM,
        parts=tuple(_parts(message, role)) if role is not None else (),
        created_at=epoch_seconds(message.timestamp),
        model=(message.model or "")[:200] if role is Role.ASSISTANT else "",
        is_cut_off=message.done is False,
    )


def _parts(message: _Message, role: Role) -> Iterator[MessagePart]:
    content = message.content or ""
    if role is Role.ASSISTANT:
        yield from _answer(content)
    elif content:
        yield TextPart(text=content)
    for file in message.files or ():
        image = image_from_data_url(file.url or "") if file.type == "image" else None
        if image is not None:
            yield image
        else:
            yield TextPart(
                text="\n\n"
                + tr("[File not included in export: {name}]").format(name=(file.name or tr("unnamed"))[:200])
            )


def _answer(content: str) -> Iterator[MessagePart]:
    match = _DETAILS.match(content)
    if match is None:
        yield from split_reasoning(content)
        return
    lines = (line.removeprefix("&gt;").removeprefix(">").strip() for line in match.group(1).splitlines())
    if thought := html.unescape("\n".join(lines)).strip():
        yield ReasoningPart(text=thought)
    if rest := content[match.end() :]:
        yield TextPart(text=rest)
