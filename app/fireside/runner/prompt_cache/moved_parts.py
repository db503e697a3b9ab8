"""Find parts of a prompt that a cache holds farther behind: something before them was left out."""

from __future__ import annotations

from typing import NamedTuple

from fireside.runner.tokens import Tokens, common_prefix


class Moved(NamedTuple):
    """What of a prompt a cache would hold once ``holes`` were cut out of it.

    Each is a first position and the one behind the last, counted when those before it are cut out already.
    """

    n_tokens: int
    holes: tuple[tuple[int, int], ...] = ()


def moved_parts(held: Tokens, wanted: Tokens, *, n_kept: int, n_least: int) -> Moved:
    """Return what can be had of ``wanted`` by cutting, beside the ``n_kept`` tokens with which both begin.

    Args:
        n_least: a part is used if it has so many tokens.
    """
    holes = []
    source = target = n_kept
    while len(wanted) - target >= n_least:
        found = _find(held, wanted[target : target + n_least], start=source)
        if found < 0:
            break
        if found > source:
            holes.append((target, target + found - source))
        n_same = common_prefix(held[found:], wanted[target:])
        source, target = found + n_same, target + n_same
    return Moved(target, tuple(holes))


def _find(held: Tokens, part: Tokens, *, start: int) -> int:
    """Return where ``part`` is in ``held``, at ``start`` or after; -1 if it is nowhere."""
    data, sought, size = held.tobytes(), part.tobytes(), held.itemsize
    place = data.find(sought, start * size)
    while place % size and place >= 0:  # in the middle of a token
        place = data.find(sought, place + 1)
    return place if place < 0 else place // size
