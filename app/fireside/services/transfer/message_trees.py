"""Build transcripts from other programs' messages, which are linked by name."""

from __future__ import annotations

import base64
import binascii
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from fireside.core.chat import GenerationRecord, MessageState
from fireside.core.i18n import number, tr, tr_noop
from fireside.core.ids import ModelId
from fireside.core.message import ChatMessage, ImagePart, MessagePart, ReasoningPart, Role, TextPart
from fireside.services.transfer.fireside_archive import LATEST_S, MAX_MESSAGES
from fireside.services.transfer.import_refusal import ImportRefused
from fireside.storage.transcripts import TranscriptMessage

TITLE_CHARACTERS: Final = 200
MAX_IMAGE_BYTES: Final = 32 << 20
UNTITLED: Final = tr_noop("Imported chat")
_MILLISECONDS_FROM: Final = 100_000_000_000
_SIGNATURES: Final = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}
_DATA_URL: Final = re.compile(r"data:image/[a-z.+-]{1,40};base64,")
_THINK: Final = re.compile(r"\s*<think(?:ing)?>(.*?)(?:</think(?:ing)?>|\Z)\s*", re.DOTALL)


class Node(msgspec.Struct, frozen=True, kw_only=True):
    """A message by its name. One without parts is skipped: its children move to its parent."""

    name: str
    parent: str | None
    role: Role
    parts: tuple[MessagePart, ...]
    created_at: float = 0.0
    model: str = ""
    is_cut_off: bool = False


def order_messages(
    nodes: Iterable[Node], *, active: str | None
) -> tuple[tuple[TranscriptMessage, ...], int | None]:
    """Return the messages, each after its parent, and the index of the active one.

    A link to a missing message makes a root; of a cycle one link is cut. Siblings keep their order.
    """
    known = {node.name: node for node in nodes}
    if len(known) > MAX_MESSAGES:
        raise ImportRefused(tr("it has more than {most} messages.").format(most=number(MAX_MESSAGES)))
    parents = _nearest_kept_parents(known)
    indexes: dict[str, int] = {}
    messages: list[TranscriptMessage] = []
    for name in _in_order(parents):
        parent = parents[name]
        indexes[name] = len(messages)
        messages.append(_message(known[name], parent=indexes[parent] if parent is not None else None))
    current, seen = active, set[str]()
    while current is not None and current not in indexes and current in known and current not in seen:
        seen.add(current)
        current = known[current].parent
    return tuple(messages), indexes.get(current) if current is not None else None


def _nearest_kept_parents(known: Mapping[str, Node]) -> dict[str, str | None]:
    """Return the nearest ancestor that is kept, for each message that is kept."""
    nearest: dict[str, str | None] = {}
    for name in known:
        trail: list[str] = []
        seen: set[str] = set()
        current: str | None = name
        # Up to the root, or to a message whose ancestor is known: each name is visited once.
        while current is not None and current in known and current not in nearest and current not in seen:
            seen.add(current)
            trail.append(current)
            current = known[current].parent
        is_cycle = current is not None and current in seen
        ancestor = (
            None
            if is_cycle or current is None or current not in known
            else _self_or_ancestor(current, known, nearest)
        )
        for visited in reversed(trail):
            nearest[visited] = ancestor
            ancestor = _self_or_ancestor(visited, known, nearest)
    return {name: parent for name, parent in nearest.items() if known[name].parts}


def _self_or_ancestor(name: str, known: Mapping[str, Node], nearest: Mapping[str, str | None]) -> str | None:
    return name if known[name].parts else nearest[name]


def _in_order(parents: Mapping[str, str | None]) -> Iterable[str]:
    children: dict[str | None, list[str]] = {}
    for name, parent in parents.items():
        children.setdefault(parent, []).append(name)
    pending = list(reversed(children.get(None, [])))
    while pending:
        name = pending.pop()
        yield name
        pending.extend(reversed(children.get(name, [])))


def _message(node: Node, *, parent: int | None) -> TranscriptMessage:
    record = None
    if node.role is Role.ASSISTANT and node.model:
        record = GenerationRecord(model_id=ModelId(node.model), model_name=node.model)
    return TranscriptMessage(
        parent=parent,
        message=ChatMessage(role=node.role, parts=node.parts),
        state=MessageState.INTERRUPTED if node.is_cut_off else MessageState.COMPLETE,
        created_at=node.created_at,
        generation=record,
    )


def epoch_seconds(value: float | str | None) -> float:
    """Return a time in seconds since the epoch, given in seconds or milliseconds; 0 is unknown."""
    if isinstance(value, str) or value is None or not math.isfinite(value):
        return 0.0
    time = value / 1000 if value >= _MILLISECONDS_FROM else float(value)
    return time if 0 <= time <= LATEST_S else 0.0


def clean_title(title: str | None) -> str:
    """Return a title on one line, limited in length."""
    return " ".join((title or "").split())[:TITLE_CHARACTERS] or tr(UNTITLED)


def image_part(data: bytes) -> ImagePart | None:
    """Return an image for models; ``None`` for other kinds of files."""
    for signature, media_type in _SIGNATURES.items():
        if data.startswith(signature) and len(data) <= MAX_IMAGE_BYTES:
            return ImagePart(data=data, media_type=media_type)
    return None


def image_from_data_url(url: str) -> ImagePart | None:
    """Return the image in a ``data:`` URL; nothing is ever fetched."""
    match = _DATA_URL.match(url[:80])
    if match is None or len(url) > 2 * MAX_IMAGE_BYTES:
        return None
    try:
        return image_part(base64.b64decode(url[match.end() :], validate=True))
    except (binascii.Error, ValueError):
        return None


def split_reasoning(text: str) -> tuple[MessagePart, ...]:
    """Return an answer's text with leading reasoning separated from it."""
    match = _THINK.match(text)
    if match is None:
        return (TextPart(text=text),) if text else ()
    rest = text[match.end() :]
    thought = match.group(1).strip()
    parts: Sequence[MessagePart | None] = (
        ReasoningPart(text=thought) if thought else None,
        TextPart(text=rest) if rest else None,
    )
    return tuple(part for part in parts if part is not None)
