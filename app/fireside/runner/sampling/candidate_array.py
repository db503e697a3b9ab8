"""The array of tokens that llama.cpp's samplers work on."""

from __future__ import annotations

import ctypes
from typing import Any, Final

import numpy as np

from fireside.runner.native import lib
from fireside.runner.sampling.shortlist import Ids, Logits

_RECORD: Final = np.dtype([("id", np.int32), ("logit", np.float32), ("p", np.float32)])
"""``llama_token_data``."""


class Candidates:
    """The tokens that a native chain chooses from. One for all samplers: each fills it anew.

    Args:
        n_vocab: most tokens that it ever holds.
    """

    def __init__(self, n_vocab: int) -> None:
        self._records = np.zeros(n_vocab, _RECORD)
        self._pointer = self._records.ctypes.data_as(lib.llama_token_data_p)
        self._array: Any = lib.llama_token_data_array()
        self.reference = ctypes.byref(self._array)
        """What native functions take."""

    def fill(self, logits: Logits, ids: Ids) -> None:
        """Take ``ids`` with their ``logits``, which are those of the whole vocabulary."""
        records = self._records[: len(ids)]
        records["id"] = ids
        records["logit"] = logits[ids]
        records["p"] = 0
        array = self._array
        array.data, array.size, array.selected, array.sorted = self._pointer, len(ids), -1, False

    @property
    def selected(self) -> int:
        """The token that a chain has chosen."""
        array = self._array
        return int(array.data[array.selected].id)
