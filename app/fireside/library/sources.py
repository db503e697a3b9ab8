"""The places where models may lie, and what each of them holds now."""

from __future__ import annotations

import os
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

import msgspec

from fireside.core.model import LibraryFailure
from fireside.library.candidates import Candidate, candidate_at, gather
from fireside.library.walk import NotAFile, describe_os_error, readable_path, walk

STARTER_SOURCE = "Comes with Fireside"
LIBRARY_SOURCE = "Library"
FILE_SOURCE = "Added file"


class SourceKind(StrEnum):
    STARTER = "starter"
    LIBRARY = "library"
    ADDED_FOLDER = "added_folder"
    ADDED_FILE = "added_file"


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """A folder, or a single file that was added."""

    kind: SourceKind
    path: str

    @property
    def words(self) -> str:
        """Where its models live, for a person."""
        match self.kind:
            case SourceKind.STARTER:
                return STARTER_SOURCE
            case SourceKind.LIBRARY:
                return LIBRARY_SOURCE
            case SourceKind.ADDED_FOLDER:
                return readable_path(self.path)
            case SourceKind.ADDED_FILE:
                return FILE_SOURCE

    @property
    def removable(self) -> bool:
        return self.kind is not SourceKind.STARTER


class Contents(msgspec.Struct, frozen=True, kw_only=True):
    """What one source holds, and what in it could not be looked at."""

    source: Source
    candidates: tuple[Candidate, ...]
    failures: tuple[LibraryFailure, ...]


def sources(*, starter_folder: Path, library_folder: Path, added: Sequence[str]) -> tuple[Source, ...]:
    """Return all sources; a file that is reached through several belongs to the first."""
    return (
        Source(kind=SourceKind.STARTER, path=str(starter_folder)),
        Source(kind=SourceKind.LIBRARY, path=str(library_folder)),
        *(_added_source(path) for path in added),
    )


def look_into(source: Source) -> Contents:
    """Return what ``source`` holds now. Never raises; blocks on the disk."""
    if source.kind is SourceKind.ADDED_FILE:
        return _look_at_file(source)
    own = source.kind in (SourceKind.STARTER, SourceKind.LIBRARY)
    if own and not os.path.lexists(source.path):
        # Made with the first download. An added folder that is gone is news, this is not.
        return Contents(source=source, candidates=(), failures=())
    found = walk(source.path)
    return Contents(source=source, candidates=gather(found.files), failures=found.failures)


def _added_source(path: str) -> Source:
    kind = SourceKind.ADDED_FOLDER if _is_folder(path) else SourceKind.ADDED_FILE
    return Source(kind=kind, path=path)


def _is_folder(path: str) -> bool:
    try:
        return Path(path).is_dir()
    except OSError:  # Below a folder that cannot be entered: looking into it tells the reason.
        return True


def _look_at_file(source: Source) -> Contents:
    try:
        return Contents(source=source, candidates=(candidate_at(source.path),), failures=())
    except OSError as exc:
        reason = describe_os_error(exc)
    except (ValueError, NotAFile):
        reason = "It is not a file."
    failure = LibraryFailure(path=readable_path(source.path), reason=reason)
    return Contents(source=source, candidates=(), failures=(failure,))
