"""What is written and attached but not sent: of conversations, of new chats, of messages being changed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import apsw
import msgspec

from fireside.core.attachment import Attachment
from fireside.core.chat import NewDraft
from fireside.core.errors import NotStored
from fireside.core.ids import DraftId, DraftPlace, MessageId, WaitingId
from fireside.storage.database import Database
from fireside.storage.repository import Repository, in_storage_thread
from fireside.storage.row_lookup import find_message, find_summary
from fireside.storage.rows import read_text
from fireside.storage.text import storable, to_json

_FILES = "SELECT CAST(body AS BLOB) FROM draft_file JOIN draft_content USING (digest)"
_ATTACHMENT = msgspec.json.Decoder(Attachment)


class Drafts(Repository):
    """Each change is committed when its method returns. All raise ``StorageError``; ``NotStored`` among them
    for a conversation or message that is deleted or was never there, never for a new chat."""

    @in_storage_thread
    def draft(self, place: DraftPlace) -> str:
        """Return what is typed but not sent."""
        return self._draft_text(place)

    @in_storage_thread
    def save_draft(self, place: DraftPlace, *, text: str) -> None:
        """Keep what is typed but not sent."""
        with self._database.transaction():
            self._set_draft(place, storable(text))

    @in_storage_thread
    def draft_files(self, place: DraftPlace) -> tuple[Attachment, ...]:
        """Return what is attached but not sent; a damaged file is left out."""
        return find_draft_files(self._database, place)

    @in_storage_thread
    def save_draft_files(self, place: DraftPlace, *, attached: Sequence[Attachment]) -> None:
        """Keep exactly these files with a draft; what no draft has any more goes for good."""
        with self._database.transaction():
            self._set_files(place, attached)

    @in_storage_thread
    def new_drafts(self) -> tuple[NewDraft, ...]:
        """Return what was begun in new chats, the one changed last first."""
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
        """Keep what a message's words are being changed to; ``None`` once they are saved or left alone."""
        with self._database.transaction():
            self._set_edit(message_id, text)

    @in_storage_thread
    def save_waiting_edit(self, waiting_id: WaitingId, *, text: str | None) -> None:
        """The same for a message that waits to be sent."""
        with self._database.transaction():
            self._database.rows(
                "UPDATE waiting_message SET edit = ? WHERE id = ?",
                storable(text) if text is not None else None,
                waiting_id,
            )
            if not self._database.connection.changes():
                raise NotStored(what="message", id=waiting_id)

    def _draft_text(self, place: DraftPlace) -> str:
        if isinstance(place, str):
            row = self._database.row("SELECT CAST(text AS BLOB) FROM new_draft WHERE id = ?", place)
        else:
            find_summary(self._database, place)
            row = self._database.row("SELECT CAST(draft AS BLOB) FROM conversation WHERE id = ?", place)
        return read_text(row[0]) if row is not None else ""

    def _set_draft(self, place: DraftPlace, text: str) -> None:
        if isinstance(place, str):
            self._put_new_draft(place, text)
            self._forget_empty(place)
        else:
            find_summary(self._database, place)
            self._database.rows("UPDATE conversation SET draft = ? WHERE id = ?", text, place)

    def _set_files(self, place: DraftPlace, attached: Sequence[Attachment]) -> None:
        if isinstance(place, str):
            self._put_new_draft(place, None)
            column = "new_draft_id"
        else:
            find_summary(self._database, place)
            column = "conversation_id"
        self._database.rows(f"DELETE FROM draft_file WHERE {column} = ?", place)  # noqa: S608  # a literal of ours
        for attachment in attached:
            body = to_json(attachment)
            digest = hashlib.sha256(body.encode()).hexdigest()
            self._database.rows(
                "INSERT OR IGNORE INTO draft_content (digest, body) VALUES (?, ?)", digest, body
            )
            insert = f"INSERT INTO draft_file ({column}, digest) VALUES (?, ?)"  # noqa: S608  # a literal of ours
            self._database.rows(insert, place, digest)
        forget_unused_files(self._database)
        if isinstance(place, str):
            self._forget_empty(place)

    def _clear_draft(self, place: DraftPlace) -> None:
        """Words and files were sent."""
        if isinstance(place, str):
            self._database.rows("DELETE FROM new_draft WHERE id = ?", place)
            forget_unused_files(self._database)
        else:
            self._set_draft(place, "")
            self._set_files(place, ())

    def _set_edit(self, message_id: MessageId, text: str | None) -> None:
        if text is None:
            self._database.rows("DELETE FROM edit_draft WHERE message_id = ?", message_id)
            return
        find_message(self._database, message_id)
        self._database.rows(
            "INSERT INTO edit_draft (message_id, text) VALUES (?, ?) "
            "ON CONFLICT (message_id) DO UPDATE SET text = excluded.text",
            message_id,
            storable(text),
        )

    def _put_new_draft(self, draft_id: DraftId, text: str | None) -> None:
        """Have a row for a new chat; ``None`` leaves the words that it has."""
        self._database.rows(
            "INSERT INTO new_draft (id, text, updated_at) VALUES (?1, coalesce(?2, ''), ?3) "
            "ON CONFLICT (id) DO UPDATE SET text = coalesce(?2, text), updated_at = excluded.updated_at",
            storable(draft_id),
            text,
            self._clock(),
        )

    def _forget_empty(self, draft_id: DraftId) -> None:
        self._database.rows(
            "DELETE FROM new_draft WHERE id = ?1 AND text = '' "
            "AND NOT EXISTS (SELECT 1 FROM draft_file WHERE new_draft_id = ?1)",
            draft_id,
        )


def find_draft_files(db: Database, place: DraftPlace) -> tuple[Attachment, ...]:
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


def _read(body: object) -> Attachment | None:
    try:
        return _ATTACHMENT.decode(body) if isinstance(body, bytes) else None
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
