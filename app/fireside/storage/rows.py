"""Convert rows of the database into core values. A damaged row becomes a placeholder, never an exception."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

import apsw
from msgspec.structs import replace

from fireside.core.chat import (
    Branches,
    Colour,
    ConversationSummary,
    GenerationRecord,
    MessageState,
    QueuedMessage,
    StoredMessage,
    TitleSource,
)
from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import ErrorInfo, RecordNotFound, StorageError, localized
from fireside.core.generation import OutputKind
from fireside.core.ids import ConversationId, FolderId, MessageId, ModelId, QueuedMessageId
from fireside.core.message import ChatMessage, MessagePart, ReasoningPart, Role, TextPart
from fireside.core.options import SettingValue
from fireside.storage.database import Database, Row, Value
from fireside.storage.text import to_json

# Text is read as bytes, since damaged UTF-8 would otherwise fail the whole query instead of one row.
SELECT_SUMMARIES = """
    SELECT id, CAST(title AS BLOB), pinned, created_at, updated_at, CAST(model_id AS BLOB),
      folder_id, archived_at, CAST(colour AS BLOB), CAST(title_by AS BLOB)
    FROM conversation WHERE deleted_at IS NULL
"""
SELECT_MESSAGES = """
    SELECT message.id, conversation_id, parent_id, CAST(role AS BLOB), CAST(parts AS BLOB),
      CAST(state AS BLOB), created_at, CAST(error AS BLOB), CAST(generation.record AS BLOB)
    FROM message LEFT JOIN generation ON generation.message_id = message.id
"""
SELECT_QUEUED = """
    SELECT id, conversation_id, CAST(parts AS BLOB), CAST(model_id AS BLOB), created_at, CAST(edit AS BLOB)
    FROM waiting_message
"""

_PARTS = tuple[MessagePart, ...]
_OVERRIDES = dict[str, SettingValue]


def read_summary(row: Row) -> ConversationSummary:
    """Return the summary of a conversation; a damaged field gets a default value."""
    id_, title, pinned, created_at, updated_at, model_id, folder_id, archived_at, colour, title_by = row
    return ConversationSummary(
        id=ConversationId(_integer(id_)),
        title=read_text(title),
        pinned=bool(pinned),
        created_at=_time(created_at),
        updated_at=_time(updated_at),
        model_id=ModelId(read_text(model_id)) if model_id is not None else None,
        folder_id=FolderId(folder_id) if isinstance(folder_id, int) else None,
        archived=archived_at is not None,
        colour=read_colour(colour),
        title_by=_read_title_by(title_by),
    )


def read_colour(value: Value) -> Colour | None:
    """Return a colour by its name; ``None`` for an unknown name."""
    try:
        return Colour(read_text(value))
    except ValueError:
        return None


def read_message(row: Row) -> StoredMessage:
    """Return a message, or a placeholder if it is damaged."""
    id_, conversation_id, parent_id, role, parts, state, created_at, error, record = row
    try:
        return StoredMessage(
            id=MessageId(_integer(id_)),
            conversation_id=ConversationId(_integer(conversation_id)),
            parent_id=MessageId(_integer(parent_id)) if parent_id is not None else None,
            message=ChatMessage(role=Role(_exact(role)), parts=decode_json(_bytes(parts), kind=_PARTS)),
            state=MessageState(_exact(state)),
            created_at=_time(created_at),
            generation=_read_record(record),
            error=localized(decode_json(_bytes(error), kind=ErrorInfo)) if error is not None else None,
        )
    except (ValueError, TypeError):
        return unreadable_message(row)


def read_queued(row: Row) -> QueuedMessage:
    """Return a queued message; without contents if those are damaged."""
    id_, conversation_id, parts, model_id, created_at, edit = row
    return QueuedMessage(
        id=QueuedMessageId(_integer(id_)),
        conversation_id=ConversationId(_integer(conversation_id)),
        message=ChatMessage(role=Role.USER, parts=read_parts(parts)),
        model_id=ModelId(read_text(model_id)),
        created_at=_time(created_at),
        edit=read_text(edit) if edit is not None else None,
    )


def unreadable_message(row: Row) -> StoredMessage:
    """Return the placeholder for a damaged message, at its position in the branch."""
    id_, conversation_id, parent_id, role = row[:4]
    try:
        readable_role = Role(_exact(role))
    except (ValueError, TypeError):
        readable_role = Role.ASSISTANT
    message_id = id_ if isinstance(id_, int) else 0
    return StoredMessage(
        id=MessageId(message_id),
        conversation_id=ConversationId(conversation_id if isinstance(conversation_id, int) else 0),
        parent_id=MessageId(parent_id) if isinstance(parent_id, int) else None,
        message=ChatMessage(role=readable_role, parts=()),
        state=MessageState.FAILED,
        created_at=0.0,
        error=StorageError.of("message_unreadable").info(),
    )


def read_parts(value: Value) -> tuple[MessagePart, ...]:
    """Return the parts of a message; none if they are damaged."""
    try:
        return decode_json(_bytes(value), kind=_PARTS)
    except (TypeError, JsonInvalid):
        return ()


def read_overrides(value: Value) -> dict[str, SettingValue]:
    """Return the settings of a conversation; none if they are damaged."""
    try:
        return decode_json(_bytes(value), kind=_OVERRIDES)
    except (TypeError, JsonInvalid):
        return {}


def read_text(value: Value) -> str:
    """Decode text, with � for damaged characters."""
    return value.decode(errors="replace") if isinstance(value, bytes) else ""


def _read_title_by(value: Value) -> TitleSource:
    """Return the source of a title; an unreadable value counts as the user's, which is never replaced."""
    try:
        return TitleSource(read_text(value))
    except ValueError:
        return TitleSource.USER


