"""The vectors of passages in the database, and the search through them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final

import msgspec
import numpy as np

from fireside.core.ids import CollectionId, ModelId
from fireside.retrieval.chunk import embedded_text
from fireside.retrieval.vector_codes import Ids, VectorBlock, VectorIndex, quantised, rerank
from fireside.storage.database import (
    Database,
    Durability,
    Repository,
    StorageThread,
    Value,
    in_storage_thread,
)
from fireside.storage.rows import read_text

_HEADINGS: Final = msgspec.json.Decoder(tuple[str, ...])
_PATIENCE: Final = 20
"""An index that is behind is used for so many times the time that making it took."""
_BLOCK: Final = 4_000
_NONE: Final = np.empty((0, 0), dtype=np.int8)


class VectorModel(msgspec.Struct, frozen=True, kw_only=True):
    """A model whose vectors are in the database."""

    id: int
    model_id: ModelId
    """The library's name of it, when it was last used."""
    fingerprint: str


class TextToEmbed(msgspec.Struct, frozen=True, kw_only=True):
    """A text without a vector."""

    hash: bytes
    text: str
    source_id: int
    """Of a file that has it."""


class _Made(msgspec.Struct):
    index: VectorIndex
    model: int
    version: tuple[int, Value]
    at_s: float
    took_s: float


