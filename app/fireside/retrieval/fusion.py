"""Join what was found by words and by meaning into one order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

SEMANTIC_WEIGHT: Final = 0.4
"""The share of meaning; words have the rest. Chosen on half of the questions of three sets of
``tests/bench/document_search.py``."""


def fuse(words: Mapping[int, float], meaning: Mapping[int, float], *, most: int) -> list[tuple[int, float]]:
    """Return chunks by the sum of both scores, each as a share of the way from its worst to its best, 0 to 1.

    A word that few texts have, or a text far nearer than all others, so counts more than ranks would tell
    (relative score fusion; Bruch, Gai and Ingber, 2023). ``most`` is how many were looked for at most: fewer
    by words are all that have any.
    """
    shares: dict[int, float] = {}
    for scores, weight, has_all in (
        (words, 1 - SEMANTIC_WEIGHT, len(words) < most),
        (meaning, SEMANTIC_WEIGHT, False),
    ):
        best = max(scores.values(), default=0.0)
        worst = 0.0 if has_all else min(scores.values(), default=0.0)
        for chunk, score in scores.items():
            share = (score - worst) / (best - worst) if best > worst else 1.0
            shares[chunk] = shares.get(chunk, 0.0) + weight * share
    return sorted(shares.items(), key=lambda each: -each[1])
