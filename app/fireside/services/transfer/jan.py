"""Read a thread of Jan: ``thread.json``, and ``messages.jsonl`` with one message a line."""

from __future__ import annotations

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

_ROLES: Final = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM, "tool": Role.TOOL}
_CUT_OFF: Final = ("stopped", "error", "pending")


class _Model(msgspec.Struct, frozen=True):
    id: str | None = None


class _Assistant(msgspec.Struct, frozen=True):
    instructions: str | None = None
    model: _Model | None = None


class _Thread(msgspec.Struct, frozen=True):
    id: str
    title: str | None = None
    assistants: list[_Assistant] | None = None
    created: float | None = None
    updated: float | None = None


class _Text(msgspec.Struct, frozen=True):
    value: str | None = None


class _Image(msgspec.Struct, frozen=True):
    url: str | None = None


class _Piece(msgspec.Struct, frozen=True):
    type: str
    text: _Text | str | None = None
    image_url: _Image | None = None


class _Message(msgspec.Struct, frozen=True):
    id: str
    role: str
    content: list[_Piece] | str | None = None
    status: str | None = None
    created_at: float | None = None
    created: float | None = None


_THREAD = msgspec.json.Decoder(_Thread)
_MESSAGE = msgspec.json.Decoder(_Message)


def read_jan(thread: bytes, *, messages: bytes) -> Transcript:
    """Return the thread with its messages in Jan's order. Raises ``ImportRefused``."""
    with refuse_invalid():
        thread_data = _THREAD.decode(thread)
    if not thread_data.id:
        raise ImportRefused(tr_noop("it has no identifier (“id”)."))
    first = thread_data.assistants[0] if thread_data.assistants else _Assistant()
    model = (first.model.id or "")[:200] if first.model is not None else ""
    nodes: list[Node] = []
    for line in messages.splitlines():
        if line.strip():
            with refuse_invalid():
                message = _MESSAGE.decode(line)
            parent = nodes[-1].name if nodes else None
            nodes.append(_node(f"{len(nodes)}", message, parent=parent, model=model))
    ordered, active = order_messages(nodes, active=nodes[-1].name if nodes else None)
    created = epoch_seconds(thread_data.created)
    return Transcript(
        origin=f"jan:{thread_data.id[:200]}",
        title=clean_title(thread_data.title),
        created_at=created,
        updated_at=epoch_seconds(thread_data.updated) or created,
        overrides={"chat.system_prompt": first.instructions} if first.instructions else {},
        active=active,
        messages=ordered,
    )


def _node(name: str, message: _Message, *, parent: str | None, model: str) -> Node:
    role = _ROLES.get(message.role)
    return Node(
        name=name,
        parent=parent,
        role=role or Role.SYSTEM,
        parts=tuple(_parts(message, role)) if role is not None else (),
        created_at=epoch_seconds(message.created_at or message.created),
        model=model if role is Role.ASSISTANT else "",
        is_cut_off=message.status in _CUT_OFF,
    )


def _parts(message: _Message, role: Role) -> Iterator[MessagePart]:
    if isinstance(message.content, str):
        yield from _text(message.content, role)
        return
    for piece in message.content or ():
        text = (piece.text.value or "") if isinstance(piece.text, _Text) else (piece.text or "")
        if piece.type == "reasoning" and text:
            yield ReasoningPart(text=text)
        elif text:
            yield from _text(text, role)
        if piece.image_url is not None:
            image = image_from_data_url(piece.image_url.url or "")
            yield (
                image if image is not None else TextPart(text="\n\n" + tr("[Image not included in thread]"))
            )


def _text(text: str, role: Role) -> Iterator[MessagePart]:
    if role is Role.ASSISTANT:
        yield from split_reasoning(text)
    elif text:
        yield TextPart(text=text)
