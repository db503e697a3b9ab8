"""Clean up after the last run: mark interrupted answers, remove deleted conversations."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable

from fireside.core.chat import MessageState
from fireside.core.errors import StorageError
from fireside.core.ids import ConversationId, MessageId
from fireside.storage.database import Database
from fireside.storage.drafts import delete_unused_files
from fireside.storage.folders import purge_deleted_folders
from fireside.storage.presets import purge_deleted_presets
from fireside.storage.rows import chunk_parts, read_parts, read_text
from fireside.storage.text import to_json

IDENTITY = "identity"

log = logging.getLogger(__name__)


def identity_of(db: Database) -> str:
    """Return the unique identity of the database, which is generated at the first call.

    If it cannot be stored, it applies to this run only.
    """
    row = db.row("SELECT CAST(value AS BLOB) FROM app_state WHERE key = ?", IDENTITY)
    if row is not None:
        return read_text(row[0])
    identity = secrets.token_hex(8)
    try:
        with db.typed_errors(), db.transaction():
            db.rows("INSERT OR IGNORE INTO app_state (key, value) VALUES (?, ?)", IDENTITY, identity)
    except StorageError:
        log.exception("the identity of the database cannot be stored")
    return identity


def clean_up(db: Database, *, before_purge: Callable[[ConversationId], None]) -> int:
    """Remove what was deleted and mark interrupted answers; return the number of those.

    ``before_purge`` is called with each conversation before it is removed for good.

    Where a step fails, on a full disk or a damaged page, the database stays readable: the step is left for
    the next start, and until then those answers are read as interrupted.
    """
    (newest,) = db.row("SELECT max(id) FROM message") or (None,)
    db.last_earlier_message = newest if isinstance(newest, int) else 0
    if db.read_only is not None:
        return 0
    purges: tuple[Callable[[Database], int], ...] = (
        lambda db: purge_deleted(db, before_purge=before_purge),
        purge_deleted_messages,
        purge_deleted_presets,
        purge_deleted_folders,
    )
    for purge in purges:
        _attempt(db, purge)
    return _attempt(db, recover_interrupted)


def _attempt(db: Database, step: Callable[[Database], int]) -> int:
    try:
        with db.typed_errors():
            return step(db)
    except StorageError:
        log.exception("the last run is not cleaned up")
        return 0


def purge_deleted(db: Database, *, before_purge: Callable[[ConversationId], None]) -> int:
    """Remove deleted conversations with all their data. Returns how many."""
    rows = db.rows("SELECT id FROM conversation WHERE deleted_at IS NOT NULL")
    for (conversation_id,) in rows:
        assert isinstance(conversation_id, int)
        before_purge(ConversationId(conversation_id))
        with db.transaction():
            for table in ("chunk", "generation"):
                db.rows(
                    f"DELETE FROM {table} WHERE message_id IN "  # noqa: S608  # a literal of ours
                    "(SELECT id FROM message WHERE conversation_id = ?)",
                    conversation_id,
                )
            db.rows("UPDATE conversation SET active_leaf = NULL WHERE id = ?", conversation_id)
            db.rows("DELETE FROM message WHERE conversation_id = ?", conversation_id)
            db.rows("DELETE FROM waiting_message WHERE conversation_id = ?", conversation_id)
            db.rows("DELETE FROM conversation WHERE id = ?", conversation_id)
            delete_unused_files(db)
    return len(rows)


def purge_deleted_messages(db: Database) -> int:
    """Remove deleted messages; their children become children of their parent. Returns how many."""
    rows = db.rows("SELECT id, conversation_id FROM message WHERE deleted_at IS NOT NULL")
    for id_, conversation_id in rows:
        with db.transaction():
            parent = "(SELECT parent_id FROM message WHERE id = ?1)"
            db.rows(
                f"UPDATE message SET parent_id = {parent} "  # noqa: S608  # a literal of ours
                "WHERE conversation_id = ?2 AND parent_id = ?1",
                id_,
                conversation_id,
            )
            db.rows(
                f"UPDATE conversation SET active_leaf = {parent} WHERE id = ?2 AND active_leaf = ?1",  # noqa: S608  # a literal of ours
                id_,
                conversation_id,
            )
            for table in ("chunk", "generation"):
                db.rows(f"DELETE FROM {table} WHERE message_id = ?", id_)  # noqa: S608  # a literal of ours
            db.rows("DELETE FROM message WHERE id = ?", id_)
    return len(rows)


def recover_interrupted(db: Database) -> int:
    """Mark streaming answers as interrupted, with all text saved for them. Returns how many.

    Answers that another program is writing are not changed.
    """
    streaming = "SELECT id, CAST(parts AS BLOB) FROM message WHERE state = ?"
    if not db.rows(streaming, MessageState.STREAMING.value):
        return 0
    n_done = 0
    with db.transaction():  # no other program can finish an answer meanwhile
        for id_, parts in db.rows(streaming, MessageState.STREAMING.value):
            assert isinstance(id_, int)
            if db.locks.is_taken(id_):
                continue
            merged = (*read_parts(parts), *chunk_parts(db, MessageId(id_)))
            db.rows(
                "UPDATE message SET parts = ?, state = ? WHERE id = ?",
                to_json(merged),
                MessageState.INTERRUPTED.value,
                id_,
            )
            db.rows("DELETE FROM chunk WHERE message_id = ?", id_)
            n_done += 1
    return n_done
