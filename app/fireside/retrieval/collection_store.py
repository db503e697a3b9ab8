"""The database of collections: a file apart from that of chats, which can be rebuilt."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

import apsw
from msgspec.structs import replace

from fireside.core.collection import CollectionSearchResult, Scores
from fireside.core.errors import StorageDamaged
from fireside.core.ids import CollectionId
from fireside.files.json_file import set_aside
from fireside.retrieval.collection_rows import CollectionRows
from fireside.retrieval.passage_rows import PassageRows, read_passages
from fireside.retrieval.scanned_pages import ScannedPages
from fireside.retrieval.sources import Sources
from fireside.retrieval.word_search import search_words
from fireside.storage.database import Database, Repository, Row, StorageThread, in_storage_thread
from fireside.storage.database_opening import open_database
from fireside.storage.encryption import DatabaseKey, connect
from fireside.storage.migrations import Migration

if TYPE_CHECKING:
    from fireside.retrieval.vectors import Vectors
from collections.abc import Mapping

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
