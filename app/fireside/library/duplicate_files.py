"""Find candidates with equal content, so that each model is listed once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from fireside.library.model_candidates import Candidate

Sizes = tuple[int, ...]
Prints = Callable[[Candidate], tuple[str, ...]]


class Copies(msgspec.Struct, frozen=True, kw_only=True):
    """Groups of equal candidates, by the path of the one that is listed."""

    same: dict[str, tuple[str, ...]]
    """Paths of the copies of each, by their hashes."""
    probable: dict[str, tuple[str, ...]]
    """Paths that are probably equal, for each that has some."""

    @property
    def hidden(self) -> frozenset[str]:
        """Paths of the copies, which are not listed."""
        return frozenset(path for paths in self.same.values() for path in paths)


def find_copies(candidates: Iterable[Candidate], *, hashes: Prints, quick: Prints) -> Copies:
    """Group candidates of equal size. The first of each group is listed.

    ``hashes`` and ``quick`` return an empty tuple where they are unknown; ``quick``, which may read the disk,
    is only called where hashes do not decide.
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
    """Record groups of equal hashes, and return the first of each."""
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
        return  # All hashes are known and differ.
    alike: dict[tuple[str, ...], list[str]] = {}
    for candidate in standing:
        if prints := quick(candidate):
            alike.setdefault(prints, []).append(candidate.path)
    for paths in alike.values():
        for path in paths:
            others = tuple(other for other in paths if other != path and not (known[path] and known[other]))
            if others:
                probable[path] = others
