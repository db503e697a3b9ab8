"""Vectors as they are stored and compared: int8 codes, and one bit per number for candidates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

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
