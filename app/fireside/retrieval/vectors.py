"""The vectors of passages in the database, and the search through them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final

import msgspec
import numpy as np

from fireside.core.ids import CollectionId, ModelId
from fireside.retrieval.chunk import embedded_text
from fireside.retrieval.vector_codes import Floats, Ids, VectorBlock, VectorIndex, nearest_of, quantised
from fireside.storage.database import Database, Durability, Value
from fireside.storage.rows import read_text
from fireside.storage.storage_thread import Repository, StorageThread, in_storage_thread

_HEADINGS: Final = msgspec.json.Decoder(tuple[str, ...])
_PATIENCE: Final = 20
"""An index that is behind is used for so many times the time that making it took."""
_BLOCK: Final = 20_000


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
    def missing(self, collection_id: CollectionId, model: int, *, limit: int) -> tuple[TextToEmbed, ...]:
        """Return texts of a collection without a vector of ``model``."""
        rows = self._database.rows(
            "SELECT chunk.text_hash, CAST(name AS BLOB), CAST(headings AS BLOB), CAST(text AS BLOB) "
            "FROM source JOIN chunk ON source_id = source.id WHERE collection_id = ? AND NOT EXISTS "
            "(SELECT 1 FROM vector WHERE vector.model = ? AND vector.text_hash = chunk.text_hash) LIMIT ?",
            collection_id,
            model,
            limit,
        )
        found = {
            hash_: embedded_text(
                read_text(text), title=read_text(name), headings=_HEADINGS.decode(read_text(headings))
            )
            for hash_, name, headings, text in rows
            if isinstance(hash_, bytes)
        }
        return tuple(TextToEmbed(hash=hash_, text=text) for hash_, text in found.items())

    @in_storage_thread
    def put(self, model: int, vectors: Sequence[tuple[TextToEmbed, Sequence[float]]]) -> None:
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
    def use(self, collection_id: CollectionId, model: int) -> None:
        """Search a collection by the vectors of ``model``."""
        with self._database.transaction(Durability.PROCESS):
            self._database.rows("UPDATE collection SET model = ? WHERE id = ?", model, collection_id)

    @in_storage_thread
    def remove_unused(self) -> None:
        """Remove the vectors of texts that no file has any more, and of models that nothing asks for."""
        with self._database.transaction(Durability.PROCESS):
            self._database.rows(
                "DELETE FROM vector WHERE NOT EXISTS "
                "(SELECT 1 FROM chunk WHERE chunk.text_hash = vector.text_hash)"
            )
            self._database.rows(
                "DELETE FROM model WHERE NOT EXISTS (SELECT 1 FROM collection "
                "WHERE collection.model = model.id OR collection.model_id = model.model_id)"
            )

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
            ids, found = self._rescored(index, model, asked, limit=limit)
        return [(int(id_), float(score)) for id_, score in zip(ids, found, strict=True)]

    def _rescored(self, index: VectorIndex, model: int, asked: Floats, *, limit: int) -> tuple[Ids, Floats]:
        rows = [
            (id_, *row)
            for id_ in index.candidates(asked).tolist()
            if (
                row := self._database.row(
                    "SELECT codes, scale FROM chunk JOIN vector ON vector.model = ? "
                    "AND vector.text_hash = chunk.text_hash WHERE chunk.id = ?",
                    model,
                    id_,
                )
            )
        ]
        return nearest_of(_block(rows), asked, n=limit) if rows else (index.ids[:0], asked[:0])

    def _index(self, collection_id: CollectionId, model: int) -> VectorIndex:
        (outside,) = self._database.row("PRAGMA data_version") or (0,)
        version = (self._database.connection.total_changes(), outside)
        made, now = self._made.get(collection_id), time.monotonic()
        if made is not None and made.model == model:
            is_young = now - made.at_s < _PATIENCE * made.took_s
            if made.version == version or is_young:
                return made.index
        index = VectorIndex(self._blocks(collection_id, model))
        took_s = time.monotonic() - now
        self._made[collection_id] = _Made(index=index, model=model, version=version, at_s=now, took_s=took_s)
        return index

    def _blocks(self, collection_id: CollectionId, model: int) -> Iterator[VectorBlock]:
        found = self._database.connection.execute(
            "SELECT chunk.id, codes, scale FROM source JOIN chunk ON source_id = source.id "
            "JOIN vector ON vector.model = ? AND vector.text_hash = chunk.text_hash WHERE collection_id = ?",
            (model, collection_id),
        )
        while rows := list(islice(found, _BLOCK)):
            yield _block(rows)


def _block(rows: Sequence[tuple[Value, ...]]) -> VectorBlock:
    codes = b"".join(row[1] for row in rows if isinstance(row[1], bytes))
    return VectorBlock(
        ids=np.array([row[0] for row in rows], dtype=np.int64),
        codes=np.frombuffer(codes, dtype=np.int8).reshape(len(rows), -1),
        scales=np.array([row[2] for row in rows], dtype=np.float32),
    )
