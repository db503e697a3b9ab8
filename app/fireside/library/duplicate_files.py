"""Find candidates with equal content, so that each model is listed once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from fireside.library.model_candidates import ModelCandidate

Sizes = tuple[int, ...]
Fingerprints = Callable[[ModelCandidate], tuple[str, ...]]


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


def find_copies(candidates: Iterable[ModelCandidate], *, hashes: Fingerprints, quick: Fingerprints) -> Copies:
    """Group candidates of equal size. The first of each group is listed.

    ``hashes`` and ``quick`` return an empty tuple where they are unknown; ``quick``, which may read the disk,
    is only called where hashes do not decide.
    """
    by_size: dict[Sizes, list[ModelCandidate]] = {}
    for candidate in candidates:
        by_size.setdefault(tuple(file.size_bytes for file in candidate.files), []).append(candidate)
    same: dict[str, tuple[str, ...]] = {}
    probable: dict[str, tuple[str, ...]] = {}
    for group in by_size.values():
        if len(group) > 1:
            known = {candidate.path: hashes(candidate) for candidate in group}
            distinct = _merge(group, known, same)
            if len(distinct) > 1:
                _find_probable(distinct, known, quick, probable)
    return Copies(same=same, probable=probable)


def _merge(
    group: Sequence[ModelCandidate], known: Mapping[str, tuple[str, ...]], same: dict[str, tuple[str, ...]]
) -> list[ModelCandidate]:
    """Record groups of equal hashes, and return the first of each."""
    first: dict[tuple[str, ...], str] = {}
    distinct: list[ModelCandidate] = []
    for candidate in group:
        hashes = known[candidate.path]
        if hashes and hashes in first:
            listed = first[hashes]
            same[listed] = (*same.get(listed, ()), candidate.path)
            continue
        if hashes:
            first[hashes] = candidate.path
        distinct.append(candidate)
    return distinct


def _find_probable(
    distinct: Sequence[ModelCandidate],
    known: Mapping[str, tuple[str, ...]],
    quick: Fingerprints,
    probable: dict[str, tuple[str, ...]],
) -> None:
    if all(known[candidate.path] for candidate in distinct):
        return  # All hashes are known and differ.
    by_fingerprint: dict[tuple[str, ...], list[str]] = {}
    for candidate in distinct:
        if fingerprints := quick(candidate):
            by_fingerprint.setdefault(fingerprints, []).append(candidate.path)
    for paths in by_fingerprint.values():
        for path in paths:
            others = tuple(other for other in paths if other != path and not (known[path] and known[other]))
            if others:
                probable[path] = others
