"""Convert rows of the database into core values. A damaged row becomes a placeholder, never an exception."""

from __future__ import annotations

from fireside.core.chat import (
    Colour,
    ConversationSummary,
    GenerationRecord,
    MessageState,
    QueuedMessage,
    StoredMessage,
    TitleSource,
)
from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import ErrorInfo, StorageError, localized
from fireside.core.ids import ConversationId, FolderId, MessageId, ModelId, QueuedMessageId
from fireside.core.message import ChatMessage, MessagePart, Role
from fireside.core.options import SettingValue
from fireside.storage.database import Row, Value

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
