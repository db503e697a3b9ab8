"""Folders, and where conversations are kept: in one, archived, with a colour."""

from __future__ import annotations

from collections.abc import Sequence

from fireside.core.chat import Colour, ConversationSummary, Folder
from fireside.core.errors import NotStored
from fireside.core.ids import ConversationId, FolderId
from fireside.storage.database import Row, Value
from fireside.storage.repository import Repository, in_storage_thread
from fireside.storage.row_lookup import find_summary
from fireside.storage.rows import read_colour, read_text
from fireside.storage.text import storable, to_json

_SELECT = "SELECT id, CAST(name AS BLOB), CAST(colour AS BLOB), is_open FROM folder"
_IN_ORDER = "ORDER BY position, id"


class Folders(Repository):
    """Each change is committed when its method returns. All raise ``StorageError``; ``NotStored`` among them
    for what is deleted or was never there. What is asked of several conversations is done for all or none."""

    @in_storage_thread
    def list_folders(self) -> tuple[Folder, ...]:
        """Return all, from the top."""
        return tuple(_read(row) for row in self._database.rows(f"{_SELECT} {_IN_ORDER}"))

    @in_storage_thread
    def create_folder(self, *, name: str) -> Folder:
        """Make an empty folder, below the others."""
        with self._database.transaction():
            made = self._database.insert(
                "INSERT INTO folder (name, position, created_at) "
                "VALUES (?, (SELECT coalesce(max(position), -1) + 1 FROM folder), ?)",
                storable(name),
                self._clock(),
            )
            return self._find(FolderId(made))

    @in_storage_thread
    def rename_folder(self, folder_id: FolderId, *, name: str) -> Folder:
        """Give it another name."""
        return self._change_folder(folder_id, column="name", value=storable(name))

    @in_storage_thread
    def colour_folder(self, folder_id: FolderId, *, colour: Colour | None) -> Folder:
        """Give it a colour, or take it away."""
        return self._change_folder(folder_id, column="colour", value=colour)

    @in_storage_thread
    def set_folder_open(self, folder_id: FolderId, *, is_open: bool) -> Folder:
        """Remember whether its conversations are shown."""
        return self._change_folder(folder_id, column="is_open", value=int(is_open))

    @in_storage_thread
    def move_folder(self, folder_id: FolderId, *, position: int) -> None:
        """Give it another place among the folders, from 0."""
        with self._database.transaction():
            self._find(folder_id)
            rows = self._database.rows(f"SELECT id FROM folder {_IN_ORDER}")  # noqa: S608  # a literal of ours
            order = [id_ for (id_,) in rows if id_ != folder_id]
            order.insert(max(0, position), folder_id)
            for place, id_ in enumerate(order):
                self._database.rows("UPDATE folder SET position = ? WHERE id = ?", place, id_)

    @in_storage_thread
    def delete_folder(self, folder_id: FolderId) -> tuple[ConversationSummary, ...]:
        """Remove a folder; its conversations go back to the list and are returned."""
        with self._database.transaction():
            self._find(folder_id)
            rows = self._database.rows(
                "SELECT id FROM conversation WHERE folder_id = ? AND deleted_at IS NULL", folder_id
            )
            # The deleted ones too: one that is restored must not point at a folder that is gone.
            self._database.rows("UPDATE conversation SET folder_id = NULL WHERE folder_id = ?", folder_id)
            self._database.rows("DELETE FROM folder WHERE id = ?", folder_id)
            return tuple(
                find_summary(self._database, ConversationId(id_)) for (id_,) in rows if isinstance(id_, int)
            )

    @in_storage_thread
    def move_to_folder(
        self, ids: Sequence[ConversationId], *, folder_id: FolderId | None
    ) -> tuple[ConversationSummary, ...]:
        """Put conversations into a folder, or for ``None`` back into the list."""
        if folder_id is not None:
            self._find(folder_id)
        return self._change_all(ids, column="folder_id", value=folder_id)

    @in_storage_thread
    def set_archived(
        self, ids: Sequence[ConversationId], *, archived: bool
    ) -> tuple[ConversationSummary, ...]:
        """Put conversations away, or back among the others."""
        return self._change_all(ids, column="archived_at", value=self._clock() if archived else None)

    @in_storage_thread
    def set_colour(
        self, ids: Sequence[ConversationId], *, colour: Colour | None
    ) -> tuple[ConversationSummary, ...]:
        """Mark conversations with a colour, or with none."""
        return self._change_all(ids, column="colour", value=colour)

    @in_storage_thread
    def delete_all(self, ids: Sequence[ConversationId]) -> None:
        """Hide conversations; they are removed for good when the store is next opened."""
        self._change_all(ids, column="deleted_at", value=self._clock())

    @in_storage_thread
    def restore_all(self, ids: Sequence[ConversationId]) -> tuple[ConversationSummary, ...]:
        """Bring deleted conversations back."""
        with self._database.transaction():
            self._database.rows(
                "UPDATE conversation SET deleted_at = NULL WHERE id IN (SELECT value FROM json_each(?))",
                to_json(ids),
            )
            return tuple(find_summary(self._database, id_) for id_ in ids)

    def _change_all(
        self, ids: Sequence[ConversationId], *, column: str, value: Value
    ) -> tuple[ConversationSummary, ...]:
        with self._database.transaction():
            before = tuple(find_summary(self._database, id_) for id_ in ids)
            self._database.rows(
                f"UPDATE conversation SET {column} = ? "  # noqa: S608  # a literal of ours
                "WHERE id IN (SELECT value FROM json_each(?))",
                value,
                to_json(ids),
            )
            if column == "deleted_at":
                return before
            return tuple(find_summary(self._database, id_) for id_ in ids)

    def _change_folder(self, folder_id: FolderId, *, column: str, value: Value) -> Folder:
        with self._database.transaction():
            self._find(folder_id)
            self._database.rows(
                f"UPDATE folder SET {column} = ? WHERE id = ?",  # noqa: S608  # a literal of ours
                value,
                folder_id,
            )
            return self._find(folder_id)

    def _find(self, folder_id: FolderId) -> Folder:
        row = self._database.row(f"{_SELECT} WHERE id = ?", folder_id)
        if row is None:
            raise NotStored(what="folder", id=folder_id)
        return _read(row)


def _read(row: Row) -> Folder:
    id_, name, colour, is_open = row
    assert isinstance(id_, int)
    return Folder(id=FolderId(id_), name=read_text(name), colour=read_colour(colour), is_open=bool(is_open))
