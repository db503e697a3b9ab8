"""Scan the model folders of Jan and of the Hugging Face client, each with its own layout."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePath
from typing import Final

import msgspec

from fireside.gguf import file_stem, quantization_in_name
from fireside.library.model_candidates import ModelCandidate, candidate_at, gather
from fireside.library.walk import NotAFile, walk

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
