"""Reduce the vocabulary to the tokens that can be sampled at all."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

Logits = npt.NDArray[np.float32]
Ids = npt.NDArray[np.int64]

REACH: Final = 80.0
"""A token so many nats below the best has a probability under 1e-34: it is never sampled, and in llama.cpp
a probability that has become zero turns whole sums into “not a number”."""

_BLOCK: Final = 32
_N_GROUPS: Final = 6
"""Groups of blocks per requested token: fewer would make the list longer."""
_maximum: Final = np.maximum.reduce


class Shortlist(NamedTuple):
    """Some tokens, in ascending order, with their logits."""

    ids: Ids
    logits: Logits


class Blocks:
    """Logits divided into blocks: all are read once, and then only blocks whose best logit matters."""

    def __init__(self, logits: Logits) -> None:
        self._n_vocab = len(logits)
        self._n_blocks = n_blocks = -(-len(logits) // _BLOCK)
        n_dealt = len(logits) // n_blocks * n_blocks
        self.peaks: Logits = _maximum(logits[:n_dealt].reshape(-1, n_blocks))
        """The best logit of each block; NaN if it contains one."""
        rest = logits[n_dealt:]
        np.maximum(self.peaks[: len(rest)], rest, out=self.peaks[: len(rest)])

    def ids(self, chosen: npt.NDArray[np.bool_]) -> Ids:
        """Return the tokens of the blocks selected by the mask ``chosen``, in ascending order."""
        rows = np.arange(0, self._n_vocab, self._n_blocks)
        ids: Ids = (rows[:, None] + chosen.nonzero()[0]).ravel()
        is_dealt_evenly = self._n_vocab % self._n_blocks == 0
        return ids if is_dealt_evenly else ids[: ids.searchsorted(self._n_vocab)]


def top_tokens(logits: Logits, n: int) -> Shortlist | None:
    """Return a superset of the ``n`` best tokens; ``None`` if it would not be short.

    The blocks are put into groups. The n-th best of the groups' best is a bound: ``n`` tokens reach it, so
    tokens below it cannot be among the ``n`` best.
    """
    n_groups = _N_GROUPS * n
    if n_groups * _BLOCK > len(logits):
        return None
    blocks = Blocks(logits)
    peaks = blocks.peaks
    if not math.isfinite(_maximum(peaks)):
        return None
    n_each = len(peaks) // n_groups
    groups = _maximum(peaks[: n_each * n_groups].reshape(n_each, n_groups))
    groups.partition(n_groups - n)
    bound = groups[n_groups - n]
    ids = blocks.ids(peaks >= bound)
    values = logits.take(ids)
    return _where(values >= bound, ids, values)


def tokens_in_reach(logits: Logits, *, among: Ids | None, n_top: int) -> Shortlist | None:
    """Return the tokens with a chance to be sampled; an empty list where all are forbidden.

    Args:
        among: the only tokens allowed; ``None`` allows all.
        n_top: number of best tokens that suffice (a few more may be returned); 0 for all within ``REACH``.

    Returns:
        ``None`` if the logits are not finite.
    """
    ids: Ids | None = among
    values = logits if among is None else logits[among]
    if among is None and n_top > 0 and (short := top_tokens(logits, n_top)) is not None:
        ids, values = short
    highest = float(_maximum(values)) if len(values) else -math.inf
    if math.isnan(highest) or highest == math.inf:
        return None
    if highest == -math.inf:
        return Shortlist(np.empty(0, np.int64), np.empty(0, np.float32))
    near = values >= highest - REACH
    return Shortlist(near.nonzero()[0], values[near]) if ids is None else _where(near, ids, values)


def _where(chosen: npt.NDArray[np.bool_], ids: Ids, values: Logits) -> Shortlist:
    return Shortlist(ids[chosen], values[chosen])
