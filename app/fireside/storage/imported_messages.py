"""Which stored messages imported ones became: what a later import of the same conversation finds as new."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence, Set
from typing import Final, NamedTuple

from fireside.core.ids import ConversationId
from fireside.storage.database import Database
from fireside.storage.rows import read_text
from fireside.storage.text import storable

_IMAGE: Final = '"type":"image"'
"""Of a part as JSON; within a text its quotes are escaped."""


class Incoming(NamedTuple):
    """A message of a transcript, as far as it is compared."""

    name: str
    """What identifies it in another program; empty if nothing does."""
    parent: int | None
    """The index of its parent among the messages before it."""
    role: str
    parts: str
    """As JSON."""
    created_at: float

    @property
    def digest(self) -> str:
        return digest_of(self.parts)


class Imported(NamedTuple):
    """What an imported message became."""

    message_id: int | None
    """``None`` if it was removed since."""
    digest: str


class _Stored(NamedTuple):
    id: int
    role: str
    parts: str
    created_at: float


def digest_of(parts: str) -> str:
    """Return what tells apart parts of messages, as JSON."""
    return hashlib.sha256(parts.encode()).hexdigest()[:32]


def names_of(messages: Sequence[Incoming]) -> tuple[str, ...]:
    """Return a name for each message: its own, or one of its content and of all messages before it.

    So a message that was edited elsewhere and has no name of its own is another one, with all that follow it.
    """
    names: list[str] = []
    taken: Counter[str] = Counter()
    for message in messages:
        if not (name := message.name):
            before = names[message.parent] if message.parent is not None else ""
            name = "#" + digest_of("\n".join((before, message.role, message.parts)))
        taken[name] += 1
        names.append(storable(name if taken[name] == 1 else f"{name}#{taken[name]}"))
    return tuple(names)


def find_imported(db: Database, conversation_id: ConversationId) -> dict[str, Imported]:
    """Return what was recorded, by name."""
    rows = db.rows(
        "SELECT CAST(name AS BLOB), message_id, CAST(digest AS BLOB) FROM imported_message "
        "WHERE conversation_id = ?",
        conversation_id,
    )
    return {
        read_text(name): Imported(id_ if isinstance(id_, int) else None, read_text(digest))
        for name, id_, digest in rows
    }


def record_imported(
    db: Database, conversation_id: ConversationId, name: str, message_id: int, digest: str
) -> None:
    """Record what an imported message became, in place of what was recorded for its name."""
    db.rows(
        "INSERT OR REPLACE INTO imported_message (conversation_id, name, message_id, digest) "
        "VALUES (?, ?, ?, ?)",
        conversation_id,
        name,
        message_id,
        digest,
    )


def match_stored(
    db: Database,
    conversation_id: ConversationId,
    messages: Sequence[Incoming],
    names: Sequence[str],
) -> dict[str, Imported]:
    """Return what the messages are here where that was not recorded: an earlier version imported them, or the
    conversation began here.

    Under one parent they are matched by role and content, then by time, then by their order.
    """
    children = _children(db, conversation_id)
    siblings: dict[int | None, list[int]] = {}
    for index, message in enumerate(messages):
        siblings.setdefault(message.parent, []).append(index)
    found: dict[int, int] = {}
    for parent in (None, *range(len(messages))):
        if parent is not None and parent not in found:
            continue
        here = children.get(found[parent] if parent is not None else None, [])
        found |= _matched(siblings.get(parent, []), messages, here)
    return {names[index]: Imported(id_, messages[index].digest) for index, id_ in found.items()}


def parent_of(message: Incoming, ids: Sequence[int | None], messages: Sequence[Incoming]) -> int | None:
    """Return the nearest stored message before a new one; ``ids`` are those of the messages so far, ``None``
    for what was removed."""
    parent = message.parent
    while parent is not None and ids[parent] is None:
        parent = messages[parent].parent
    return ids[parent] if parent is not None else None


def show_new(
    db: Database,
    conversation_id: ConversationId,
    *,
    leaf: int | None,
    imported: Set[int | None],
    updated_at: float,
) -> None:
    """Note that messages came: ``leaf`` ends the branch that is shown now, unless the user went on here.

    ``imported`` are the messages that had been imported before.
    """
    row = db.row("SELECT active_leaf FROM conversation WHERE id = ?", conversation_id)
    is_moved = leaf is not None and row is not None and (row[0] is None or row[0] in imported)
    db.rows(
        "UPDATE conversation SET updated_at = max(updated_at, ?), active_leaf = iif(?, ?, active_leaf) "
        "WHERE id = ?",
        updated_at,
        int(is_moved),
        leaf,
        conversation_id,
    )


def is_as_imported(db: Database, message_id: int, digest: str) -> bool:
    """Return whether a message was not changed here since it was imported with that digest."""
    return digest_of(_parts_of(db, message_id)) == digest


def has_more_images(db: Database, message_id: int, message: Incoming) -> bool:
    """Return whether a stored message has images that it would lose: an export may come without files."""
    return _parts_of(db, message_id).count(_IMAGE) > message.parts.count(_IMAGE)


def _parts_of(db: Database, message_id: int) -> str:
    row = db.row("SELECT CAST(parts AS BLOB) FROM message WHERE id = ?", message_id)
    return read_text(row[0]) if row is not None else ""


def _matched(indexes: Sequence[int], messages: Sequence[Incoming], here: Sequence[_Stored]) -> dict[int, int]:
    left, found = list(here), dict[int, int]()
    for way in range(3):
        for index in indexes:
            if index in found:
                continue
            message = messages[index]
            for stored in left:
                is_same = (
                    stored.parts == message.parts,
                    message.created_at > 0 and stored.created_at == message.created_at,
                    True,
                )[way]
                if is_same and stored.role == message.role:
                    found[index] = stored.id
                    left.remove(stored)
                    break
    return found


def _children(db: Database, conversation_id: ConversationId) -> dict[int | None, list[_Stored]]:
    """Return the messages by their parent, removed ones as well: they are not to come back."""
    rows = db.rows(
        "SELECT id, parent_id, CAST(role AS BLOB), CAST(parts AS BLOB), created_at FROM message "
        "WHERE conversation_id = ? ORDER BY id",
        conversation_id,
    )
    children: dict[int | None, list[_Stored]] = {}
    for id_, parent_id, role, parts, created_at in rows:
        if isinstance(id_, int) and isinstance(created_at, int | float):
            parent = parent_id if isinstance(parent_id, int) else None
            stored = _Stored(id_, read_text(role), read_text(parts), float(created_at))
            children.setdefault(parent, []).append(stored)
    return children
