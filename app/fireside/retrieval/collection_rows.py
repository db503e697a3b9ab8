"""Collections and their roots in the database."""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from typing import Final

import msgspec

from fireside.core.collection import Collection
from fireside.core.errors import RecordNotFound
from fireside.core.i18n import tr_noop
from fireside.core.ids import CollectionId, ModelId
from fireside.retrieval.sources import remove_source
from fireside.storage.database import Repository, Value, in_storage_thread
from fireside.storage.rows import read_text
from fireside.storage.text import storable

_SELECT: Final = (
    "SELECT CAST(id AS BLOB), CAST(name AS BLOB), CAST(model_id AS BLOB), CAST(vision_model AS BLOB), "
    "is_paused, is_of_chat FROM collection"
)


class Root(msgspec.Struct, frozen=True, kw_only=True):
    """A file or folder of a collection."""

    id: int
    path: str


class CollectionRows(Repository):
    """Each change is on disk when its method returns. All methods raise ``StorageError``, of which
    ``RecordNotFound`` is the one for a missing collection."""

    @in_storage_thread
    def all(self) -> tuple[Collection, ...]:
        """Return all collections by name."""
        rows = self._database.rows(_SELECT)
        collections = (self._collection(*row) for row in rows)
        return tuple(sorted(collections, key=lambda each: (each.name.casefold(), each.id)))

    @in_storage_thread
    def get(self, collection_id: CollectionId) -> Collection:
        """Return one collection."""
        return self._get(collection_id)

    @in_storage_thread
    def roots(self, collection_id: CollectionId) -> tuple[Root, ...]:
        """Return the roots of a collection, oldest first; none for a missing one."""
        rows = self._database.rows(
            "SELECT id, CAST(path AS BLOB) FROM root WHERE collection_id = ? ORDER BY id", collection_id
        )
        return tuple(Root(id=id_, path=read_text(path)) for id_, path in rows if isinstance(id_, int))

    @in_storage_thread
    def create(self, *, name: str, roots: Sequence[str], is_of_chat: bool = False) -> Collection:
        """Add a collection."""
        id_ = CollectionId(secrets.token_hex(8))
        with self._database.transaction():
            self._database.rows(
                "INSERT INTO collection (id, name, is_of_chat) VALUES (?, ?, ?)",
                id_,
                storable(name),
                int(is_of_chat),
            )
            self._add_roots(id_, roots)
        return self._get(id_)

    @in_storage_thread
    def rename(self, collection_id: CollectionId, *, name: str) -> None:
        """Rename a collection."""
        self._set(collection_id, "name", storable(name))

    @in_storage_thread
    def keep(self, collection_id: CollectionId) -> None:
        """Make a collection of one chat one of all."""
        self._set(collection_id, "is_of_chat", 0)

    @in_storage_thread
    def left_out(self, collection_id: CollectionId) -> frozenset[str]:
        """Return the paths of files that are left out of a collection."""
        rows = self._database.rows(
            "SELECT CAST(path AS BLOB) FROM left_out WHERE collection_id = ?", collection_id
        )
        return frozenset(read_text(path) for (path,) in rows)

    @in_storage_thread
    def leave_out(self, collection_id: CollectionId, path: str) -> None:
        """Remove a file, and leave it out of all scans from now on."""
        db = self._database
        with db.transaction():
            self._get(collection_id)
            db.rows(
                "INSERT OR IGNORE INTO left_out (collection_id, path) VALUES (?, ?)",
                collection_id,
                storable(path),
            )
            for (id_,) in db.rows(
                "SELECT id FROM source WHERE collection_id = ? AND path = ?", collection_id, storable(path)
            ):
                remove_source(db, id_)

    @in_storage_thread
    def take_back(self, collection_id: CollectionId, path: str) -> bool:
        """Leave a file out no more; return whether it was left out."""
        with self._database.transaction():
            return bool(
                self._database.rows(
                    "DELETE FROM left_out WHERE collection_id = ? AND path = ? RETURNING 1",
                    collection_id,
                    storable(path),
                )
            )

    @in_storage_thread
    def set_paused(self, collection_id: CollectionId, *, is_paused: bool) -> None:
        """Store whether the reading of its files is paused."""
        self._set(collection_id, "is_paused", int(is_paused))

    @in_storage_thread
    def choose_model(self, collection_id: CollectionId, *, model_id: ModelId | None) -> None:
        """Set the embedding model. The current vectors are searched until the new ones are complete; with
        ``None`` no vectors are searched."""
        self._set(collection_id, "model_id", model_id)
        if model_id is None:
            self._set(collection_id, "model", None)

    @in_storage_thread
    def choose_vision_model(self, collection_id: CollectionId, *, model_id: ModelId | None) -> None:
        """Set the model for pages without text. Text that another model read stays until it is replaced."""
        self._set(collection_id, "vision_model", model_id)

    @in_storage_thread
    def add_roots(self, collection_id: CollectionId, roots: Sequence[str]) -> None:
        """Add files and folders, also those that were left out; existing ones are ignored."""
        with self._database.transaction():
            self._get(collection_id)
            self._add_roots(collection_id, roots)

    @in_storage_thread
    def remove(self, collection_id: CollectionId) -> None:
        """Remove a collection with its files."""
        db = self._database
        with db.transaction():
            self._get(collection_id)
            for (id_,) in db.rows("SELECT id FROM source WHERE collection_id = ?", collection_id):
                remove_source(db, id_)
            db.rows("DELETE FROM collection WHERE id = ?", collection_id)

    def _get(self, collection_id: CollectionId) -> Collection:
        row = self._database.row(f"{_SELECT} WHERE id = ?", collection_id)
        if row is None:
            raise RecordNotFound(what=tr_noop("collection"), id=0)
        return self._collection(*row)

    def _collection(
        self,
        id_: Value,
        name: Value,
        model_id: Value,
        vision_model: Value,
        is_paused: Value,
        is_of_chat: Value,
    ) -> Collection:
        roots = self._database.rows(
            "SELECT CAST(path AS BLOB) FROM root WHERE collection_id = ? ORDER BY id", read_text(id_)
        )
        return Collection(
            id=CollectionId(read_text(id_)),
            name=read_text(name),
            roots=tuple(read_text(path) for (path,) in roots),
            embedding_model=ModelId(read_text(model_id)) if model_id is not None else None,
            vision_model=ModelId(read_text(vision_model)) if vision_model is not None else None,
            is_paused=bool(is_paused),
            is_of_chat=bool(is_of_chat),
        )

    def _add_roots(self, collection_id: CollectionId, roots: Sequence[str]) -> None:
        for root in roots:
            self._database.rows(
                "INSERT OR IGNORE INTO root (collection_id, path) VALUES (?, ?)",
                collection_id,
                storable(root),
            )
            # Compared without LIKE, whose patterns a path may contain.
            self._database.rows(
                "DELETE FROM left_out WHERE collection_id = ?1 "
                "AND (path = ?2 OR substr(path, 1, length(?3)) = ?3)",
                collection_id,
                storable(root),
                storable(root + os.sep),
            )

    def _set(self, collection_id: CollectionId, column: str, value: Value) -> None:
        with self._database.transaction():
            self._get(collection_id)
            # The column is always a literal of this class.
            self._database.rows(f"UPDATE collection SET {column} = ? WHERE id = ?", value, collection_id)  # noqa: S608
