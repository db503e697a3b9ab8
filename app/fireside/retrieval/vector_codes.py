"""Vectors as they are kept and compared: a signed byte for each number, and one bit for the first look."""

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
"""Up to so many vectors all are compared exactly; of more only those whose bits are near."""
_WORD: Final = 64
_ROWS: Final = 16_384


def quantised(vector: Sequence[float]) -> tuple[bytes, float]:
    """Return a vector as signed bytes, and what each is to be multiplied with."""
    numbers = np.asarray(vector, dtype=np.float32)
    scale = float(np.abs(numbers).max()) / 127 or 1.0
    return np.round(numbers / scale).astype(np.int8).tobytes(), scale


def similarity(codes: Codes, scales: Floats, question: Floats) -> Floats:
    """Return the dot product of each row with ``question``: its cosine, since vectors have length 1."""
    found = np.empty(len(codes), dtype=np.float32)
    # A piece at a time: as floats they take four times the memory.
    for start in range(0, len(codes), _ROWS):
        piece = slice(start, start + _ROWS)
        # Not "@": numpy would share it among all cores and wait for each, which takes forty times as long
        # beside a busy program.
        found[piece] = np.einsum("ij,j->i", codes[piece].astype(np.float32), question) * scales[piece]
    return found


class VectorBlock(NamedTuple):
    """Some vectors: a row of ``codes`` each."""

    ids: Ids
    codes: Codes
    scales: Floats


class VectorIndex:
    """The vectors of one collection in memory. Built once; for any thread.

    Of a small one all codes are held, of a large one the bits: 48 bytes for a vector of 384 numbers.
    """

    def __init__(self, blocks: Iterable[VectorBlock], *, most: int) -> None:
        """Take all vectors, no more than ``most``, a block at a time; the first of many are a fair sample."""
        self.ids = np.empty(0, dtype=np.int64)
        self.is_exact = True
        held: list[VectorBlock] = []
        n = 0
        for block in blocks:
            if self.is_exact:
                held.append(block)
            else:
                self._add(block, at=n)
            n += len(block.ids)
            if self.is_exact and n > EXACT_TO:
                self._begin(held, most=most)
                held.clear()
        if held:
            self.ids = np.concatenate([block.ids for block in held])
            self._codes = np.concatenate([block.codes for block in held])
            self._scales = np.concatenate([block.scales for block in held])
        # What is not used of an array was never written to, and takes no memory.
        self.ids = self.ids[:n]

    def _begin(self, blocks: Sequence[VectorBlock], *, most: int) -> None:
        """Hold bits from now on."""
        self.is_exact = False
        self.ids = np.empty(most, dtype=np.int64)
        sums = np.array([block.codes.sum(axis=0, dtype=np.int64) for block in blocks])
        # Around their mean the bits tell more: some numbers are hardly ever negative.
        self._mean = (sums.sum(axis=0) / sum(len(block.ids) for block in blocks)).astype(np.float32)
        self._bits = np.empty((-(-len(self._mean) // _WORD), most), dtype=np.uint64)
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
        """What is held in memory."""
        if self.is_exact:
            return int(self.ids.nbytes + self._codes.nbytes + self._scales.nbytes)
        return int(self.ids.nbytes + self._mean.nbytes + self._bits[:, : len(self.ids)].nbytes)

    def nearest(self, question: Floats, *, n: int) -> tuple[Ids, Floats]:
        """Return the ``n`` nearest with their likeness, best first. Only where ``is_exact``."""
        found = similarity(self._codes, self._scales, question)
        order = _best(found, n)
        return self.ids[order], found[order]

    def candidates(self, question: Floats) -> Ids:
        """Return those whose bits are nearest to those of ``question``: enough to find the nearest among."""
        scale = float(np.abs(question).max()) / 127 or 1.0
        asked = _columns((question / scale > self._mean)[np.newaxis])
        n_wanted = min(len(self.ids), 1_000 if len(self.ids) <= 10 * EXACT_TO else 3_000)
        n_bits = _WORD * len(asked)
        apart = np.empty(len(self.ids), dtype=np.uint16)
        counts = np.zeros(n_bits + 1, dtype=np.int64)
        # A piece at a time: it stays in the processor's own memory.
        for start in range(0, len(apart), _ROWS):
            piece = slice(start, start + _ROWS)
            found = np.zeros(len(apart[piece]), dtype=np.uint16)
            for column, word in zip(self._bits[:, : len(apart)], asked[:, 0], strict=True):
                found += np.bitwise_count(column[piece] ^ word)
            apart[piece] = found
            counts += np.bincount(found, minlength=n_bits + 1)
        furthest = int(np.searchsorted(np.cumsum(counts), n_wanted))
        nearer = np.flatnonzero(apart < furthest)
        as_far = np.flatnonzero(apart == furthest)[: n_wanted - len(nearer)]
        return self.ids[np.concatenate((nearer, as_far))]


def _columns(bits: npt.NDArray[np.bool_]) -> _Bits:
    """Return rows of bits as words of 64, with the first word of all rows in front: it is read in order."""
    n_missing = -bits.shape[1] % _WORD
    padded = np.pad(bits, ((0, 0), (0, n_missing)))
    words = np.packbits(padded, axis=1).view(np.uint64)
    return np.ascontiguousarray(words.T)


def _best(scores: Floats, n: int) -> npt.NDArray[np.intp]:
    n = min(n, len(scores))
    some = np.argpartition(-scores, n - 1)[:n] if n else np.empty(0, dtype=np.intp)
    return some[np.argsort(-scores[some], kind="stable")]


def rerank(block: VectorBlock, question: Floats, *, n: int) -> tuple[Ids, Floats]:
    """Return the ``n`` nearest of candidates with their likeness, best first."""
    found = similarity(block.codes, block.scales, question)
    order = _best(found, n)
    return block.ids[order], found[order]
