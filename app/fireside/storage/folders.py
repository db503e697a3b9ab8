"""Folders of conversations: their names, colours and order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fireside.core.chat import Colour, ConversationSummary, Folder
from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import RecordNotFound
from fireside.core.ids import CollectionId, ConversationId, FolderId
from fireside.core.options import SettingValue
from fireside.core.project import OWN_COLLECTION_KEY
from fireside.storage.database import Database, Repository, Row, Value, in_storage_thread
from fireside.storage.rows import find_summary, read_colour, read_overrides, read_text
from fireside.storage.text import storable, to_json

_SELECT = (
    "SELECT id, CAST(name AS BLOB), CAST(colour AS BLOB), is_open, CAST(collections AS BLOB), "
    "CAST(settings AS BLOB) FROM folder WHERE deleted_at IS NULL"
)
_IN_ORDER = "ORDER BY position, id"


class Folders(Repository):
    """Each change is committed when its method returns. All raise ``StorageError``, which includes
    ``RecordNotFound`` for a folder that does not exist."""

    @in_storage_thread
    def all(self) -> tuple[Folder, ...]:
        """Return all folders in their order."""
        return tuple(_read(row) for row in self._database.rows(f"{_SELECT} {_IN_ORDER}"))

    @in_storage_thread
    def create(self, *, name: str) -> Folder:
        """Create an empty folder after the others."""
        with self._database.transaction():
            folder_id = self._database.insert(
                "INSERT INTO folder (name, position, created_at) "
                "VALUES (?, (SELECT coalesce(max(position), -1) + 1 FROM folder), ?)",
                storable(name),
                self._clock(),
            )
            return find_folder(self._database, FolderId(folder_id))

    @in_storage_thread
    def rename(self, folder_id: FolderId, *, name: str) -> Folder:
        """Rename a folder."""
        return self._change(folder_id, column="name", value=storable(name))

    @in_storage_thread
    def set_colour(self, folder_id: FolderId, *, colour: Colour | None) -> Folder:
        """Set the colour of a folder; ``None`` removes it."""
        return self._change(folder_id, column="colour", value=colour)

    @in_storage_thread
    def set_open(self, folder_id: FolderId, *, is_open: bool) -> Folder:
        """Store whether a folder is expanded."""
        return self._change(folder_id, column="is_open", value=int(is_open))

    @in_storage_thread
    def set_collections(self, folder_id: FolderId, *, collections: Sequence[CollectionId]) -> Folder:
        """Set the document collections of the folder's conversations."""
        return self._change(folder_id, column="collections", value=to_json(tuple(collections)))

    @in_storage_thread
    def set_settings(self, folder_id: FolderId, settings: Mapping[str, SettingValue]) -> Folder:
        """Replace what a folder sets for its conversations."""
        return self._change(folder_id, column="settings", value=to_json(settings))

    @in_storage_thread
    def get(self, folder_id: FolderId) -> Folder:
        """Return a folder."""
        return find_folder(self._database, folder_id)

    @in_storage_thread
    def folder_of(self, conversation_id: ConversationId) -> Folder | None:
        """Return the folder of a conversation, if it is in one."""
        row = self._database.row(
            f"{_SELECT} AND id = (SELECT folder_id FROM conversation WHERE id = ?)",  # noqa: S608
            conversation_id,
        )
        return None if row is None else _read(row)

    @in_storage_thread
    def move(self, folder_id: FolderId, *, position: int) -> None:
        """Move a folder to a position in the list, from 0."""
        with self._database.transaction():
            find_folder(self._database, folder_id)
            rows = self._database.rows(f"{_SELECT} {_IN_ORDER}")
            order = [id_ for id_, *_ in rows if id_ != folder_id]
            order.insert(max(0, position), folder_id)
            for index, id_ in enumerate(order):
                self._database.rows("UPDATE folder SET position = ? WHERE id = ?", index, id_)

    @in_storage_thread
    def delete(self, folder_id: FolderId) -> tuple[ConversationSummary, ...]:
        """Hide a folder, which is removed for good when the store is next opened; its conversations return to
        the list, and are returned."""
        with self._database.transaction():
            find_folder(self._database, folder_id)
            rows = self._database.rows(
                "SELECT id FROM conversation WHERE folder_id = ? AND deleted_at IS NULL", folder_id
            )
            # Deleted ones too: a restored conversation must not refer to a folder that no longer exists.
            self._database.rows("UPDATE conversation SET folder_id = NULL WHERE folder_id = ?", folder_id)
            # Nor must a new chat begin in it.
            self._database.rows("UPDATE new_draft SET folder_id = NULL WHERE folder_id = ?", folder_id)
            self._database.rows("UPDATE folder SET deleted_at = ? WHERE id = ?", self._clock(), folder_id)
            return tuple(
                find_summary(self._database, ConversationId(id_)) for (id_,) in rows if isinstance(id_, int)
            )

    @in_storage_thread
    def restore(self, folder_id: FolderId) -> Folder:
        """Restore a deleted folder at its position, empty."""
        with self._database.transaction():
            self._database.rows("UPDATE folder SET deleted_at = NULL WHERE id = ?", folder_id)
            return find_folder(self._database, folder_id)

    @in_storage_thread
    def deleted(self) -> tuple[Folder, ...]:
        """Return the folders that are deleted, and not removed for good yet."""
        select = _SELECT.replace("IS NULL", "IS NOT NULL")
        return tuple(_read(row) for row in self._database.rows(select))

    @in_storage_thread
    def purge(self, folder_id: FolderId) -> None:
        """Remove a deleted folder for good."""
        with self._database.transaction():
            self._database.rows("DELETE FROM folder WHERE id = ? AND deleted_at IS NOT NULL", folder_id)

    def _change(self, folder_id: FolderId, *, column: str, value: Value) -> Folder:
        with self._database.transaction():
            find_folder(self._database, folder_id)
            self._database.rows(
                f"UPDATE folder SET {column} = ? WHERE id = ?",  # noqa: S608  # a literal of ours
                value,
                folder_id,
            )
            return find_folder(self._database, folder_id)


def find_folder(db: Database, folder_id: FolderId) -> Folder:
    """Return a folder. Raises ``RecordNotFound``."""
    row = db.row(f"{_SELECT} AND id = ?", folder_id)
    if row is None:
        raise RecordNotFound(what="folder", id=folder_id)
    return _read(row)


def purge_deleted_folders(db: Database) -> int:
    """Remove deleted folders, except those with documents of their own: ``Folders.purge`` removes these,
    once their documents are gone. Returns how many."""
    which = "deleted_at IS NOT NULL AND NOT instr(settings, ?)"
    rows = db.rows(f"SELECT id FROM folder WHERE {which}", f'"{OWN_COLLECTION_KEY}"')  # noqa: S608
    if rows:
        with db.transaction():
            db.rows(f"DELETE FROM folder WHERE {which}", f'"{OWN_COLLECTION_KEY}"')  # noqa: S608
    return len(rows)


def _read(row: Row) -> Folder:
    id_, name, colour, is_open, collections, settings = row
    assert isinstance(id_, int)
    return Folder(
        id=FolderId(id_),
        name=read_text(name),
        colour=read_colour(colour),
        is_open=bool(is_open),
        collections=_read_ids(collections),
        settings=read_overrides(settings),
    )


def _read_ids(value: Value) -> tuple[CollectionId, ...]:
    """Return the ids of collections; none if the value is damaged."""
    try:
        return decode_json(read_text(value), kind=tuple[CollectionId, ...])
    except JsonInvalid:
        return ()
