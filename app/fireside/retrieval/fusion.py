"""Join two orders of the same chunks into one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

K: Final = 60
"""Of reciprocal rank fusion: how little it matters whether a chunk is first or third."""


def fused(orders: Sequence[Sequence[int]]) -> list[tuple[int, float]]:
    """Return the chunks of several orders, each given best first, by the sum of 1 / (K + rank)."""
    scores: dict[int, float] = {}
    for order in orders:
        for rank, chunk in enumerate(order, start=1):
            scores[chunk] = scores.get(chunk, 0.0) + 1 / (K + rank)
    return sorted(scores.items(), key=lambda each: -each[1])
