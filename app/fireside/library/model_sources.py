"""The folders and files where models may be, and their candidates."""

from __future__ import annotations

import os
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path, PurePath
from typing import Final, assert_never

import msgspec

from fireside.core.i18n import tr, tr_noop
from fireside.core.model import LibraryFailure
from fireside.library.applications import ApplicationFolder, ModelApplication
from fireside.library.foreign_caches import scan_hub_cache, scan_jan
from fireside.library.model_candidates import ModelCandidate, candidate_at, gather
from fireside.library.ollama import scan_ollama
from fireside.library.walk import NotAFile, describe_os_error, readable_path, walk

STARTER_SOURCE = tr_noop("Included")
LIBRARY_SOURCE = tr_noop("Library")
FILE_SOURCE = tr_noop("Added file")

_PARTIAL_PREFIX: Final = "incomplete-"
"""Of partial downloads of GPT4All."""
_NAMES_BESIDE: Final = ("mmproj", "mtp")
"""Parts of the names of projectors and draft heads, by convention of llama.cpp and of common converters."""
_MAX_NEIGHBOURS: Final = 5000
"""Files of a folder that are examined for one added file in it."""


class SourceKind(StrEnum):
    STARTER = "starter"
    LIBRARY = "library"
    ADDED_FOLDER = "added_folder"
    ADDED_FILE = "added_file"
    APPLICATION = "application"


class ModelSource(msgspec.Struct, frozen=True, kw_only=True):
    """A folder, or a single file that was added."""

    kind: SourceKind
    path: str
    application: ModelApplication | None = None
    """The owner of the folder, for that kind alone."""

    @property
    def label(self) -> str:
        """Where its models are, for the user."""
        match self.kind:
            case SourceKind.STARTER:
                return STARTER_SOURCE
            case SourceKind.LIBRARY:
                return LIBRARY_SOURCE
            case SourceKind.ADDED_FOLDER:
                return readable_path(self.path)
            case SourceKind.ADDED_FILE:
                return FILE_SOURCE
            case SourceKind.APPLICATION:
                return str(self.application)

    @property
    def removable(self) -> bool:
        """Whether the user may remove this source in Fireside."""
        return self.kind not in (SourceKind.STARTER, SourceKind.APPLICATION)

    @property
    def hub_layout(self) -> str | None:
        """The folder itself if its models are in ``owner/repo/`` as on the hub."""
        own = self.kind is SourceKind.LIBRARY
        return self.path if own or self.application is ModelApplication.LM_STUDIO else None


class SourceContents(msgspec.Struct, frozen=True, kw_only=True):
    """The candidates of one source, and what in it could not be read."""

    source: ModelSource
    candidates: tuple[ModelCandidate, ...]
    failures: tuple[LibraryFailure, ...]
    neighbours: tuple[ModelCandidate, ...] = ()
    """Files beside an added file, where a projector is among them: it may belong to that file, or to
    another. Never listed."""


def sources(
    *,
    starter_folder: Path,
    library_folder: Path,
    added: Sequence[str],
    applications: Sequence[ApplicationFolder] = (),
) -> tuple[ModelSource, ...]:
    """Return all sources; a file that several of them contain belongs to the first."""
    return (
        ModelSource(kind=SourceKind.STARTER, path=str(starter_folder)),
        ModelSource(kind=SourceKind.LIBRARY, path=str(library_folder)),
        *(_added_source(path) for path in added),
        *(
            ModelSource(kind=SourceKind.APPLICATION, path=folder.path, application=folder.application)
            for folder in applications
        ),
    )


def scan_source(source: ModelSource) -> SourceContents:
    """Return what ``source`` contains now. Never raises; blocks on the disk."""
    if source.kind is SourceKind.ADDED_FILE:
        return _scan_file(source)
    if source.application is not None:
        return _scan_application(source, source.application)
    is_own = source.kind in (SourceKind.STARTER, SourceKind.LIBRARY)
    if is_own and not os.path.lexists(source.path):
        # Created with the first download, so that its absence is no failure, unlike that of an added folder.
        return SourceContents(source=source, candidates=(), failures=())
    found = walk(source.path)
    return SourceContents(source=source, candidates=gather(found.files), failures=found.failures)


def _scan_application(source: ModelSource, application: ModelApplication) -> SourceContents:
    """Return the models of another application; unreadable folders there are not reported."""
    match application:
        case ModelApplication.OLLAMA:
            candidates = scan_ollama(source.path)
        case ModelApplication.HUGGING_FACE:
            candidates = scan_hub_cache(source.path)
        case ModelApplication.JAN:
            candidates = scan_jan(source.path)
        case ModelApplication.LM_STUDIO | ModelApplication.GPT4ALL | ModelApplication.LLAMA_CPP:
            files = walk(source.path).files
            candidates = gather(
                file for file in files if not PurePath(file.path).name.startswith(_PARTIAL_PREFIX)
            )
        case _:
            assert_never(application)
    return SourceContents(source=source, candidates=candidates, failures=())


def _added_source(path: str) -> ModelSource:
    kind = SourceKind.ADDED_FOLDER if _is_folder(path) else SourceKind.ADDED_FILE
    return ModelSource(kind=kind, path=path)


def _is_folder(path: str) -> bool:
    try:
        return Path(path).is_dir()
    except OSError:  # In a folder that cannot be entered: scanning it reports the reason.
        return True


def _scan_file(source: ModelSource) -> SourceContents:
    try:
        candidate = candidate_at(source.path)
        return SourceContents(
            source=source, candidates=(candidate,), failures=(), neighbours=_neighbours(candidate)
        )
    except OSError as exc:
        reason, is_missing = describe_os_error(exc), isinstance(exc, FileNotFoundError)
    except UnicodeEncodeError:
        reason, is_missing = tr("Its name is not valid text. Rename it to use it."), False
    except (ValueError, NotAFile):
        reason, is_missing = tr("It is not a file."), False
    failure = LibraryFailure(path=readable_path(source.path), reason=reason, is_missing=is_missing)
    return SourceContents(source=source, candidates=(), failures=(failure,))


def _neighbours(candidate: ModelCandidate) -> tuple[ModelCandidate, ...]:
    files = walk(str(PurePath(candidate.path).parent), max_depth=0, max_entries=_MAX_NEIGHBOURS).files
    names = [PurePath(file.path).name.casefold() for file in files]
    if not any(part in name for part in _NAMES_BESIDE for name in names):
        return ()
    # The other models too: the file may be theirs.
    return tuple(other for other in gather(files) if other.path != candidate.path)
