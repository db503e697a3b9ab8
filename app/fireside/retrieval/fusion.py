"""Fuse the results of the searches by words and by vectors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

SEMANTIC_WEIGHT: Final = 0.4
"""Of similarity; words have the rest. Chosen on half of the questions of three sets of
``tests/tools/bench/document_search.py``."""


def fuse(
    word_scores: Mapping[int, float], similarities: Mapping[int, float], *, n_candidates: int
) -> list[tuple[int, float]]:
    """Return ids of chunks with the weighted sum of their scores as fractions of 1, best first.

    Relative score fusion (Bruch, Gai and Ingber, 2023): unlike fusion by ranks it keeps how far a rare
    word or a very similar text is ahead. ``n_candidates`` is the limit of the searches: fewer ``word_scores``
    are all that exist, so the worst possible score, 0, is known.
    """
    fused: dict[int, float] = {}
    for scores, weight, is_complete in (
        (word_scores, 1 - SEMANTIC_WEIGHT, len(word_scores) < n_candidates),
        (similarities, SEMANTIC_WEIGHT, False),
    ):
        best = max(scores.values(), default=0.0)
        worst = 0.0 if is_complete else min(scores.values(), default=0.0)
        for chunk, score in scores.items():
            normalised = (score - worst) / (best - worst) if best > worst else 1.0
            fused[chunk] = fused.get(chunk, 0.0) + weight * normalised
    return sorted(fused.items(), key=lambda each: -each[1])
