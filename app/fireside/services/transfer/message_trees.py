"""Build transcripts from other programs' messages, which are linked by name."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

import msgspec

from fireside.core.chat import GenerationRecord, MessageState
from fireside.core.i18n import number, tr, tr_noop
from fireside.core.ids import ModelId
from fireside.core.message import ChatMessage, MessagePart, Role
from fireside.services.transfer.fireside_archive import LATEST_S, MAX_MESSAGES
from fireside.services.transfer.import_refusal import ImportRefused
from fireside.storage.transcripts import TranscriptMessage

_MAX_NAME: Final = 200
TITLE_CHARACTERS: Final = 200
UNTITLED: Final = tr_noop("Imported chat")
_MILLISECONDS_FROM: Final = 100_000_000_000
_LATEST_NANOSECONDS: Final = 1e21


class Node(msgspec.Struct, frozen=True, kw_only=True):
    """A message by its name. One without parts is skipped: its children move to its parent."""

    name: str
    parent: str | None
    role: Role
    parts: tuple[MessagePart, ...]
    created_at: float = 0.0
    model: str = ""
    is_cut_off: bool = False
    is_named: bool = False
    """Whether ``name`` is what the other program calls it, and not its place."""


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
        name=node.name[:_MAX_NAME] if node.is_named else "",
    )


def epoch_seconds(value: float | str | None) -> float:
    """Return a time in seconds since the epoch, given in seconds, milliseconds, microseconds or nanoseconds,
    or as in ISO 8601; 0 is unknown."""
    if isinstance(value, str):
        value = _parsed_time(value)
    if value is None or not math.isfinite(value) or value > _LATEST_NANOSECONDS:
        return 0.0
    time = float(value)
    while time >= _MILLISECONDS_FROM:
        time /= 1000
    return time if 0 <= time <= LATEST_S else 0.0


def _parsed_time(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        pass
    try:
        time = datetime.fromisoformat(text.strip())
        return (time if time.tzinfo is not None else time.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def origin_of(program: str, name: str | None, *, messages: Sequence[TranscriptMessage]) -> str:
    """Return what identifies a conversation: the ``name`` that its file has for it, or else how it begins."""
    beginning = msgspec.json.encode(messages[0].message) if messages else b""
    return f"{program}:{name[:200] if name else hashlib.sha256(beginning).hexdigest()}"


def clean_title(title: str | None) -> str:
    """Return a title on one line, limited in length."""
    return " ".join((title or "").split())[:TITLE_CHARACTERS] or tr(UNTITLED)
