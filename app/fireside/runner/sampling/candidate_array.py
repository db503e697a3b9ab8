"""The array of tokens that llama.cpp's samplers work on."""

from __future__ import annotations

import ctypes
from typing import Any, Final

import numpy as np

from fireside.runner.native import lib
from fireside.runner.sampling.shortlist import Shortlist

_RECORD: Final = np.dtype([("id", np.int32), ("logit", np.float32), ("p", np.float32)])
"""``llama_token_data``."""


class Candidates:
    """The tokens that a native chain chooses from. One for all samplers: each fills it anew.

    Args:
        n_vocab: most tokens that it ever holds.
    """

    def __init__(self, n_vocab: int) -> None:
        records = np.zeros(n_vocab, _RECORD)
        self._ids, self._logits, self._probabilities = records["id"], records["logit"], records["p"]
        self._pointer = records.ctypes.data_as(lib.llama_token_data_p)
        self._array: Any = lib.llama_token_data_array()
        self.reference = ctypes.byref(self._array)
        """What native functions take."""

    def fill(self, short: Shortlist) -> None:
        """Take these tokens, and no others."""
        n = len(short.ids)
        self._ids[:n] = short.ids
        self._logits[:n] = short.logits
        self._probabilities[:n] = 0
        array = self._array
        array.data, array.size, array.selected, array.sorted = self._pointer, n, -1, False

    @property
    def selected(self) -> int:
        """The token that a chain has chosen."""
        array = self._array
        return int(array.data[array.selected].id)
