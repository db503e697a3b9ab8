"""Update the search index from its queue of changed messages and titles."""

from __future__ import annotations

import time
from typing import Final

import apsw

from fireside.core.chat import GenerationRecord, MessageState
from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.message import Role, TextPart
from fireside.core.text_folding import fold, spaced
from fireside.storage.database import Database, Durability, Row, Value
from fireside.storage.rows import read_parts, read_text

MESSAGE: Final = "message"
TITLE: Final = "title"
_BATCH: Final = 50
_MERGE_STATE: Final = "search_to_merge"
_MERGE_PAGES: Final = 200
_INDEXED: Final = (Role.USER.value, Role.ASSISTANT.value)


def index_pending(db: Database, *, limit_s: float) -> int:
    """Index queued changes for about ``limit_s`` seconds, titles first, then the newest messages. Returns how
    many are left.

    A power cut may undo this; the changes are then queued again.
    """
    deadline = time.perf_counter() + limit_s
    while True:
        pending = db.rows(
            "SELECT CAST(kind AS BLOB), id FROM search_pending ORDER BY kind DESC LIMIT ?", _BATCH
        )
        if not pending:
            return 0
        with db.transaction(Durability.PROCESS):
            for kind, id_ in pending:
                _index_title(db, id_) if read_text(kind) == TITLE else _index_message(db, id_)
                db.rows("DELETE FROM search_pending WHERE kind = CAST(? AS TEXT) AND id = ?", kind, id_)
        if time.perf_counter() >= deadline:
            return n_pending(db)


def n_pending(db: Database) -> int:
    """Return how many messages and titles are queued."""
    (n,) = db.row("SELECT count(*) FROM search_pending") or (0,)
    return n if isinstance(n, int) else 0


def merge(db: Database) -> bool:
    """Overwrite some of the deleted text in the index. Returns whether there is more."""
    row = db.row("SELECT CAST(value AS BLOB) FROM app_state WHERE key = ?", _MERGE_STATE)
    if row is None:
        return False
    # A negative number starts a full merge, a positive one continues it; see “merge” of FTS5.
    n_pages = -_MERGE_PAGES if read_text(row[0]) == "begin" else _MERGE_PAGES
    before = db.connection.total_changes()
    with db.transaction(Durability.PROCESS):
        for table in ("search_text", "search_title"):
            db.rows(f"INSERT INTO {table} ({table}, rank) VALUES ('merge', ?)", n_pages)  # noqa: S608  # literals
        is_done = n_pages > 0 and db.connection.total_changes() - before <= len(("text", "title"))
        if is_done:
            db.rows("DELETE FROM app_state WHERE key = ?", _MERGE_STATE)
        else:
            db.rows("UPDATE app_state SET value = 'go on' WHERE key = ?", _MERGE_STATE)
    return not is_done


def rebuild(db: Database) -> None:
    """Clear the index and queue everything."""
    with db.transaction():
        for table in ("search_text", "search_title"):
            db.rows(f"INSERT INTO {table} ({table}) VALUES ('delete-all')")  # noqa: S608  # literals
        db.rows("DELETE FROM search_message")
        db.rows("INSERT OR IGNORE INTO search_pending (kind, id) SELECT 'message', id FROM message")
        db.rows("INSERT OR IGNORE INTO search_pending (kind, id) SELECT 'title', id FROM conversation")


def text_of(parts: Value) -> str:
    """Return the searchable text of a message's parts: questions and answers, without reasoning."""
    return "\n".join(part.text for part in read_parts(parts) if isinstance(part, TextPart))


def _index_title(db: Database, id_: Value) -> None:
    row = db.row("SELECT CAST(title AS BLOB) FROM conversation WHERE id = ?", id_)
    _delete_row(db, "search_title", id_)
    if row is not None:
        text = spaced(fold(read_text(row[0])))
        db.rows("INSERT INTO search_title (rowid, text) VALUES (?, ?)", id_, text)


def _index_message(db: Database, id_: Value) -> None:
    row = _message(db, id_)
    _delete_row(db, "search_text", id_)
    db.rows("DELETE FROM search_message WHERE message_id = ?", id_)
    if row is not None and _is_indexed(row):
        conversation_id, role, created_at, parts, _state, _deleted_at, record = row
        db.rows("INSERT INTO search_text (rowid, text) VALUES (?, ?)", id_, spaced(fold(text_of(parts))))
        db.rows(
            "INSERT INTO search_message (message_id, conversation_id, role, created_at, model_id) "
            "VALUES (?, ?, ?, ?, ?)",
            id_,
            conversation_id,
            read_text(role),
            created_at,
            _model_of(record),
        )


def _message(db: Database, id_: Value) -> Row | None:
    try:
        return db.row(
            "SELECT conversation_id, CAST(role AS BLOB), created_at, CAST(parts AS BLOB), "
            "CAST(state AS BLOB), deleted_at, CAST(generation.record AS BLOB) "
            "FROM message LEFT JOIN generation ON generation.message_id = message.id WHERE message.id = ?",
            id_,
        )
    except apsw.CorruptError:
        # The message is on a damaged page and cannot be indexed; the others can.
        return None


def _is_indexed(row: Row) -> bool:
    _conversation_id, role, _created_at, _parts, state, deleted_at, _record = row
    return (
        deleted_at is None
        and read_text(role) in _INDEXED
        and read_text(state) != MessageState.STREAMING.value
    )


def _model_of(record: Value) -> str | None:
    try:
        return decode_json(record, kind=GenerationRecord).model_id if isinstance(record, bytes) else None
    except JsonInvalid:
        return None


def _delete_row(db: Database, table: str, id_: Value) -> None:
    """Delete a row of the index. FTS5 only marks it as deleted; ``merge`` overwrites its text."""
    if db.row(f"SELECT 1 FROM {table} WHERE rowid = ?", id_) is None:  # noqa: S608  # a literal of ours
        return
    db.rows(f"DELETE FROM {table} WHERE rowid = ?", id_)  # noqa: S608  # a literal of ours
    db.rows(
        "INSERT INTO app_state (key, value) VALUES (?, 'begin') "
        "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        _MERGE_STATE,
    )
