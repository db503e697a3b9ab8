"""Find chunks of a prompt that a cache holds at later positions, to reuse them by KV shifting.

As ``--cache-reuse`` of llama.cpp's server does.
"""

from __future__ import annotations

from typing import NamedTuple

from fireside.runner.tokens import Tokens, common_prefix


class ReusePlan(NamedTuple):
    """How many prompt tokens a cache holds once ``removed_ranges`` are cut out of it and closed up.

    Each range is half-open, in positions that count after the ranges before it were removed.
    """

    n_tokens: int
    removed_ranges: tuple[tuple[int, int], ...] = ()


def plan_reuse(held: Tokens, prompt: Tokens, *, n_kept: int, min_chunk: int) -> ReusePlan:
    """Return how to reuse chunks of ``held`` for ``prompt`` beyond their common ``n_kept`` tokens.

    Args:
        min_chunk: the fewest tokens of a chunk that is reused.
    """
    removed_ranges = []
    source = target = n_kept
    while len(prompt) - target >= min_chunk:
        index = _find(held, prompt[target : target + min_chunk], start=source)
        if index < 0:
            break
        if index > source:
            removed_ranges.append((target, target + index - source))
        n_same = common_prefix(held[index:], prompt[target:])
        source, target = index + n_same, target + n_same
    return ReusePlan(target, tuple(removed_ranges))


def _find(held: Tokens, part: Tokens, *, start: int) -> int:
    """Return the index of ``part`` in ``held`` from ``start`` on; -1 if it does not occur."""
    data, part_data, size = held.tobytes(), part.tobytes(), held.itemsize
    offset = data.find(part_data, start * size)
    while offset % size and offset >= 0:  # in the middle of a token
        offset = data.find(part_data, offset + 1)
    return offset if offset < 0 else offset // size
