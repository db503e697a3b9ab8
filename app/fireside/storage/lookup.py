"""Find rows that other work begins with, or say that they are not stored."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import apsw
from msgspec.structs import replace

from fireside.core.chat import ConversationSummary, MessageState, StoredMessage
from fireside.core.errors import NotStored
from fireside.core.generation import OutputKind
from fireside.core.ids import ConversationId, MessageId
from fireside.core.message import ReasoningPart, TextPart
from fireside.storage.database import Database
from fireside.storage.rows import (
    SELECT_MESSAGES,
    SELECT_SUMMARIES,
    read_message,
    read_summary,
    read_text,
    unreadable_message,
)
from fireside.storage.text import to_json


def find_summary(db: Database, conversation_id: ConversationId) -> ConversationSummary:
    """Return a conversation that is not deleted. Raises ``NotStored``."""
    row = db.row(f"{SELECT_SUMMARIES} AND id = ?", conversation_id)
    if row is None:
        raise NotStored(what="conversation", id=conversation_id)
    return read_summary(row)


def find_message(db: Database, message_id: MessageId) -> StoredMessage:
    """Return a message, with all text that has been saved for it. Raises ``NotStored``."""
    found = find_messages(db, [message_id])
    if not found:
        raise NotStored(what="message", id=message_id)
    return found[0]


def find_messages(db: Database, ids: Sequence[MessageId]) -> tuple[StoredMessage, ...]:
    """Return those of the messages that are stored, in the order of ``ids``."""
    try:
        rows = db.rows(
            f"{SELECT_MESSAGES} WHERE message.id IN (SELECT value FROM json_each(?))",  # noqa: S608  # constants
            to_json(ids),
        )
    except apsw.CorruptError:
        return tuple(_find_damaged(db, message_id) for message_id in ids)
    found = {message.id: _with_chunks(db, message) for message in map(read_message, rows)}
    return tuple(found[message_id] for message_id in ids if message_id in found)


def path_ids(
    db: Database, conversation_id: ConversationId, *, leaf: MessageId | None
) -> tuple[MessageId, ...]:
    """Return the branch that ends in ``leaf``, first message first.

    Without a usable leaf, the branch of the newest message. A damaged link ends the way to the root.
    """
    rows = db.rows("SELECT id, parent_id FROM message WHERE conversation_id = ?", conversation_id)
    parents = {MessageId(id_): parent for id_, parent in rows if isinstance(id_, int)}
    step = leaf if leaf in parents else max(parents, default=None)
    path: dict[MessageId, None] = {}
    while step is not None and step in parents and step not in path:
        path[step] = None
        parent = parents[step]
        step = MessageId(parent) if isinstance(parent, int) else None
    return tuple(reversed(path))


def chunk_parts(db: Database, message_id: MessageId) -> tuple[TextPart | ReasoningPart, ...]:
    """Return what streamed in and is not yet part of the message: neighbours of one kind as one part."""
    rows = db.rows(
        "SELECT CAST(kind AS BLOB), CAST(text AS BLOB) FROM chunk WHERE message_id = ? ORDER BY seq",
        message_id,
    )
    stretches = groupby(rows, key=lambda row: read_text(row[0]) == OutputKind.REASONING.value)
    texts = ((reasons, "".join(read_text(text) for _, text in stretch)) for reasons, stretch in stretches)
    return tuple(
        ReasoningPart(text=text) if reasons else TextPart(text=text) for reasons, text in texts if text
    )


def _with_chunks(db: Database, message: StoredMessage) -> StoredMessage:
    if message.state is not MessageState.STREAMING:
        return message
    if message.id <= db.last_earlier_message:
        message = replace(message, state=MessageState.INTERRUPTED)
    parts = (*message.message.parts, *chunk_parts(db, message.id))
    return replace(message, message=replace(message.message, parts=parts))


def _find_damaged(db: Database, message_id: MessageId) -> StoredMessage:
    """Read one message on its own, so that a damaged page costs only the messages that lie on it."""
    try:
        row = db.row(
            f"{SELECT_MESSAGES} WHERE message.id = ?",
            message_id,
        )
        if row is not None:
            return _with_chunks(db, read_message(row))
    except apsw.CorruptError:
        pass
    return unreadable_message((message_id, None, None, None))
