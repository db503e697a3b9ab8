"""What the user makes of the artifacts in answers: versions of their own, names, and unsaved changes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

import apsw

from fireside.core.artifacts import ArtifactNotes, ArtifactPlace, WrittenVersion
from fireside.core.ids import MessageId
from fireside.storage.database import Database, Repository, in_storage_thread
from fireside.storage.rows import find_message, read_text
from fireside.storage.text import storable, to_json

_OF_MESSAGES: Final = "WHERE message_id IN (SELECT value FROM json_each(?))"


class ArtifactEdits(Repository):
    """Each change is committed when its method returns. All raise ``StorageError``, which includes
    ``RecordNotFound`` for a message that does not exist or is deleted."""

    @in_storage_thread
    def of_messages(self, ids: Sequence[MessageId]) -> Mapping[MessageId, tuple[ArtifactNotes, ...]]:
        """Return what is kept of the blocks of these answers."""
        return find_notes(self._database, ids)

    @in_storage_thread
    def add(self, place: ArtifactPlace, *, text: str) -> None:
        """Store a version of the user, and drop the unsaved changes that it was."""
        with self._database.transaction():
            find_message(self._database, place.message_id)
            self._database.rows(
                "INSERT INTO artifact_edit (message_id, start, text, created_at) VALUES (?, ?, ?, ?)",
                place.message_id,
                place.start,
                storable(text),
                self._clock(),
            )
            _write_note(self._database, place, "draft", None)

    @in_storage_thread
    def save_draft(self, place: ArtifactPlace, *, text: str | None) -> None:
        """Store unsaved changes; ``None`` drops them."""
        with self._database.transaction():
            find_message(self._database, place.message_id)
            _write_note(self._database, place, "draft", None if text is None else storable(text))

    @in_storage_thread
    def rename(self, place: ArtifactPlace, *, title: str) -> None:
        """Store the name of an artifact; an empty one drops it."""
        with self._database.transaction():
            find_message(self._database, place.message_id)
            _write_note(self._database, place, "title", storable(title))


def find_notes(db: Database, ids: Sequence[MessageId]) -> Mapping[MessageId, tuple[ArtifactNotes, ...]]:
    """Return what is kept of the blocks of these answers, by their start; nothing where that is damaged."""
    edits: defaultdict[tuple[MessageId, int], list[WrittenVersion]] = defaultdict(list)
    notes: dict[tuple[MessageId, int], tuple[str, str | None]] = {}
    wanted = to_json(ids)
    try:
        rows = db.rows(
            f"SELECT message_id, start, CAST(text AS BLOB), created_at FROM artifact_edit {_OF_MESSAGES} "  # noqa: S608  # a constant
            "ORDER BY created_at, id",
            wanted,
        )
        for message_id, start, text, created_at in rows:
            if isinstance(message_id, int) and isinstance(start, int):
                time = float(created_at) if isinstance(created_at, int | float) else 0.0
                version = WrittenVersion(text=read_text(text), created_at=time)
                edits[MessageId(message_id), start].append(version)
        rows = db.rows(
            "SELECT message_id, start, CAST(title AS BLOB), CAST(draft AS BLOB) "  # noqa: S608  # a constant
            f"FROM artifact_note {_OF_MESSAGES}",
            wanted,
        )
        for message_id, start, title, draft in rows:
            if isinstance(message_id, int) and isinstance(start, int):
                text = None if draft is None else read_text(draft)
                notes[MessageId(message_id), start] = (read_text(title), text)
    except apsw.CorruptError:  # the answers stay readable
        return {}
    found: defaultdict[MessageId, tuple[ArtifactNotes, ...]] = defaultdict(tuple)
    for place in sorted(edits.keys() | notes.keys()):
        title, text = notes.get(place, ("", None))
        note = ArtifactNotes(start=place[1], title=title, draft=text, edits=tuple(edits[place]))
        found[place[0]] += (note,)
    return dict(found)


def write_notes(db: Database, message_id: MessageId, notes: Sequence[ArtifactNotes]) -> None:
    """Store what came with an answer of another database, inside a transaction. What is here stays; a version
    that is here already is not stored twice."""
    for note in notes:
        for edit in note.edits:
            db.rows(
                "INSERT INTO artifact_edit (message_id, start, text, created_at) "
                "SELECT ?1, ?2, ?3, ?4 WHERE NOT EXISTS "
                "(SELECT 1 FROM artifact_edit WHERE message_id = ?1 AND start = ?2 AND text = ?3 "
                "AND created_at = ?4)",
                message_id,
                note.start,
                storable(edit.text),
                edit.created_at,
            )
        db.rows(
            "INSERT OR IGNORE INTO artifact_note (message_id, start, title, draft) VALUES (?, ?, ?, ?)",
            message_id,
            note.start,
            storable(note.title),
            None if note.draft is None else storable(note.draft),
        )


def copy_notes(db: Database, message_id: MessageId, copy: MessageId) -> None:
    """Give a copy of an answer what is kept of its blocks, inside a transaction."""
    write_notes(db, copy, find_notes(db, [message_id]).get(message_id, ()))


def _write_note(db: Database, place: ArtifactPlace, column: str, value: str | None) -> None:
    db.rows(
        f"INSERT INTO artifact_note (message_id, start, {column}) VALUES (?, ?, ?) "  # noqa: S608  # a literal of ours
        f"ON CONFLICT (message_id, start) DO UPDATE SET {column} = excluded.{column}",
        place.message_id,
        place.start,
        value,
    )
    db.rows(
        "DELETE FROM artifact_note WHERE message_id = ? AND title = '' AND draft IS NULL", place.message_id
    )
