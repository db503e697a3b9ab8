"""What the last run of the program left behind: answers cut off, conversations deleted."""

from __future__ import annotations

import logging

from fireside.core.chat import MessageState
from fireside.core.errors import StorageError
from fireside.core.ids import MessageId
from fireside.core.message import TextPart
from fireside.storage.database import Database
from fireside.storage.lookup import chunk_text
from fireside.storage.rows import read_parts
from fireside.storage.text import to_json

log = logging.getLogger(__name__)


def tidy(db: Database) -> int:
    """Do both. Returns how many answers had been cut off.

    Where it cannot be done, on a full disk or a damaged page, what can be read is more important: it is left
    for the next start, and until then those answers are read as interrupted.
    """
    (newest,) = db.row("SELECT max(id) FROM message") or (None,)
    db.last_earlier_message = newest if isinstance(newest, int) else 0
    for work in (purge_deleted, recover_interrupted):
        try:
            with db.typed_errors():
                n_done = work(db)
        except StorageError:
            log.exception("the last run is not tidied up")
            n_done = 0
    return n_done


def purge_deleted(db: Database) -> int:
    """Remove conversations that were deleted, with everything in them. Returns how many."""
    rows = db.rows("SELECT id FROM conversation WHERE deleted_at IS NOT NULL")
    for (conversation_id,) in rows:
        with db.transaction():
            for table in ("chunk", "generation"):
                db.rows(
                    f"DELETE FROM {table} WHERE message_id IN "  # noqa: S608  # a literal of ours
                    "(SELECT id FROM message WHERE conversation_id = ?)",
                    conversation_id,
                )
            db.rows("UPDATE conversation SET active_leaf = NULL WHERE id = ?", conversation_id)
            db.rows("DELETE FROM message WHERE conversation_id = ?", conversation_id)
            db.rows("DELETE FROM conversation WHERE id = ?", conversation_id)
    return len(rows)


def recover_interrupted(db: Database) -> int:
    """Mark answers that were cut off as interrupted, with all text saved for them. Returns how many."""
    rows = db.rows(
        "SELECT id, CAST(parts AS BLOB) FROM message WHERE state = ?", MessageState.STREAMING.value
    )
    if not rows:
        return 0
    with db.transaction():
        for id_, parts in rows:
            assert isinstance(id_, int)
            text = chunk_text(db, MessageId(id_))
            merged = (*read_parts(parts), TextPart(text=text)) if text else read_parts(parts)
            db.rows(
                "UPDATE message SET parts = ?, state = ? WHERE id = ?",
                to_json(merged),
                MessageState.INTERRUPTED.value,
                id_,
            )
            db.rows("DELETE FROM chunk WHERE message_id = ?", id_)
    return len(rows)
