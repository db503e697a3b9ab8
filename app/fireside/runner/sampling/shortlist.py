"""Which tokens can be chosen at all: most of a vocabulary never is."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import numpy.typing as npt

Logits = npt.NDArray[np.float32]
Ids = npt.NDArray[np.int64]

REACH: Final = 80.0
"""A token so many nats below the best has a probability under 1e-34: chance never takes it, and in llama.cpp
a probability that has become zero turns whole sums into “not a number”."""

_BLOCK: Final = 64


def top_ids(logits: Logits, n: int) -> Ids | None:
    """Return tokens among which the ``n`` best are, in ascending order; ``None`` if that is no short list.

    The vocabulary is dealt out to blocks. The n-th best of the blocks' best is a bound: ``n`` tokens reach
    it, so what lies below cannot be one of the ``n`` best, and few blocks are looked at again.
    """
    n_blocks = len(logits) // _BLOCK
    if n * 2 > n_blocks:
        return None
    n_dealt = n_blocks * _BLOCK
    blocks = logits[:n_dealt].reshape(_BLOCK, n_blocks)
    peaks = blocks.max(axis=0)
    ranked = np.partition(peaks, n_blocks - n)
    # What is not a number comes last in the partition.
    if not math.isfinite(ranked[n_blocks - n :].max()):
        return None
    bound = ranked[n_blocks - n]
    near = np.flatnonzero(peaks >= bound)
    rows, places = np.nonzero(blocks[:, near] >= bound)
    return np.concatenate(
        [np.sort(rows * n_blocks + near[places]), n_dealt + np.flatnonzero(logits[n_dealt:] >= bound)]
    )


def ids_in_reach(logits: Logits, *, among: Ids | None, n_top: int) -> Ids | None:
    """Return the tokens that have a chance, in ascending order; none where all are forbidden.

    Args:
        among: the only ones allowed; ``None`` allows all.
        n_top: so many of the best are enough, and a few more do no harm; 0 wants all that are in reach.

    Returns:
        ``None`` if the logits are not numbers.
    """
    ids = among
    if among is None and n_top > 0:
        ids = top_ids(logits, n_top)
    values = logits if ids is None else logits[ids]
    highest = float(values.max()) if len(values) else -math.inf
    if math.isnan(highest) or highest == math.inf:
        return None
    if highest == -math.inf:
        return np.empty(0, np.int64)
    near = np.flatnonzero(values >= highest - REACH)
    return near if ids is None else ids[near]
