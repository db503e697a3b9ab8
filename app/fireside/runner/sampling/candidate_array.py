"""The candidate array (``llama_token_data_array``) that llama.cpp's samplers work on."""

from __future__ import annotations

import ctypes
from typing import Any, Final

import numpy as np

from fireside.runner.native import lib
from fireside.runner.sampling.shortlist import Shortlist

_RECORD: Final = np.dtype([("id", np.int32), ("logit", np.float32), ("p", np.float32)])
"""``llama_token_data``."""


class Candidates:
    """The candidates of a sampler chain; one buffer that all samplers refill.

    Args:
        n_vocab: capacity in tokens.
    """

    def __init__(self, n_vocab: int) -> None:
        records = np.zeros(n_vocab, _RECORD)
        self._ids, self._logits, self._probabilities = records["id"], records["logit"], records["p"]
        self._pointer = records.ctypes.data_as(lib.llama_token_data_p)
        self._array: Any = lib.llama_token_data_array()
        self.reference = ctypes.byref(self._array)
        """Pointer for native functions."""

    def fill(self, short: Shortlist) -> None:
        """Replace the candidates by ``short``."""
        n = len(short.ids)
        self._ids[:n] = short.ids
        self._logits[:n] = short.logits
        self._probabilities[:n] = 0
        array = self._array
        array.data, array.size, array.selected, array.sorted = self._pointer, n, -1, False

    @property
    def selected(self) -> int:
        """The token that a chain has selected."""
        array = self._array
        return int(array.data[array.selected].id)
