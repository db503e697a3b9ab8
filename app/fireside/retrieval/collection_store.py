"""The database of collections: a file apart from that of chats, which can be rebuilt."""

from __future__ import annotations

import logging
import os
import secrets
import threading
import time
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

import apsw
import msgspec
from msgspec.structs import replace

from fireside.core.collection import Collection, CollectionSearchResult, Scores
from fireside.core.errors import RecordNotFound, StorageDamaged
from fireside.core.i18n import tr_noop
from fireside.core.ids import CollectionId, ModelId
from fireside.files.json_file import set_aside
from fireside.retrieval.passage_rows import PassageRows, read_passages
from fireside.retrieval.scanned_pages import ScannedPages
from fireside.retrieval.sources import Sources, remove_source
from fireside.retrieval.word_search import search_words
from fireside.storage.database import Database, Repository, Row, StorageThread, Value, in_storage_thread
from fireside.storage.database_opening import open_database
from fireside.storage.encryption import DatabaseKey, connect
from fireside.storage.migrations import Migration
from fireside.storage.rows import read_text
from fireside.storage.text import storable

if TYPE_CHECKING:
    from fireside.retrieval.vectors import Vectors


CANDIDATES: Final = 100
"""Results by words, and by vectors, that are fused."""

log = logging.getLogger(__name__)


class CollectionStore(Repository):
    """The database and its thread; ``close`` ends both. All methods raise ``StorageError``."""

    def __init__(self, *, thread: StorageThread, database: Database, closing: threading.Event) -> None:
        super().__init__(thread, database, time.time)
        shared = (thread, database, time.time)
        self.collections = CollectionRows(*shared)
        self.sources = Sources(*shared)
        self.passages = PassageRows(*shared)
        self.scans = ScannedPages(*shared)
        self._shared = shared
        self._closing = closing

    @cached_property
    def vectors(self) -> Vectors:
        """The vectors of passages; numpy is imported at first use."""
        from fireside.retrieval.vectors import Vectors

        return Vectors(*self._shared)

    @classmethod
    async def open(cls, path: Path | str, *, key: DatabaseKey | None = None) -> Self:
        """Open or create the database at ``path``; ``:memory:`` keeps everything in memory.
        ``key`` is what the file is encrypted with.

        A damaged file is renamed, and a new one gets the collections that can still be read, whose files are
        then indexed again. Other programs of the same user may have it open too. Raises ``StorageError``.
        """
        thread, closing = StorageThread(), threading.Event()

        def start() -> Database:
            try:
                return open_database(path, migrations=migrations(), give_up=closing, key=key)
            except StorageDamaged:
                log.exception("the database of collections is damaged and is created again")
                collections, roots = _readable(Path(path), key=key)
                _set_aside(Path(path))
                database = open_database(path, migrations=migrations(), give_up=closing, key=key)
                _write(database, collections, roots)
                return database

        try:
            database = await thread.run(start)
        except BaseException:
            await thread.stop()
            raise
        return cls(thread=thread, database=database, closing=closing)

    async def close(self) -> None:
        """Finish pending calls, close the file and end the thread. Idempotent."""
        self._closing.set()
        await self._thread.stop(last=self._database.close)

    @in_storage_thread
    def search(
        self,
        query: str,
        *,
        collection_ids: Sequence[CollectionId],
        limit: int,
        semantic_matches: Sequence[tuple[int, float]] = (),
        matches_prefix: bool = False,
    ) -> CollectionSearchResult:
        """Return the best passages for a query.

        Args:
            semantic_matches: ids of chunks with their similarity to the query, best first.
            matches_prefix: whether the last word may be incomplete.
        """
        word_matches = search_words(
            self._database,
            query,
            collection_ids=collection_ids,
            limit=CANDIDATES,
            matches_prefix=matches_prefix,
        )
        word_scores, similarities = dict(word_matches), dict(semantic_matches)
        ranked = fuse(word_scores, similarities, n_candidates=CANDIDATES)[:limit]
        passages = read_passages(self._database, [id_ for id_, _ in ranked])
        return CollectionSearchResult(
            passages=tuple(
                replace(
                    passages[id_],
                    scores=Scores(fused=score, words=word_scores.get(id_), meaning=similarities.get(id_)),
                )
                for id_, score in ranked
                if id_ in passages
            ),
            by_meaning=bool(similarities),
        )


def migrations() -> tuple[Migration, ...]:
    """Return the migrations of the database, oldest first."""
    folder = Path(__file__).parent
    names = ("schema.sql", *(f"schema_{version}.sql" for version in range(2, 9)))
    return tuple(
        Migration(version=version, sql=(folder / name).read_text("utf-8"))
        for version, name in enumerate(names, start=1)
    )


def _readable(path: Path, *, key: DatabaseKey | None) -> tuple[list[Row], list[Row]]:
    """Return the rows of collections and roots of a damaged database, or none if they cannot be read."""
    try:
        connection = connect(path, key=key, flags=apsw.SQLITE_OPEN_READONLY)
        try:
            return (
                list(connection.execute("SELECT id, name, model_id, is_paused FROM collection")),
                list(connection.execute("SELECT collection_id, path FROM root ORDER BY id")),
            )
        finally:
            connection.close()
    except apsw.Error:
        return [], []


def _write(database: Database, collections: Sequence[Row], roots: Sequence[Row]) -> None:
    with database.transaction():
        for row in collections:
            database.insert(
                "INSERT INTO collection (id, name, model_id, is_paused) VALUES (?, ?, ?, ?)", *row
            )
        for row in roots:
            database.rows("INSERT INTO root (collection_id, path) VALUES (?, ?)", *row)


def _set_aside(path: Path) -> None:
    set_aside(path)
    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)


SEMANTIC_WEIGHT: Final = 0.4
"""Of similarity; words have the rest. Chosen on half of the questions of three sets of
``tests/tools/bench/document_search.py``."""


def fuse(
    word_scores: Mapping[int, float], similarities: Mapping[int, float], *, n_candidates: int
) -> list[tuple[int, float]]:
    """Return ids of chunks with the weighted sum of their scores as fractions of 1, best first.

    Relative score fusion (Bruch, Gai and Ingber, 2023): unlike fusion by ranks it keeps how far a rare
    word or a very similar text is ahead. ``n_candidates`` is the limit of the searches: fewer ``word_scores``
    are all that exist, so the worst possible score, 0, is known.
    """
    fused: dict[int, float] = {}
    for scores, weight, is_complete in (
        (word_scores, 1 - SEMANTIC_WEIGHT, len(word_scores) < n_candidates),
        (similarities, SEMANTIC_WEIGHT, False),
    ):
        best = max(scores.values(), default=0.0)
        worst = 0.0 if is_complete else min(scores.values(), default=0.0)
        for chunk, score in scores.items():
            normalised = (score - worst) / (best - worst) if best > worst else 1.0
            fused[chunk] = fused.get(chunk, 0.0) + weight * normalised
    return sorted(fused.items(), key=lambda each: -each[1])


# Collections and their roots in the database


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
