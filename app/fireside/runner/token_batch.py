"""The batch of one decode step as a ``llama_batch``."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from fireside.runner.native import lib
from fireside.runner.tokens import Tokens


class TokenBatch:
    """A ``llama_batch`` over arrays that llama.cpp reads in place.

    The pointer table is built once; afterwards only slices of arrays are written.
    """

    def __init__(self, n_max: int) -> None:
        self.n_tokens = 0
        self._tokens = np.zeros(n_max, np.int32)
        self._positions = np.zeros(n_max, np.int32)
        self._sequences = np.zeros(n_max, np.int32)
        self._outputs = np.zeros(n_max, np.int8)
        self._one_each = np.ones(n_max, np.int32)
        addresses = self._sequences.ctypes.data + 4 * np.arange(n_max, dtype=np.uint64)
        self._sequence_pointers = addresses.astype(np.uint64)
        self._count = np.arange(n_max, dtype=np.int32)
        native: Any = lib.llama_batch()
        native.token = self._tokens.ctypes.data_as(ctypes.POINTER(ctypes.c_int32))
        native.pos = self._positions.ctypes.data_as(ctypes.POINTER(ctypes.c_int32))
        native.n_seq_id = self._one_each.ctypes.data_as(ctypes.POINTER(ctypes.c_int32))
        native.seq_id = self._sequence_pointers.ctypes.data_as(ctypes.POINTER(ctypes.POINTER(ctypes.c_int32)))
        native.logits = self._outputs.ctypes.data_as(ctypes.POINTER(ctypes.c_int8))
        self.native = native

    def clear(self) -> None:
        """Remove all tokens."""
        self.n_tokens = 0

    def add(self, tokens: Tokens, *, sequence: int, position: int, wants_logits: bool) -> int:
        """Append tokens of one sequence, the first at ``position``; return the batch index of the last."""
        start, end = self.n_tokens, self.n_tokens + len(tokens)
        if end - start == 1:  # as in every step of every stream: items are written faster than slices
            self._tokens[start] = tokens[0]
            self._positions[start] = position
            self._sequences[start] = sequence
            self._outputs[start] = wants_logits
            self.n_tokens = end
            return start
        self._tokens[start:end] = tokens
        self._positions[start:end] = self._count[: end - start]
        self._positions[start:end] += position
        self._sequences[start:end] = sequence
        self._outputs[start:end] = 0
        self._outputs[end - 1] = wants_logits
        self.n_tokens = end
        return end - 1

    def add_all(self, tokens: Tokens, *, sequence: int, position: int) -> int:
        """Append tokens of one sequence, all with outputs; return the batch index of the first."""
        start = self.n_tokens
        self.add(tokens, sequence=sequence, position=position, wants_logits=True)
        self._outputs[start : self.n_tokens] = 1
        return start

    def runs(self) -> Iterator[tuple[int, int, Tokens]]:
        """Yield each run of tokens of one sequence: the sequence, the first position, the tokens."""
        sequences = self._sequences[: self.n_tokens]
        starts = [0, *(np.flatnonzero(sequences[1:] != sequences[:-1]) + 1), self.n_tokens]
        for start, end in pairwise(starts):
            yield int(sequences[start]), int(self._positions[start]), self._tokens[start:end]