def _read_record(value: Value) -> GenerationRecord | None:
    """Return the record of an answer; ``None`` if it is damaged, since the answer itself is readable."""
    try:
        return decode_json(_bytes(value), kind=GenerationRecord) if value is not None else None
    except (TypeError, JsonInvalid):
        return None


def _bytes(value: Value) -> bytes:
    if not isinstance(value, bytes):
        raise TypeError("not text")
    return value


def _exact(value: Value) -> str:
    return _bytes(value).decode()


def _integer(value: Value) -> int:
    if not isinstance(value, int):
        raise TypeError("not a whole number")
    return value


def _time(value: Value) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


# Look up conversations, messages and branches, or raise ``RecordNotFound``


def find_summary(db: Database, conversation_id: ConversationId) -> ConversationSummary:
    """Return a conversation that is not deleted. Raises ``RecordNotFound``."""
    row = db.row(f"{SELECT_SUMMARIES} AND id = ?", conversation_id)
    if row is None:
        raise RecordNotFound(what="conversation", id=conversation_id)
    return read_summary(row)


def find_overrides(db: Database, conversation_id: ConversationId) -> dict[str, SettingValue]:
    """Return the own settings of a conversation, by key. Raises ``RecordNotFound``."""
    find_summary(db, conversation_id)
    row = db.row("SELECT CAST(overrides AS BLOB) FROM conversation WHERE id = ?", conversation_id)
    return read_overrides(row[0]) if row is not None else {}


def active_leaf(db: Database, conversation_id: ConversationId) -> MessageId | None:
    """Return the leaf of the active branch, as stored."""
    row = db.row("SELECT active_leaf FROM conversation WHERE id = ?", conversation_id)
    return MessageId(row[0]) if row is not None and isinstance(row[0], int) else None


def find_message(db: Database, message_id: MessageId) -> StoredMessage:
    """Return a message with all text saved so far. Raises ``RecordNotFound``."""
    messages = find_messages(db, [message_id])
    if not messages:
        raise RecordNotFound(what="message", id=message_id)
    return messages[0]


def find_messages(db: Database, ids: Sequence[MessageId]) -> tuple[StoredMessage, ...]:
    """Return the messages that exist, in the order of ``ids``."""
    try:
        rows = db.rows(
            f"{SELECT_MESSAGES} WHERE message.id IN (SELECT value FROM json_each(?))",  # noqa: S608  # constants
            to_json(ids),
        )
    except apsw.CorruptError:
        return tuple(_find_damaged(db, message_id) for message_id in ids)
    deleted = _deleted_parents(db)
    by_id = {
        message.id: _with_chunks(db, _with_live_parent(message, deleted))
        for message in map(read_message, rows)
    }
    return tuple(by_id[message_id] for message_id in ids if message_id in by_id)


def _deleted_parents(db: Database) -> dict[MessageId, MessageId | None]:
    """Return the parent of each deleted message."""
    rows = db.rows("SELECT id, parent_id FROM message WHERE deleted_at IS NOT NULL")
    return {
        MessageId(id_): MessageId(parent) if isinstance(parent, int) else None
        for id_, parent in rows
        if isinstance(id_, int)
    }


def _with_live_parent(message: StoredMessage, deleted: Mapping[MessageId, MessageId | None]) -> StoredMessage:
    """Return a message with its nearest ancestor that is not deleted as its parent."""
    parent, seen = message.parent_id, {message.id}
    while parent is not None and parent in deleted and parent not in seen:
        seen.add(parent)
        parent = deleted[parent]
    return message if parent == message.parent_id else replace(message, parent_id=parent)


