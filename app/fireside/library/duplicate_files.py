"""Recognise equal contents, so that nothing is listed twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from fireside.library.model_candidates import Candidate

Sizes = tuple[int, ...]
Prints = Callable[[Candidate], tuple[str, ...]]


class Copies(msgspec.Struct, frozen=True, kw_only=True):
    """Which candidates are the same, by the paths that stand for them."""

    same: dict[str, tuple[str, ...]]
    """Copies of each that is listed, known by their hashes."""
    probable: dict[str, tuple[str, ...]]
    """Others that look the same, for each that has some."""

    @property
    def hidden(self) -> frozenset[str]:
        """Those that another one stands for."""
        return frozenset(path for paths in self.same.values() for path in paths)


def find_copies(candidates: Iterable[Candidate], *, hashes: Prints, quick: Prints) -> Copies:
    """Compare all of equal size. The first of equal ones stands for the others.

    ``hashes`` and ``quick`` return nothing for what is not known; ``quick``, which may read the disk, is only
    asked where hashes do not tell.
    """
    by_size: dict[Sizes, list[Candidate]] = {}
    for candidate in candidates:
        by_size.setdefault(tuple(file.size_bytes for file in candidate.files), []).append(candidate)
    same: dict[str, tuple[str, ...]] = {}
    probable: dict[str, tuple[str, ...]] = {}
    for group in by_size.values():
        if len(group) > 1:
            known = {candidate.path: hashes(candidate) for candidate in group}
            standing = _merge(group, known, same)
            if len(standing) > 1:
                _look_alike(standing, known, quick, probable)
    return Copies(same=same, probable=probable)


def _merge(
    group: Sequence[Candidate], known: Mapping[str, tuple[str, ...]], same: dict[str, tuple[str, ...]]
) -> list[Candidate]:
    """Note those of one hash and return the ones that stand for them."""
    first: dict[tuple[str, ...], str] = {}
    standing: list[Candidate] = []
    for candidate in group:
        hashes = known[candidate.path]
        if hashes and hashes in first:
            stands = first[hashes]
            same[stands] = (*same.get(stands, ()), candidate.path)
            continue
        if hashes:
            first[hashes] = candidate.path
        standing.append(candidate)
    return standing


def _look_alike(
    standing: Sequence[Candidate],
    known: Mapping[str, tuple[str, ...]],
    quick: Prints,
    probable: dict[str, tuple[str, ...]],
) -> None:
    if all(known[candidate.path] for candidate in standing):
        return  # All hashes are known, and they differ.
    alike: dict[tuple[str, ...], list[str]] = {}
    for candidate in standing:
        if prints := quick(candidate):
            alike.setdefault(prints, []).append(candidate.path)
    for paths in alike.values():
        for path in paths:
            others = tuple(other for other in paths if other != path and not (known[path] and known[other]))
            if others:
                probable[path] = others
