"""Log probabilities of tokens, from the logits before any bias, penalty, constraint or sampler."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np

from fireside.core.generation import TokenLogprobs, TokenProbability
from fireside.runner.sampling.shortlist import Logits, Shortlist, top_tokens

_IMPOSSIBLE: Final = -9999.0
"""In place of the logarithm of zero, which JSON cannot represent."""
_SAFE: Final = 50.0
"""Up to this absolute value of the best logit the sum of exponentials has a float's full precision."""


class LogprobReader:
    """Computes log probabilities from logits. Shared by all samplers: it owns a buffer of vocabulary size.

    Args:
        piece: returns the bytes of a token.
        token_bytes: returns the name of a token without bytes, such as a control token.
    """

    def __init__(
        self, *, n_vocab: int, piece: Callable[[int], bytes], token_bytes: Callable[[int], bytes]
    ) -> None:
        self._scratch = np.empty(n_vocab, np.float32)
        self._piece = piece
        self._token_bytes = token_bytes

    def read(self, logits: Logits, *, token: int, n_top: int) -> TokenLogprobs:
        """Return the natural log probabilities of ``token`` and of the ``n_top`` likeliest tokens."""
        short = top_tokens(logits, max(1, n_top)) or Shortlist(np.arange(len(logits)), logits)
        log_sum = self._log_sum(logits, highest=float(short.logits.max()))

        def probability(token: int, text: bytes) -> TokenProbability:
            logprob = float(logits[token]) - log_sum
            return TokenProbability(token, text, max(logprob, _IMPOSSIBLE))

        # The sampled token is reported with its part of the answer, which is empty for a control token.
        return TokenLogprobs(
            probability(token, self._piece(token)),
            tuple(
                probability(candidate, self._piece(candidate) or self._token_bytes(candidate))
                for candidate in _likeliest(short, n_top)
            ),
        )

    def _log_sum(self, logits: Logits, *, highest: float) -> float:
        shift = 0.0 if abs(highest) <= _SAFE else highest
        shifted = np.subtract(logits, np.float32(shift), out=self._scratch) if shift else logits
        np.exp(shifted, out=self._scratch)
        return shift + math.log(float(self._scratch.sum()))


def _likeliest(short: Shortlist, n: int) -> list[int]:
    """Return the ``n`` best tokens, best first; among equals the lower id."""
    order = np.lexsort((short.ids, -short.logits))
    return [int(token) for token in short.ids[order[:n]]]
