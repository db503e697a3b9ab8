"""The vectors of passages in the database, and the search through them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from fireside.core.ids import CollectionId, ModelId
from fireside.retrieval.chunk import embedded_text
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
_MAX_STALENESS: Final = 20
"""An outdated index is used for this multiple of the time that building it took."""
_BLOCK_ROWS: Final = 4_000
_NO_CODES: Final = np.empty((0, 0), dtype=np.int8)


class VectorModel(msgspec.Struct, frozen=True, kw_only=True):
    """An embedding model that has vectors in the database."""

    id: int
    model_id: ModelId
    """Its id in the library when it was last used."""
    fingerprint: str


class TextToEmbed(msgspec.Struct, frozen=True, kw_only=True):
    """A text without a vector."""

    hash: bytes
    text: str
    source_id: int
    """A file that contains it."""


class _CachedIndex(msgspec.Struct):
    index: VectorIndex
    model: int
    version: tuple[int, Value]
    built_at_s: float
    build_time_s: float


class Vectors(Repository):
    """All methods raise ``StorageError``."""

    def __init__(self, thread: StorageThread, database: Database, clock: Callable[[], float]) -> None:
        super().__init__(thread, database, clock)
        self._indexes: dict[CollectionId, _CachedIndex] = {}

    @in_storage_thread
    def model(self, *, fingerprint: str, model_id: ModelId, n_numbers: int) -> VectorModel:
        """Return the model with a fingerprint, adding it if it is new; vectors have ``n_numbers``."""
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
        """Return the model with a fingerprint, or ``None`` if it has never made vectors."""
        row = self._database.row(
            "SELECT id, CAST(model_id AS BLOB) FROM model WHERE fingerprint = ?", fingerprint
        )
        if row is None or not isinstance(row[0], int):
            return None
        return VectorModel(id=row[0], model_id=ModelId(read_text(row[1])), fingerprint=fingerprint)

    @in_storage_thread
    def models_of(self, collection_ids: Sequence[CollectionId]) -> dict[CollectionId, VectorModel]:
        """Return the models whose vectors collections are searched by; collections without are missing."""
        models: dict[CollectionId, VectorModel] = {}
        for collection_id in collection_ids:
            row = self._database.row(
                "SELECT model.id, CAST(model.model_id AS BLOB), CAST(fingerprint AS BLOB) "
                "FROM collection JOIN model ON model.id = collection.model WHERE collection.id = ?",
                collection_id,
            )
            if row is not None and isinstance(row[0], int):
                models[collection_id] = VectorModel(
                    id=row[0], model_id=ModelId(read_text(row[1])), fingerprint=read_text(row[2])
                )
        return models

    @in_storage_thread
    def missing(
        self, collection_id: CollectionId, model: int, *, limit: int, from_source: int = 0
    ) -> tuple[TextToEmbed, ...]:
        """Return texts of a collection without a vector of ``model``, of files with ids from ``from_source``.

        Files that miss none are marked as embedded, so that they are not examined again.
        """
        db = self._database
        missing: dict[bytes, TextToEmbed] = {}
        with db.transaction(Durability.PROCESS):
            # By id, stopping at the limit: there may be many files.
            sources = db.connection.execute(
                "SELECT id, CAST(name AS BLOB) FROM source NOT INDEXED WHERE collection_id = ? AND id >= ? "
                "AND n_chunks > 0 AND embedded_by IS NOT ? ORDER BY id",
                (collection_id, from_source, model),
            )
            for source_id, name in sources:
                texts = self._missing_of(source_id, read_text(name), model, limit=limit - len(missing))
                if not texts:
                    db.rows("UPDATE source SET embedded_by = ? WHERE id = ?", model, source_id)
                for text in texts:
                    missing.setdefault(text.hash, text)
                if len(missing) >= limit:
                    break
            sources.close()
        return tuple(missing.values())

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
        """Store vectors of ``model``, quantised."""
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
        """Have a collection searched by the vectors of ``model``."""
        with self._database.transaction(Durability.PROCESS):
            self._database.rows("UPDATE collection SET model = ? WHERE id = ?", model, collection_id)

    @in_storage_thread
    def nearest(
        self, collection_id: CollectionId, model: int, question: Sequence[float], *, limit: int
    ) -> list[tuple[int, float]]:
        """Return the ids of the chunks nearest to a question, with their cosine similarity, best first."""
        index = self._index(collection_id, model)
        vector = np.asarray(question, dtype=np.float32)
        if not len(index.ids):
            return []
        if index.is_exact:
            ids, scores = index.nearest(vector, n=limit)
        else:
            ids, scores = rerank(self._read(index.candidates(vector)), vector, n=limit)
        return [
            (chunk, float(score))
            for id_, score in zip(ids.tolist(), scores, strict=True)
            for chunk in self._chunks_of(collection_id, id_)
        ][:limit]

    def _read(self, ids: Ids) -> VectorBlock:
        """Return vectors by their ids; removed ones are missing."""
        return _block(
            self._database.rows(
                "SELECT id, codes, scale FROM vector WHERE id IN (SELECT value FROM json_each(?))",
                json.dumps(ids.tolist()),
            )
        )

    def _chunks_of(self, collection_id: CollectionId, vector: int) -> list[int]:
        """Return the ids of the chunks of a collection whose text has a vector."""
        rows = self._database.rows(
            "SELECT chunk.id FROM vector JOIN chunk USING (text_hash) JOIN source ON source.id = source_id "
            "WHERE vector.id = ? AND collection_id = ?",
            vector,
            collection_id,
        )
        return [id_ for (id_,) in rows if isinstance(id_, int)]

    def _index(self, collection_id: CollectionId, model: int) -> VectorIndex:
        (changes_of_others,) = self._database.row("PRAGMA data_version") or (0,)
        version = (self._database.connection.total_changes(), changes_of_others)
        cached, now = self._indexes.get(collection_id), time.monotonic()
        if cached is not None and cached.model == model:
            is_young = now - cached.built_at_s < _MAX_STALENESS * cached.build_time_s
            if cached.version == version or is_young:
                return cached.index
        self._indexes.pop(collection_id, None)
        (capacity,) = self._database.row("SELECT count(*) FROM vector WHERE model = ?", model) or (0,)
        assert isinstance(capacity, int)
        index = VectorIndex(self._blocks(collection_id, model), capacity=capacity)
        self._indexes[collection_id] = _CachedIndex(
            index=index,
            model=model,
            version=version,
            built_at_s=now,
            build_time_s=time.monotonic() - now,
        )
        return index

    def _blocks(self, collection_id: CollectionId, model: int) -> Iterator[VectorBlock]:
        # The filter by collection reads all over the file; with one collection it is not needed.
        (n_collections,) = self._database.row(
            "SELECT count(*) FROM collection JOIN model ON model.id = ? "
            "WHERE collection.model = model.id OR collection.model_id = model.model_id",
            model,
        ) or (0,)
        of_collection = (
            "AND EXISTS (SELECT 1 FROM chunk JOIN source ON source.id = source_id "
            "WHERE chunk.text_hash = vector.text_hash AND collection_id = :collection) "
        )
        # NOT INDEXED: in the order of the file; by the index, all would be sorted in memory.
        rows_of_model = self._database.connection.execute(
            f"SELECT id, codes, scale FROM vector NOT INDEXED WHERE model = :model "  # noqa: S608
            f"{'' if n_collections == 1 else of_collection}ORDER BY id",
            {"model": model, "collection": collection_id},
        )
        while rows := list(islice(rows_of_model, _BLOCK_ROWS)):
            yield _block(rows)


def _block(rows: Sequence[tuple[Value, ...]]) -> VectorBlock:
    codes = b"".join(row[1] for row in rows if isinstance(row[1], bytes))
    return VectorBlock(
        ids=np.array([row[0] for row in rows], dtype=np.int64),
        codes=np.frombuffer(codes, dtype=np.int8).reshape(len(rows), -1) if rows else _NO_CODES,
        scales=np.array([row[2] for row in rows], dtype=np.float32),
    )


# Vectors as they are stored and compared: int8 codes, and one bit per number for candidates


Floats = npt.NDArray[np.float32]
Codes = npt.NDArray[np.int8]
Ids = npt.NDArray[np.int64]
_Bits = npt.NDArray[np.uint64]

EXACT_TO: Final = 50_000
"""Up to this many vectors are all compared by their codes; of more, only candidates by their bits."""
_WORD_BITS: Final = 64
_PIECE_ROWS: Final = 16_384


def quantised(vector: Sequence[float]) -> tuple[bytes, float]:
    """Return a vector as int8 codes, and the scale to multiply them with."""
    numbers = np.asarray(vector, dtype=np.float32)
    scale = float(np.abs(numbers).max()) / 127 or 1.0
    return np.round(numbers / scale).astype(np.int8).tobytes(), scale


def similarity(codes: Codes, scales: Floats, question: Floats) -> Floats:
    """Return the dot product of each row with ``question``: the cosine, since vectors have length 1."""
    scores = np.empty(len(codes), dtype=np.float32)
    # In pieces: as floats the codes take four times the memory.
    for start in range(0, len(codes), _PIECE_ROWS):
        piece = slice(start, start + _PIECE_ROWS)
        # Not "@": numpy would divide it among all cores and wait for each, which takes forty times as long
        # beside a busy program.
        scores[piece] = np.einsum("ij,j->i", codes[piece].astype(np.float32), question) * scales[piece]
    return scores


class VectorBlock(NamedTuple):
    """Some vectors, one per row of ``codes``."""

    ids: Ids
    codes: Codes
    scales: Floats


class VectorIndex:
    """The vectors of a collection in memory. Immutable and thread-safe.

    A small index holds all codes, a large one only bits: 48 bytes for a vector of 384 numbers.
    """

    def __init__(self, blocks: Iterable[VectorBlock], *, capacity: int) -> None:
        """Add all vectors, at most ``capacity``; the first ``EXACT_TO`` of more are a sample for the mean."""
        self.ids = np.empty(0, dtype=np.int64)
        self.is_exact = True
        exact_blocks: list[VectorBlock] = []
        n = 0
        for block in blocks:
            if self.is_exact:
                exact_blocks.append(block)
            else:
                self._add(block, at=n)
            n += len(block.ids)
            if self.is_exact and n > EXACT_TO:
                self._switch_to_bits(exact_blocks, capacity=capacity)
                exact_blocks.clear()
        if exact_blocks:
            self.ids = np.concatenate([block.ids for block in exact_blocks])
            self._codes = np.concatenate([block.codes for block in exact_blocks])
            self._scales = np.concatenate([block.scales for block in exact_blocks])
        # The unused end of an array was never written to, so it takes no memory.
        self.ids = self.ids[:n]

    def _switch_to_bits(self, blocks: Sequence[VectorBlock], *, capacity: int) -> None:
        self.is_exact = False
        self.ids = np.empty(capacity, dtype=np.int64)
        sums = np.array([block.codes.sum(axis=0, dtype=np.int64) for block in blocks])
        # Compared with their mean, not with 0, since some numbers are hardly ever negative.
        self._mean = (sums.sum(axis=0) / sum(len(block.ids) for block in blocks)).astype(np.float32)
        self._bits = np.empty((-(-len(self._mean) // _WORD_BITS), capacity), dtype=np.uint64)
        n = 0
        for block in blocks:
            self._add(block, at=n)
            n += len(block.ids)

    def _add(self, block: VectorBlock, *, at: int) -> None:
        end = at + len(block.ids)
        self.ids[at:end] = block.ids
        self._bits[:, at:end] = _columns(block.codes > self._mean)

    @property
    def n_bytes(self) -> int:
        """The memory in use."""
        if self.is_exact:
            return int(self.ids.nbytes + self._codes.nbytes + self._scales.nbytes)
        return int(self.ids.nbytes + self._mean.nbytes + self._bits[:, : len(self.ids)].nbytes)

    def nearest(self, question: Floats, *, n: int) -> tuple[Ids, Floats]:
        """Return the ``n`` nearest with their similarity, best first. Only if ``is_exact``."""
        scores = similarity(self._codes, self._scales, question)
        order = _best(scores, n)
        return self.ids[order], scores[order]

    def candidates(self, question: Floats) -> Ids:
        """Return the vectors with the smallest Hamming distance to ``question``, to be reranked."""
        scale = float(np.abs(question).max()) / 127 or 1.0
        question_bits = _columns((question / scale > self._mean)[np.newaxis])
        n_candidates = min(len(self.ids), 1_000 if len(self.ids) <= 10 * EXACT_TO else 3_000)
        n_bits = _WORD_BITS * len(question_bits)
        distances = np.empty(len(self.ids), dtype=np.uint16)
        counts = np.zeros(n_bits + 1, dtype=np.int64)
        # In pieces that fit the processor's cache.
        for start in range(0, len(distances), _PIECE_ROWS):
            piece = slice(start, start + _PIECE_ROWS)
            piece_distances = np.zeros(len(distances[piece]), dtype=np.uint16)
            for column, word in zip(self._bits[:, : len(distances)], question_bits[:, 0], strict=True):
                piece_distances += np.bitwise_count(column[piece] ^ word)
            distances[piece] = piece_distances
            counts += np.bincount(piece_distances, minlength=n_bits + 1)
        furthest = int(np.searchsorted(np.cumsum(counts), n_candidates))
        closer = np.flatnonzero(distances < furthest)
        at_furthest = np.flatnonzero(distances == furthest)[: n_candidates - len(closer)]
        return self.ids[np.concatenate((closer, at_furthest))]


def _columns(bits: npt.NDArray[np.bool_]) -> _Bits:
    """Pack rows of bits into words of 64; column by column, as they are read."""
    n_missing = -bits.shape[1] % _WORD_BITS
    padded = np.pad(bits, ((0, 0), (0, n_missing)))
    words = np.packbits(padded, axis=1).view(np.uint64)
    return np.ascontiguousarray(words.T)


def _best(scores: Floats, n: int) -> npt.NDArray[np.intp]:
    n = min(n, len(scores))
    unordered = np.argpartition(-scores, n - 1)[:n] if n else np.empty(0, dtype=np.intp)
    return unordered[np.argsort(-scores[unordered], kind="stable")]


def rerank(block: VectorBlock, question: Floats, *, n: int) -> tuple[Ids, Floats]:
    """Return the ``n`` nearest of candidates with their similarity, best first."""
    scores = similarity(block.codes, block.scales, question)
    order = _best(scores, n)
    return block.ids[order], scores[order]
