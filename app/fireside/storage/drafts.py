"""Drafts: unsent text and files of conversations and new chats, settings of new chats, and unsaved edits."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import apsw

from fireside.core.attachment import Attachment
from fireside.core.chat import NewDraft
from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.ids import DraftId, DraftKey, FolderId, MessageId
from fireside.core.options import SettingValue
from fireside.storage.database import Database, Repository, in_storage_thread
from fireside.storage.rows import find_message, find_summary, read_overrides, read_text
from fireside.storage.text import storable, to_json

_FILES = "SELECT CAST(body AS BLOB) FROM draft_file JOIN draft_content USING (digest)"


class Drafts(Repository):
    """Unsent text and files, by conversation or by new chat.

    Each change is committed when its method returns. All raise ``StorageError``, which includes
    ``RecordNotFound`` for a conversation or message that does not exist or is deleted, never for a new chat.
    """

    @in_storage_thread
    def text(self, key: DraftKey) -> str:
        """Return the text of a draft."""
        return find_draft_text(self._database, key)

    @in_storage_thread
    def save_text(self, key: DraftKey, *, text: str) -> None:
        """Store the text of a draft."""
        with self._database.transaction():
            write_draft_text(self._database, key, storable(text), now=self._clock())

    @in_storage_thread
    def files(self, key: DraftKey) -> tuple[Attachment, ...]:
        """Return the files of a draft, without damaged ones."""
        return find_draft_files(self._database, key)

    @in_storage_thread
    def save_files(self, key: DraftKey, *, attached: Sequence[Attachment]) -> None:
        """Replace the files of a draft; contents that no draft refers to are deleted."""
        with self._database.transaction():
            write_draft_files(self._database, key, attached, now=self._clock())

    @in_storage_thread
    def save_settings(self, draft_id: DraftId, values: Mapping[str, SettingValue]) -> None:
        """Replace the settings of its own of a new chat."""
        with self._database.transaction():
            _put_new_draft(self._database, draft_id, None, now=self._clock())
            sql = "UPDATE new_draft SET overrides = ? WHERE id = ?"
            self._database.rows(sql, to_json(values), storable(draft_id))
            _delete_if_empty(self._database, draft_id)

    @in_storage_thread
    def save_folder(self, draft_id: DraftId, folder_id: FolderId | None) -> None:
        """Replace the folder that a new chat begins in."""
        with self._database.transaction():
            _put_new_draft(self._database, draft_id, None, now=self._clock())
            sql = "UPDATE new_draft SET folder_id = (SELECT id FROM folder WHERE id = ?) WHERE id = ?"
            self._database.rows(sql, folder_id, storable(draft_id))
            _delete_if_empty(self._database, draft_id)

    @in_storage_thread
    def new_chats(self) -> tuple[NewDraft, ...]:
        """Return the drafts of new chats, the last changed first."""
        rows = self._database.rows(
            "SELECT CAST(id AS BLOB), CAST(text AS BLOB), CAST(overrides AS BLOB), updated_at, folder_id "
            "FROM new_draft "
            "ORDER BY updated_at DESC, rowid DESC"
        )
        return tuple(
            NewDraft(
                id=DraftId(read_text(id_)),
                text=read_text(text),
                attached=find_draft_files(self._database, DraftId(read_text(id_))),
                settings=read_overrides(overrides),
                folder_id=FolderId(folder_id) if isinstance(folder_id, int) else None,
                updated_at=updated_at if isinstance(updated_at, float) else 0.0,
            )
            for id_, text, overrides, updated_at, folder_id in rows
        )

    @in_storage_thread
    def save_edit(self, message_id: MessageId, *, text: str | None) -> None:
        """Store the unsaved edit of a message; ``None`` deletes it."""
        with self._database.transaction():
            write_edit(self._database, message_id, text)


def find_draft_text(db: Database, key: DraftKey) -> str:
    """Return the text of a draft; empty for a new chat without one. Raises ``RecordNotFound``."""
    if isinstance(key, str):
        row = db.row("SELECT CAST(text AS BLOB) FROM new_draft WHERE id = ?", key)
    else:
        find_summary(db, key)
        row = db.row("SELECT CAST(draft AS BLOB) FROM conversation WHERE id = ?", key)
    return read_text(row[0]) if row is not None else ""


def find_draft_folder(db: Database, draft_id: DraftId) -> FolderId | None:
    """Return the folder that a new chat begins in."""
    row = db.row("SELECT folder_id FROM new_draft WHERE id = ?", draft_id)
    return FolderId(row[0]) if row is not None and isinstance(row[0], int) else None


def write_draft_text(db: Database, key: DraftKey, text: str, *, now: float) -> None:
    """Replace the text of a draft, inside a transaction. Raises ``RecordNotFound``."""
    if isinstance(key, str):
        _put_new_draft(db, key, text, now=now)
        _delete_if_empty(db, key)
    else:
        find_summary(db, key)
        db.rows("UPDATE conversation SET draft = ? WHERE id = ?", text, key)


def write_draft_files(db: Database, key: DraftKey, attached: Sequence[Attachment], *, now: float) -> None:
    """Replace the files of a draft, inside a transaction. Raises ``RecordNotFound``."""
    if isinstance(key, str):
        _put_new_draft(db, key, None, now=now)
        column = "new_draft_id"
    else:
        find_summary(db, key)
        column = "conversation_id"
    db.rows(f"DELETE FROM draft_file WHERE {column} = ?", key)  # noqa: S608  # a literal of ours
    for attachment in attached:
        body = to_json(attachment)
        digest = hashlib.sha256(body.encode()).hexdigest()
        db.rows("INSERT OR IGNORE INTO draft_content (digest, body) VALUES (?, ?)", digest, body)
        insert = f"INSERT INTO draft_file ({column}, digest) VALUES (?, ?)"  # noqa: S608  # a literal of ours
        db.rows(insert, key, digest)
    delete_unused_files(db)
    if isinstance(key, str):
        _delete_if_empty(db, key)


def clear_draft(db: Database, key: DraftKey, *, now: float) -> None:
    """Empty a draft that was sent, inside a transaction. Raises ``RecordNotFound``."""
    if isinstance(key, str):
        db.rows("DELETE FROM new_draft WHERE id = ?", key)
        delete_unused_files(db)
    else:
        write_draft_text(db, key, "", now=now)
        write_draft_files(db, key, (), now=now)


def write_edit(db: Database, message_id: MessageId, text: str | None) -> None:
    """Store the unsaved edit of a message, inside a transaction; ``None`` deletes it."""
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


def find_draft_files(db: Database, key: DraftKey) -> tuple[Attachment, ...]:
    """Return the files of a draft, without damaged ones."""
    column = "new_draft_id" if isinstance(key, str) else "conversation_id"
    try:
        rows = db.rows(
            f"{_FILES} WHERE {column} = ? ORDER BY draft_file.id",  # a literal of ours
            key,
        )
    except apsw.CorruptError:  # the conversation stays readable
        return ()
    return tuple(attachment for (body,) in rows if (attachment := _read(body)) is not None)


def find_edits(db: Database, ids: Sequence[MessageId]) -> Mapping[MessageId, str]:
    """Return the unsaved edits of messages."""
    try:
        rows = db.rows(
            "SELECT message_id, CAST(text AS BLOB) FROM edit_draft "
            "WHERE message_id IN (SELECT value FROM json_each(?))",
            to_json(ids),
        )
    except apsw.CorruptError:
        return {}
    return {MessageId(id_): read_text(text) for id_, text in rows if isinstance(id_, int)}


def delete_unused_files(db: Database) -> None:
    """Delete file contents that no draft refers to."""
    db.rows("DELETE FROM draft_content WHERE digest NOT IN (SELECT digest FROM draft_file)")


def _put_new_draft(db: Database, draft_id: DraftId, text: str | None, *, now: float) -> None:
    """Insert or update the draft of a new chat; ``None`` keeps its text."""
    db.rows(
        "INSERT INTO new_draft (id, text, updated_at) VALUES (?1, coalesce(?2, ''), ?3) "
        "ON CONFLICT (id) DO UPDATE SET text = coalesce(?2, text), updated_at = excluded.updated_at",
        storable(draft_id),
        text,
        now,
    )


def _delete_if_empty(db: Database, draft_id: DraftId) -> None:
    db.rows(
        "DELETE FROM new_draft WHERE id = ?1 AND text = '' AND overrides = '{}' AND folder_id IS NULL "
        "AND NOT EXISTS (SELECT 1 FROM draft_file WHERE new_draft_id = ?1)",
        draft_id,
    )


def _read(body: object) -> Attachment | None:
    try:
        return decode_json(body, kind=Attachment) if isinstance(body, bytes) else None
    except JsonInvalid:
        return None
