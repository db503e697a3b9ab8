"""Prompt lookup decoding: draft from n-grams in the context, such as quotes, code and names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from fireside.runner.decoder import DecodedPart, DraftRequest
from fireside.runner.tokens import NO_TOKENS, Tokens

_BITS: Final = 21
"""Bits per token, enough for any vocabulary; three tokens fit one 64-bit number."""
_SIZES: Final = (3, 2)
"""Sizes of matching n-grams, the longer first."""
_N_AFTER_TWO: Final = 3
"""Most tokens drafted after a match of two, which is little evidence."""


class NgramIndex:
    """The last position after each n-gram of two and three tokens."""

    def __init__(self) -> None:
        self._n_indexed = 0
        self._ends: dict[int, dict[int, int]] = {size: {} for size in _SIZES}

    def draft(self, tokens: Tokens, *, n_max: int) -> Tokens:
        """Return what followed the last occurrence of the n-gram that ``tokens`` end with.

        Takes time for the tokens that are new since the last call. If the occurrence is so near the end that
        too little follows, what follows is repeated: the text is looping then.
        """
        self._index(tokens)
        for size in _SIZES:
            if len(tokens) <= size:
                continue
            tail = tokens[-size:]
            end = self._ends[size].get(int(_keys(tail, size)[0]))
            if end is None:
                continue
            if not np.array_equal(tokens[end - size : end], tail):
                # The tokens are not those of the last call.
                self._clear()
                self._index(tokens)
                return NO_TOKENS
            n = n_max if size > 2 else min(n_max, _N_AFTER_TWO)
            return np.resize(tokens[end : end + n], n)
        return NO_TOKENS

    def _index(self, tokens: Tokens) -> None:
        """Index new n-grams. One counts once a token follows it, so the last one never does."""
        n = len(tokens)
        if n < self._n_indexed:
            self._clear()
        for size in _SIZES:
            # The first end that is not indexed yet, and the n-gram that ends there.
            first = max(self._n_indexed, size)
            if first < n:
                keys = _keys(tokens[first - size : n - 1], size)
                self._ends[size].update(zip(keys.tolist(), range(first, n), strict=True))
        self._n_indexed = n

    def _clear(self) -> None:
        self._n_indexed = 0
        for ends in self._ends.values():
            ends.clear()


def _keys(tokens: Tokens, size: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return one number for each n-gram of ``size`` tokens."""
    n = len(tokens) - size + 1
    keys = np.zeros(n, np.int64)
    for offset in range(size):
        keys = (keys << _BITS) | (tokens[offset : offset + n].astype(np.int64) & ((1 << _BITS) - 1))
    return keys


class PromptLookup:
    """A drafter without a model: drafts for each slot from its own tokens."""

    is_free = True

    def __init__(self) -> None:
        self._indexes: dict[int, NgramIndex] = {}

    def follow(self, parts: Sequence[DecodedPart]) -> None:
        """Needs nothing of it."""

    def draft(self, requests: Sequence[DraftRequest]) -> list[Tokens | None]:
        """Return a draft for each of ``requests``."""
        return [
            self._indexes.setdefault(request.slot, NgramIndex()).draft(request.tokens, n_max=request.n_max)
            for request in requests
        ]
