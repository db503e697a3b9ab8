"""The places of the slider for the context. Pure."""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

SMALLEST: Final = 512


def context_steps(n_ctx_train: int) -> tuple[int, ...]:
    """Return doubling steps with one between each two, from 512 up to what the model was trained for."""
    most = max(n_ctx_train, 256)
    steps: list[int] = []
    step = SMALLEST
    while step < most:
        steps.append(step)
        if step >= 2048 and step * 3 // 2 < most:
            steps.append(step * 3 // 2)
        step *= 2
    return (*steps, most)


def nearest(steps: tuple[int, ...], n_ctx: int) -> int:
    """Return the place of the step closest to ``n_ctx``."""
    place = bisect_left(steps, n_ctx)
    if place == 0:
        return 0
    if place == len(steps):
        return len(steps) - 1
    return place if steps[place] - n_ctx < n_ctx - steps[place - 1] else place - 1