class Vectors(Repository):
    """All raise ``StorageError``."""

    def __init__(self, thread: StorageThread, database: Database, clock: Callable[[], float]) -> None:
        super().__init__(thread, database, clock)
        self._made: dict[CollectionId, _Made] = {}

    @in_storage_thread
    def model(self, *, fingerprint: str, model_id: ModelId, n_numbers: int) -> VectorModel:
        """Return the model with a fingerprint, which is added if it is new."""
        with self._database.transaction(Durability.PROCESS):
            self._database.rows(
                "INSERT INTO model (fingerprint, model_id, n_numbers) VALUES (?1, ?2, ?3) "
                "ON CONFLICT (fingerprint) DO UPDATE SET model_id = ?2",
                fingerprint,
                model_id,
                n_numbers,
            )
            (id_,) = self._database.row("SELECT id FROM model WHERE fingerprint = ?", fingerprint) or (0,)
        assert isinstance(id_, int)
        return VectorModel(id=id_, model_id=model_id, fingerprint=fingerprint)

    @in_storage_thread
    def known_model(self, fingerprint: str) -> VectorModel | None:
        """Return the model with a fingerprint, if it has made vectors before."""
        row = self._database.row(
            "SELECT id, CAST(model_id AS BLOB) FROM model WHERE fingerprint = ?", fingerprint
        )
        if row is None or not isinstance(row[0], int):
            return None
        return VectorModel(id=row[0], model_id=ModelId(read_text(row[1])), fingerprint=fingerprint)

    @in_storage_thread
    def models_of(self, collection_ids: Sequence[CollectionId]) -> dict[CollectionId, VectorModel]:
        """Return by whose vectors collections are searched; those that have none yet are missing."""
        found: dict[CollectionId, VectorModel] = {}
        for collection_id in collection_ids:
            row = self._database.row(
                "SELECT model.id, CAST(model.model_id AS BLOB), CAST(fingerprint AS BLOB) "
                "FROM collection JOIN model ON model.id = collection.model WHERE collection.id = ?",
                collection_id,
            )
            if row is not None and isinstance(row[0], int):
                found[collection_id] = VectorModel(
                    id=row[0], model_id=ModelId(read_text(row[1])), fingerprint=read_text(row[2])
                )
        return found

    @in_storage_thread
    def missing(
        self, collection_id: CollectionId, model: int, *, limit: int, from_source: int = 0
    ) -> tuple[TextToEmbed, ...]:
        """Return texts of a collection without a vector of ``model``; of files from ``from_source`` on.

        Files that miss none are noted as such, and not looked through again.
        """
        db = self._database
        found: dict[bytes, TextToEmbed] = {}
        with db.transaction(Durability.PROCESS):
            # In the order of their ids, and no further than needed: there may be many.
            sources = db.connection.execute(
                "SELECT id, CAST(name AS BLOB) FROM source NOT INDEXED WHERE collection_id = ? AND id >= ? "
                "AND n_chunks > 0 AND embedded_by IS NOT ? ORDER BY id",
                (collection_id, from_source, model),
            )
            for source_id, name in sources:
                texts = self._missing_of(source_id, read_text(name), model, limit=limit - len(found))
                if not texts:
                    db.rows("UPDATE source SET embedded_by = ? WHERE id = ?", model, source_id)
                for text in texts:
                    found.setdefault(text.hash, text)
                if len(found) >= limit:
                    break
            sources.close()
        return tuple(found.values())

    def _missing_of(self, source_id: Value, name: str, model: int, *, limit: int) -> list[TextToEmbed]:
        rows = self._database.rows(
            "SELECT text_hash, CAST(headings AS BLOB), CAST(text AS BLOB) FROM chunk WHERE source_id = ? "
            "AND NOT EXISTS (SELECT 1 FROM vector WHERE vector.model = ? "
            "AND vector.text_hash = chunk.text_hash) LIMIT ?",
            source_id,
            model,
            limit,
        )
        assert isinstance(source_id, int)
        return [
            TextToEmbed(
                hash=hash_,
                text=embedded_text(
                    read_text(text), title=name, headings=_HEADINGS.decode(read_text(headings))
                ),
                source_id=source_id,
            )
            for hash_, headings, text in rows
            if isinstance(hash_, bytes)
        ]

    @in_storage_thread
    def store(self, model: int, vectors: Sequence[tuple[TextToEmbed, Sequence[float]]]) -> None:
        """Keep the vectors of texts."""
        with self._database.transaction(Durability.PROCESS):
            for text, vector in vectors:
                codes, scale = quantised(vector)
                self._database.rows(
                    "INSERT OR IGNORE INTO vector (model, text_hash, scale, codes) VALUES (?, ?, ?, ?)",
                    model,
                    text.hash,
                    scale,
                    codes,
                )

    @in_storage_thread
    def set_model(self, collection_id: CollectionId, model: int) -> None:
        """Search a collection by the vectors of ``model``."""
        with self._database.transaction(Durability.PROCESS):
            self._database.rows("UPDATE collection SET model = ? WHERE id = ?", model, collection_id)

    @in_storage_thread
    def nearest(
        self, collection_id: CollectionId, model: int, question: Sequence[float], *, limit: int
    ) -> list[tuple[int, float]]:
        """Return the chunks that are nearest to a question with their likeness, best first."""
        index = self._index(collection_id, model)
        asked = np.asarray(question, dtype=np.float32)
        if not len(index.ids):
            return []
        if index.is_exact:
            ids, found = index.nearest(asked, n=limit)
        else:
            ids, found = rerank(self._read(index.candidates(asked)), asked, n=limit)
        return [
            (chunk, float(score))
            for id_, score in zip(ids.tolist(), found, strict=True)
            for chunk in self._chunks_of(collection_id, id_)
        ][:limit]

    def _read(self, ids: Ids) -> VectorBlock:
        """Return vectors by their ids, of which some may be gone."""
        return _block(
            self._database.rows(
                "SELECT id, codes, scale FROM vector WHERE id IN (SELECT value FROM json_each(?))",
                json.dumps(ids.tolist()),
            )
        )

    def _chunks_of(self, collection_id: CollectionId, vector: int) -> list[int]:
        """Return the chunks of a collection that have the text of a vector."""
        rows = self._database.rows(
            "SELECT chunk.id FROM vector JOIN chunk USING (text_hash) JOIN source ON source.id = source_id "
            "WHERE vector.id = ? AND collection_id = ?",
            vector,
            collection_id,
        )
        return [id_ for (id_,) in rows if isinstance(id_, int)]

    def _index(self, collection_id: CollectionId, model: int) -> VectorIndex:
        (outside,) = self._database.row("PRAGMA data_version") or (0,)
        version = (self._database.connection.total_changes(), outside)
        made, now = self._made.get(collection_id), time.monotonic()
        if made is not None and made.model == model:
            is_young = now - made.at_s < _PATIENCE * made.took_s
            if made.version == version or is_young:
                return made.index
        self._made.pop(collection_id, None)
        (most,) = self._database.row("SELECT count(*) FROM vector WHERE model = ?", model) or (0,)
        assert isinstance(most, int)
        index = VectorIndex(self._blocks(collection_id, model), most=most)
        took_s = time.monotonic() - now
        self._made[collection_id] = _Made(index=index, model=model, version=version, at_s=now, took_s=took_s)
        return index

    def _blocks(self, collection_id: CollectionId, model: int) -> Iterator[VectorBlock]:
        # Whose text a vector has is looked up all over the file, and need not be where no other has any.
        (n_collections,) = self._database.row(
            "SELECT count(*) FROM collection JOIN model ON model.id = ? "
            "WHERE collection.model = model.id OR collection.model_id = model.model_id",
            model,
        ) or (0,)
        own = (
            "AND EXISTS (SELECT 1 FROM chunk JOIN source ON source.id = source_id "
            "WHERE chunk.text_hash = vector.text_hash AND collection_id = :collection) "
        )
        # Read as they lie in the file: by the index they would be sorted, all in memory.
        found = self._database.connection.execute(
            f"SELECT id, codes, scale FROM vector NOT INDEXED WHERE model = :model "  # noqa: S608
            f"{'' if n_collections == 1 else own}ORDER BY id",
            {"model": model, "collection": collection_id},
        )
        while rows := list(islice(found, _BLOCK)):
            yield _block(rows)


def _block(rows: Sequence[tuple[Value, ...]]) -> VectorBlock:
    codes = b"".join(row[1] for row in rows if isinstance(row[1], bytes))
    return VectorBlock(
        ids=np.array([row[0] for row in rows], dtype=np.int64),
        codes=np.frombuffer(codes, dtype=np.int8).reshape(len(rows), -1) if rows else _NONE,
        scales=np.array([row[2] for row in rows], dtype=np.float32),
    )