def path_ids(
    db: Database, conversation_id: ConversationId, *, leaf: MessageId | None
) -> tuple[MessageId, ...]:
    """Return the branch that ends in ``leaf``, from its root, without deleted messages.

    Without a usable leaf it is the branch of the newest message. A damaged link ends the search for the root.
    """
    return _path(_links(db, conversation_id), leaf=leaf)


def find_branches(
    db: Database, conversation_id: ConversationId, *, leaf: MessageId | None
) -> tuple[tuple[MessageId, ...], Branches]:
    """Return the branch that ends in ``leaf``, as ``path_ids`` does, with siblings and pins."""
    links = _links(db, conversation_id)
    path = _path(links, leaf=leaf)
    by_parent: dict[MessageId | None, list[MessageId]] = {}
    for id_, link in sorted(links.items()):
        if not link.is_deleted:
            by_parent.setdefault(_live_parent(links, id_), []).append(id_)
    groups = ((id_, tuple(by_parent[_live_parent(links, id_)])) for id_ in path)
    return path, Branches(
        siblings={id_: group for id_, group in groups if len(group) > 1},
        pinned=frozenset(id_ for id_ in path if links[id_].is_pinned),
    )


def live_parents(db: Database, conversation_id: ConversationId) -> dict[MessageId, MessageId | None]:
    """Return every message that is not deleted, oldest first, with its nearest such ancestor."""
    links = _links(db, conversation_id)
    return {id_: _live_parent(links, id_) for id_, link in sorted(links.items()) if not link.is_deleted}


def find_queued(db: Database, conversation_id: ConversationId) -> tuple[QueuedMessage, ...]:
    """Return the queued messages in their order; an unreadable one is empty."""
    rows = db.rows(
        f"{SELECT_QUEUED} WHERE conversation_id = ? ORDER BY position, id",
        conversation_id,
    )
    return tuple(map(read_queued, rows))


class _Link(NamedTuple):
    parent: MessageId | None
    is_deleted: bool
    is_pinned: bool


def _links(db: Database, conversation_id: ConversationId) -> dict[MessageId, _Link]:
    rows = db.rows(
        "SELECT id, parent_id, deleted_at IS NOT NULL, pinned_at IS NOT NULL "
        "FROM message WHERE conversation_id = ?",
        conversation_id,
    )
    return {
        MessageId(id_): _Link(
            parent=MessageId(parent) if isinstance(parent, int) else None,
            is_deleted=bool(is_deleted),
            is_pinned=bool(is_pinned),
        )
        for id_, parent, is_deleted, is_pinned in rows
        if isinstance(id_, int)
    }


def _path(links: Mapping[MessageId, _Link], *, leaf: MessageId | None) -> tuple[MessageId, ...]:
    newest = max((id_ for id_, link in links.items() if not link.is_deleted), default=None)
    current = leaf if leaf in links else newest
    path: dict[MessageId, None] = {}
    while current is not None and current in links and current not in path:
        path[current] = None
        current = links[current].parent
    return tuple(id_ for id_ in reversed(path) if not links[id_].is_deleted)


def _live_parent(links: Mapping[MessageId, _Link], id_: MessageId) -> MessageId | None:
    seen = {id_}
    parent = links[id_].parent
    while parent is not None and parent in links and parent not in seen and links[parent].is_deleted:
        seen.add(parent)
        parent = links[parent].parent
    return parent if parent in links and parent not in seen else None


def chunk_parts(db: Database, message_id: MessageId) -> tuple[TextPart | ReasoningPart, ...]:
    """Return streamed text that is not yet part of the message; consecutive text of one kind is one part."""
    rows = db.rows(
        "SELECT CAST(kind AS BLOB), CAST(text AS BLOB) FROM chunk WHERE message_id = ? ORDER BY seq",
        message_id,
    )
    groups = groupby(rows, key=lambda row: read_text(row[0]) == OutputKind.REASONING.value)
    texts = ((is_reasoning, "".join(read_text(text) for _, text in group)) for is_reasoning, group in groups)
    return tuple(
        ReasoningPart(text=text) if is_reasoning else TextPart(text=text)
        for is_reasoning, text in texts
        if text
    )


def _with_chunks(db: Database, message: StoredMessage) -> StoredMessage:
    if message.state is not MessageState.STREAMING:
        return message
    is_earlier = message.id <= db.last_earlier_message and message.id not in db.reopened
    if is_earlier and not db.locks.is_taken(message.id):
        message = replace(message, state=MessageState.INTERRUPTED)
    parts = (*message.message.parts, *chunk_parts(db, message.id))
    return replace(message, message=replace(message.message, parts=parts))


def _find_damaged(db: Database, message_id: MessageId) -> StoredMessage:
    """Read one message on its own, so that a damaged page affects only the messages on it."""
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
