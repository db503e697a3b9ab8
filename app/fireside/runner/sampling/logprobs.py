"""What the model itself thought of its tokens: probabilities before any bias, penalty, rule or cut."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np

from fireside.core.generation import TokenLogprobs, TokenProbability
from fireside.runner.sampling.shortlist import Logits, top_ids

_IMPOSSIBLE: Final = -9999.0
"""Stands for the logarithm of zero, which JSON cannot write."""


class LogprobReader:
    """Reads probabilities off logits. One for all samplers: it keeps a vector of the vocabulary's length.

    Args:
        piece: the bytes that a token stands for.
    """

    def __init__(self, *, n_vocab: int, piece: Callable[[int], bytes]) -> None:
        self._scratch = np.empty(n_vocab, np.float32)
        self._piece = piece

    def read(self, logits: Logits, *, token: int, n_top: int) -> TokenLogprobs:
        """Return the natural logarithms of the probabilities of ``token`` and of the ``n_top`` likeliest."""
        highest = logits.max()
        np.subtract(logits, highest, out=self._scratch)
        np.exp(self._scratch, out=self._scratch)
        log_sum = float(highest) + math.log(float(self._scratch.sum()))

        def probability(token: int) -> TokenProbability:
            logprob = float(logits[token]) - log_sum
            return TokenProbability(token, self._piece(token), max(logprob, _IMPOSSIBLE))

        return TokenLogprobs(probability(token), tuple(map(probability, _likeliest(logits, n_top))))


def _likeliest(logits: Logits, n: int) -> list[int]:
    """Return the ``n`` best tokens, the best first; among equals the lower number."""
    if n == 0:
        return []
    ids = top_ids(logits, n)
    if ids is None:
        ids = np.arange(len(logits))
    order = np.lexsort((ids, -logits[ids]))
    return [int(token) for token in ids[order[:n]]]
