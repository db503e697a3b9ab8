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


def quantised(vector: Sequence[float]) -> tuple[bytes, float]:
    """Return a vector as signed bytes, and what each is to be multiplied with."""
    numbers = np.asarray(vector, dtype=np.float32)
    scale = float(np.abs(numbers).max()) / 127 or 1.0
    return np.round(numbers / scale).astype(np.int8).tobytes(), scale


def likeness(codes: Codes, scales: Floats, question: Floats) -> Floats:
    """Return the dot product of each row with ``question``: its cosine, since vectors have length 1."""
    found: Floats = (codes.astype(np.float32) @ question) * scales
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

    def __init__(self, blocks: Iterable[VectorBlock]) -> None:
        """Take all vectors, a block at a time; the first is a fair sample."""
        ids: list[Ids] = []
        bits: list[_Bits] = []
        held: list[VectorBlock] = []
        n = 0
        for block in blocks:
            if not ids:
                # Around their mean the bits tell more: some numbers are hardly ever negative.
                self._mean = block.codes.mean(axis=0, dtype=np.float32)
            n += len(block.ids)
            ids.append(block.ids)
            bits.append(_columns(block.codes > self._mean))
            if n <= EXACT_TO:
                held.append(block)
            else:
                held.clear()
        self.is_exact = n <= EXACT_TO
        self.ids = np.concatenate(ids) if ids else np.empty(0, dtype=np.int64)
        if self.is_exact and held:
            self._codes = np.concatenate([block.codes for block in held])
            self._scales = np.concatenate([block.scales for block in held])
        elif bits:
            self._columns = np.concatenate(bits, axis=1)

    @property
    def n_bytes(self) -> int:
        """What is held in memory."""
        held = (self._codes, self._scales) if self.is_exact else (self._columns, self._mean)
        return self.ids.nbytes + sum(each.nbytes for each in held)

    def nearest(self, question: Floats, *, n: int) -> tuple[Ids, Floats]:
        """Return the ``n`` nearest with their likeness, best first. Only where ``is_exact``."""
        found = likeness(self._codes, self._scales, question)
        order = _best(found, n)
        return self.ids[order], found[order]

    def candidates(self, question: Floats) -> Ids:
        """Return those whose bits are nearest to those of ``question``: enough to find the nearest among."""
        scale = float(np.abs(question).max()) / 127 or 1.0
        bits = _columns((question / scale > self._mean)[np.newaxis])
        apart = np.zeros(len(self.ids), dtype=np.uint16)
        for column, word in zip(self._columns, bits[:, 0], strict=True):
            apart += np.bitwise_count(column ^ word)
        n = min(len(self.ids), 1_000 if len(self.ids) <= 10 * EXACT_TO else 3_000)
        return self.ids[np.argpartition(apart, n - 1)[:n]]


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


def nearest_of(block: VectorBlock, question: Floats, *, n: int) -> tuple[Ids, Floats]:
    """Return the ``n`` nearest of candidates with their likeness, best first."""
    found = likeness(block.codes, block.scales, question)
    order = _best(found, n)
    return block.ids[order], found[order]
