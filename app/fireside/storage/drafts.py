"""Drafts: text and files of conversations and new chats that are not sent, and edits that are not saved."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import apsw
import msgspec

from fireside.core.attachment import Attachment
from fireside.core.chat import NewDraft
from fireside.core.ids import DraftId, DraftKey, MessageId
from fireside.storage.database import Database, Repository, in_storage_thread
from fireside.storage.row_lookup import find_message, find_summary
from fireside.storage.rows import read_text
from fireside.storage.text import storable, to_json

_FILES = "SELECT CAST(body AS BLOB) FROM draft_file JOIN draft_content USING (digest)"
_ATTACHMENT = msgspec.json.Decoder(Attachment)


class Drafts(Repository):
    """What is typed and attached but not sent, by conversation or by new chat.

    Each change is committed when its method returns. All raise ``StorageError``; ``RecordNotFound`` among
    them for a conversation or message that is deleted or was never there, never for a new chat.
    """

    @in_storage_thread
    def text(self, place: DraftKey) -> str:
        """Return what is typed but not sent."""
        return find_draft_text(self._database, place)

    @in_storage_thread
    def save_text(self, place: DraftKey, *, text: str) -> None:
        """Keep what is typed but not sent."""
        with self._database.transaction():
            write_draft_text(self._database, place, storable(text), now=self._clock())

    @in_storage_thread
    def files(self, place: DraftKey) -> tuple[Attachment, ...]:
        """Return what is attached but not sent; a damaged file is left out."""
        return find_draft_files(self._database, place)

    @in_storage_thread
    def save_files(self, place: DraftKey, *, attached: Sequence[Attachment]) -> None:
        """Keep exactly these files with a draft; contents that no draft has any more are removed for good."""
        with self._database.transaction():
            write_draft_files(self._database, place, attached, now=self._clock())

    @in_storage_thread
    def new_chats(self) -> tuple[NewDraft, ...]:
        """Return the drafts of new chats, the one changed last first."""
        rows = self._database.rows(
            "SELECT CAST(id AS BLOB), CAST(text AS BLOB), updated_at FROM new_draft "
            "ORDER BY updated_at DESC, rowid DESC"
        )
        return tuple(
            NewDraft(
                id=DraftId(read_text(id_)),
                text=read_text(text),
                attached=find_draft_files(self._database, DraftId(read_text(id_))),
                updated_at=updated_at if isinstance(updated_at, float) else 0.0,
            )
            for id_, text, updated_at in rows
        )

    @in_storage_thread
    def save_edit(self, message_id: MessageId, *, text: str | None) -> None:
        """Keep what a message is being changed to; ``None`` once that is saved or given up."""
        with self._database.transaction():
            write_edit(self._database, message_id, text)


def find_draft_text(db: Database, place: DraftKey) -> str:
    """Return the text of a draft; empty for a new chat without one. Raises ``RecordNotFound``."""
    if isinstance(place, str):
        row = db.row("SELECT CAST(text AS BLOB) FROM new_draft WHERE id = ?", place)
    else:
        find_summary(db, place)
        row = db.row("SELECT CAST(draft AS BLOB) FROM conversation WHERE id = ?", place)
    return read_text(row[0]) if row is not None else ""


def write_draft_text(db: Database, place: DraftKey, text: str, *, now: float) -> None:
    """Replace the text of a draft, inside a transaction. Raises ``RecordNotFound``."""
    if isinstance(place, str):
        _put_new_draft(db, place, text, now=now)
        _forget_empty(db, place)
    else:
        find_summary(db, place)
        db.rows("UPDATE conversation SET draft = ? WHERE id = ?", text, place)


def write_draft_files(db: Database, place: DraftKey, attached: Sequence[Attachment], *, now: float) -> None:
    """Replace the files of a draft, inside a transaction. Raises ``RecordNotFound``."""
    if isinstance(place, str):
        _put_new_draft(db, place, None, now=now)
        column = "new_draft_id"
    else:
        find_summary(db, place)
        column = "conversation_id"
    db.rows(f"DELETE FROM draft_file WHERE {column} = ?", place)  # noqa: S608  # a literal of ours
    for attachment in attached:
        body = to_json(attachment)
        digest = hashlib.sha256(body.encode()).hexdigest()
        db.rows("INSERT OR IGNORE INTO draft_content (digest, body) VALUES (?, ?)", digest, body)
        insert = f"INSERT INTO draft_file ({column}, digest) VALUES (?, ?)"  # noqa: S608  # a literal of ours
        db.rows(insert, place, digest)
    forget_unused_files(db)
    if isinstance(place, str):
        _forget_empty(db, place)


def clear_draft(db: Database, place: DraftKey, *, now: float) -> None:
    """Empty a draft that was sent, inside a transaction. Raises ``RecordNotFound``."""
    if isinstance(place, str):
        db.rows("DELETE FROM new_draft WHERE id = ?", place)
        forget_unused_files(db)
    else:
        write_draft_text(db, place, "", now=now)
        write_draft_files(db, place, (), now=now)


def write_edit(db: Database, message_id: MessageId, text: str | None) -> None:
    """Keep what a message is being changed to, inside a transaction; ``None`` removes it."""
    if text is None:
        db.rows("DELETE FROM edit_draft WHERE message_id = ?", message_id)
        return
    find_message(db, message_id)
    db.rows(
        "INSERT INTO edit_draft (message_id, text) VALUES (?, ?) "
        "ON CONFLICT (message_id) DO UPDATE SET text = excluded.text",
        message_id,
        storable(text),
    )


def find_draft_files(db: Database, place: DraftKey) -> tuple[Attachment, ...]:
    """Return what is attached to a draft; a file that is damaged is left out."""
    column = "new_draft_id" if isinstance(place, str) else "conversation_id"
    try:
        rows = db.rows(
            f"{_FILES} WHERE {column} = ? ORDER BY draft_file.id",  # a literal of ours
            place,
        )
    except apsw.CorruptError:  # not worth losing the conversation over
        return ()
    return tuple(found for (body,) in rows if (found := _read(body)) is not None)


def find_edits(db: Database, ids: Sequence[MessageId]) -> Mapping[MessageId, str]:
    """Return, for those of the messages that are being changed, to what."""
    try:
        rows = db.rows(
            "SELECT message_id, CAST(text AS BLOB) FROM edit_draft "
            "WHERE message_id IN (SELECT value FROM json_each(?))",
            to_json(ids),
        )
    except apsw.CorruptError:
        return {}
    return {MessageId(id_): read_text(text) for id_, text in rows if isinstance(id_, int)}


def forget_unused_files(db: Database) -> None:
    """Remove the contents that no draft has any more."""
    db.rows("DELETE FROM draft_content WHERE digest NOT IN (SELECT digest FROM draft_file)")


def _put_new_draft(db: Database, draft_id: DraftId, text: str | None, *, now: float) -> None:
    """Have a row for a new chat; ``None`` leaves the text that it has."""
    db.rows(
        "INSERT INTO new_draft (id, text, updated_at) VALUES (?1, coalesce(?2, ''), ?3) "
        "ON CONFLICT (id) DO UPDATE SET text = coalesce(?2, text), updated_at = excluded.updated_at",
        storable(draft_id),
        text,
        now,
    )


def _forget_empty(db: Database, draft_id: DraftId) -> None:
    db.rows(
        "DELETE FROM new_draft WHERE id = ?1 AND text = '' "
        "AND NOT EXISTS (SELECT 1 FROM draft_file WHERE new_draft_id = ?1)",
        draft_id,
    )


def _read(body: object) -> Attachment | None:
    try:
        return _ATTACHMENT.decode(body) if isinstance(body, bytes) else None
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
