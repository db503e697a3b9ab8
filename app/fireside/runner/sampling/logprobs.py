"""What the model itself thought of its tokens: probabilities before any bias, penalty, rule or cut."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np

from fireside.core.generation import TokenLogprobs, TokenProbability
from fireside.runner.sampling.shortlist import Logits, Shortlist, top_tokens

_IMPOSSIBLE: Final = -9999.0
"""Stands for the logarithm of zero, which JSON cannot write."""
_SAFE: Final = 50.0
"""Where the best logit is not farther from zero, the sum of all exponentials has a float's full precision."""


class LogprobReader:
    """Reads probabilities off logits. One for all samplers: it keeps a vector of the vocabulary's length.

    Args:
        piece: the bytes that a token stands for.
        spelled: the name of one that stands for none, such as a control token.
    """

    def __init__(
        self, *, n_vocab: int, piece: Callable[[int], bytes], token_bytes: Callable[[int], bytes]
    ) -> None:
        self._scratch = np.empty(n_vocab, np.float32)
        self._piece = piece
        self._token_bytes = token_bytes

    def read(self, logits: Logits, *, token: int, n_top: int) -> TokenLogprobs:
        """Return the natural logarithms of the probabilities of ``token`` and of the ``n_top`` likeliest."""
        short = top_tokens(logits, max(1, n_top)) or Shortlist(np.arange(len(logits)), logits)
        log_sum = self._log_sum(logits, highest=float(short.logits.max()))

        def probability(token: int, text: bytes) -> TokenProbability:
            logprob = float(logits[token]) - log_sum
            return TokenProbability(token, text, max(logprob, _IMPOSSIBLE))

        # What was taken stands for its part of the answer, which a control token has none of.
        return TokenLogprobs(
            probability(token, self._piece(token)),
            tuple(
                probability(each, self._piece(each) or self._token_bytes(each))
                for each in _likeliest(short, n_top)
            ),
        )

    def _log_sum(self, logits: Logits, *, highest: float) -> float:
        shift = 0.0 if abs(highest) <= _SAFE else highest
        shifted = np.subtract(logits, np.float32(shift), out=self._scratch) if shift else logits
        np.exp(shifted, out=self._scratch)
        return shift + math.log(float(self._scratch.sum()))


def _likeliest(short: Shortlist, n: int) -> list[int]:
    """Return the ``n`` best tokens, the best first; among equals the lower number."""
    order = np.lexsort((short.ids, -short.logits))
    return [int(token) for token in short.ids[order[:n]]]
