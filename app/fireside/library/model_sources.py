"""The folders and files where models may be, and their candidates."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path, PurePath
from typing import Final, assert_never

import msgspec

from fireside.core.i18n import tr, tr_noop
from fireside.core.model import LibraryFailure
from fireside.gguf import file_stem, quantization_in_name
from fireside.library.applications import ApplicationFolder, ModelApplication
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


# Scan the model folders of Jan and of the Hugging Face client, each with its own layout


_MAX_YAML_BYTES: Final = 64 * 1024
_REPOSITORY: Final = re.compile(r"models--(?P<owner>.+?)--(?P<name>.+)")
_SHA256: Final = re.compile(r"[0-9a-f]{64}")
_YAML_LINE: Final = re.compile(r"(?P<key>name|model_path|mmproj_path):[ \t]+(?P<value>.+?)[ \t]*")


def scan_hub_cache(folder: str) -> tuple[ModelCandidate, ...]:
    """Return the models in the Hugging Face cache: ``models--owner--repo/snapshots/commit/``.

    The files there are links to blobs named by their hashes, or copies where the system has no links. Never
    raises; blocks on the disk.
    """
    candidates: list[ModelCandidate] = []
    for name in _names_in(folder):
        match = _REPOSITORY.fullmatch(name)
        if match is None:
            continue
        snapshots = Path(folder, name, "snapshots")
        # Newest first: a file in several snapshots is listed for the newest.
        commits = sorted(_names_in(str(snapshots)), key=lambda name: _mtime(snapshots / name), reverse=True)
        for commit in commits:
            for candidate in gather(walk(str(snapshots / commit)).files):
                file_name = PurePath(candidate.path).name
                label = quantization_in_name(file_name) or file_stem(file_name)
                candidates.append(
                    msgspec.structs.replace(
                        candidate,
                        preferred_id=f"{match['owner']}/{match['name']}:{label}",
                        hashes=_hashes(candidate),
                    )
                )
    return tuple(candidates)


def scan_jan(folder: str) -> tuple[ModelCandidate, ...]:
    """Return the models named in Jan's ``model.yml`` files, and other model files below ``folder``.

    A path in such a file is relative to Jan's data folder, two levels up; for an imported model it is
    absolute. Never raises; blocks on the disk.
    """
    data_folder = Path(folder).parent.parent
    named: dict[str, ModelCandidate] = {}
    for path in _yaml_files(folder):
        properties = _properties(path)
        candidate = _candidate_named(data_folder, properties.get("model_path", ""))
        if candidate is None:
            continue
        projector = _candidate_named(data_folder, properties.get("mmproj_path", ""))
        preferred_id = path.parent.relative_to(folder).as_posix()
        named[candidate.path] = msgspec.structs.replace(
            candidate,
            label=properties.get("name", ""),
            preferred_id=preferred_id,
            projector=projector.path if projector is not None else None,
        )
    others = {candidate.path: candidate for candidate in gather(walk(folder).files)}
    rest = [others[path] for path in others if path not in named]
    return (*named.values(), *rest)


def _yaml_files(folder: str) -> list[Path]:
    """Return Jan's files, one or two folders deep: its model names have one slash at most."""
    root = Path(folder)
    return [*sorted(root.glob("*/model.yml")), *sorted(root.glob("*/*/model.yml"))]


def _properties(path: Path) -> dict[str, str]:
    """Return the top-level scalar properties; Jan nests nothing that is needed here."""
    try:
        with path.open("rb") as file:
            text = file.read(_MAX_YAML_BYTES).decode(errors="replace")
    except OSError:
        return {}
    matches = (_YAML_LINE.fullmatch(line) for line in text.splitlines())
    return {match["key"]: _unquoted(match["value"]) for match in matches if match is not None}


def _unquoted(value: str) -> str:
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "'\"":
        inner = value[1:-1]
        return (
            inner.replace("''", "'") if value[0] == "'" else inner.replace("\\\\", "\\").replace('\\"', '"')
        )
    return value


def _candidate_named(data_folder: Path, path: str) -> ModelCandidate | None:
    if not path:
        return None
    try:
        # normpath, so that both slashes of Windows give the same path.
        return candidate_at(os.path.normpath(data_folder / path))
    except (OSError, ValueError, NotAFile):
        return None


def _hashes(candidate: ModelCandidate) -> tuple[str, ...]:
    """Return the names of the blobs that links point to; empty for copies."""
    names = tuple(PurePath(os.path.realpath(file.path)).name for file in candidate.files)
    return names if all(_SHA256.fullmatch(name) for name in names) else ()


def _names_in(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208, names and not paths are wanted
    except (OSError, ValueError):
        return []


def _mtime(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
