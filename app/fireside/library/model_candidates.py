"""Group files into candidates: a candidate is one model as it is stored on the disk."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePath

import msgspec

from fireside.gguf import SplitName, parse_split_name
from fireside.library.walk import NotAFile, WalkedFile, stat_file

Fingerprint = tuple[tuple[str, int, int], ...]
"""Path, size in bytes and modification time in nanoseconds of each file."""


class ModelCandidate(msgspec.Struct, frozen=True, kw_only=True):
    """One file, or the existing parts of a split model, in order."""

    files: tuple[WalkedFile, ...]
    split: SplitName | None = None
    label: str = ""
    """The name that the application uses; empty where the file's name is used."""
    other_labels: tuple[str, ...] = ()
    """Other names that the application uses."""
    preferred_id: str = ""
    """The id to assign if possible; empty where it is derived from the path."""
    projector: str | None = None
    """The projector that the application pairs it with."""
    hashes: tuple[str, ...] = ()
    """SHA-256 of each file, where names state them."""
    refusal: str = ""
    """Why it cannot be used, whatever its header says."""

    @property
    def path(self) -> str:
        """The file that identifies the model: the first part."""
        return self.files[0].path

    @property
    def size_bytes(self) -> int:
        return sum(file.size_bytes for file in self.files)

    @property
    def fingerprint(self) -> Fingerprint:
        return tuple((file.path, file.size_bytes, file.mtime_ns) for file in self.files)

    @property
    def mtime_ns(self) -> int:
        """Modification time of the newest file."""
        return max(file.mtime_ns for file in self.files)

    @property
    def missing_parts(self) -> tuple[int, ...]:
        if self.split is None:
            return ()
        present = {_part_number(file) for file in self.files}
        return tuple(number for number in range(1, self.split.count + 1) if number not in present)


def gather(files: Iterable[WalkedFile]) -> tuple[ModelCandidate, ...]:
    """Return the candidates among ``files``, in the order of their first files."""
    groups: dict[tuple[str, ...], list[WalkedFile]] = {}
    for file in files:
        split = _split_of(file.path)
        key = (file.path,) if split is None else (str(PurePath(file.path).parent), split.sibling(1))
        groups.setdefault(key, []).append(file)
    return tuple(_candidate(group) for group in groups.values())


def candidate_at(path: str) -> ModelCandidate:
    """Return the model that the file at ``path`` is, or is a part of.

    Raises what ``stat_file`` raises.
    """
    chosen = stat_file(path)
    split = _split_of(path)
    if split is None:
        return ModelCandidate(files=(chosen,))
    folder = Path(path).parent
    parts: list[WalkedFile] = []
    for number in range(1, split.count + 1):
        try:
            parts.append(stat_file(str(folder / split.sibling(number))))
        except (OSError, NotAFile):
            continue
    return _candidate(parts or [chosen])


def _candidate(files: Sequence[WalkedFile]) -> ModelCandidate:
    ordered = tuple(sorted(files, key=lambda file: (_part_number(file), file.path)))
    return ModelCandidate(files=ordered, split=_split_of(ordered[0].path))


def _split_of(path: str) -> SplitName | None:
    # Not PurePath: it would cost more than everything else for most files of a library.
    return parse_split_name(os.path.basename(path))  # noqa: PTH119


def _part_number(file: WalkedFile) -> int:
    split = _split_of(file.path)
    return 1 if split is None else split.number
