"""Which tokens can be chosen at all: most of a vocabulary never is."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

Logits = npt.NDArray[np.float32]
Ids = npt.NDArray[np.int64]

REACH: Final = 80.0
"""A token so many nats below the best has a probability under 1e-34: chance never takes it, and in llama.cpp
a probability that has become zero turns whole sums into “not a number”."""

_BLOCK: Final = 32
_N_GROUPS: Final = 6
"""So many groups of blocks for each token that is wanted: fewer would make the list longer."""
_maximum: Final = np.maximum.reduce


class Shortlist(NamedTuple):
    """Some tokens, in ascending order, with their logits."""

    ids: Ids
    logits: Logits


def top_tokens(logits: Logits, n: int) -> Shortlist | None:
    """Return tokens among which the ``n`` best are; ``None`` if that is no short list.

    The vocabulary is dealt out to blocks, and these to groups. The n-th best of the groups' best is a bound:
    ``n`` tokens reach it, so what lies below cannot be one of the ``n`` best, and few blocks are looked at
    again. All of the vocabulary is read once; what follows costs little beside that.
    """
    n_full = len(logits) // _BLOCK
    n_groups = _N_GROUPS * n
    if n_groups > n_full:
        return None
    n_blocks = -(-len(logits) // _BLOCK)
    n_whole = len(logits) // n_blocks
    peaks = _maximum(logits[: n_whole * n_blocks].reshape(n_whole, n_blocks))
    rest = logits[n_whole * n_blocks :]
    np.maximum(peaks[: len(rest)], rest, out=peaks[: len(rest)])
    if not math.isfinite(_maximum(peaks)):
        return None
    n_each = n_blocks // n_groups
    groups = _maximum(peaks[: n_each * n_groups].reshape(n_each, n_groups))
    groups.partition(n_groups - n)
    bound = groups[n_groups - n]
    near = (peaks >= bound).nonzero()[0]
    ids = (np.arange(0, len(logits), n_blocks)[:, None] + near).ravel()
    if len(rest):
        ids = ids[: np.searchsorted(ids, len(logits))]
    values = logits.take(ids)
    return _where(values >= bound, ids, values)


def tokens_in_reach(logits: Logits, *, among: Ids | None, n_top: int) -> Shortlist | None:
    """Return the tokens that have a chance; none where all are forbidden.

    Args:
        among: the only ones allowed; ``None`` allows all.
        n_top: so many of the best are enough, and a few more do no harm; 0 wants all that are in reach.

    Returns:
        ``None`` if the logits are not numbers.
    """
    short = top_tokens(logits, n_top) if among is None and n_top > 0 else None
    if short is not None:
        ids, values = short
    else:
        ids, values = among, logits if among is None else logits[among]
    highest = float(_maximum(values)) if len(values) else -math.inf
    if math.isnan(highest) or highest == math.inf:
        return None
    if highest == -math.inf:
        return Shortlist(np.empty(0, np.int64), np.empty(0, np.float32))
    near = values >= highest - REACH
    return Shortlist(near.nonzero()[0], values[near]) if ids is None else _where(near, ids, values)


def _where(chosen: npt.NDArray[np.bool_], ids: Ids, values: Logits) -> Shortlist:
    return Shortlist(ids[chosen], values[chosen])
