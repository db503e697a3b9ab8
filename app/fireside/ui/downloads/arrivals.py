"""Lookup of the library's model that a finished download became. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from fireside.core.hub import Download
from fireside.core.model import ModelEntry


class DownloadedModels:
    """Index of the library's models by origin and path; built once and used for many downloads."""

    def __init__(self, entries: Iterable[ModelEntry]) -> None:
        self._by_origin: dict[tuple[str, str], ModelEntry] = {}
        self._by_path: dict[str, ModelEntry] = {}
        self._unusable: dict[str, ModelEntry] = {}
        self.is_known = False
        """Whether the library has been read; until then, a missing model means nothing."""
        for entry in entries:
            self.is_known = True
            if entry.spec is None:
                self._unusable.setdefault(_last_parts(entry.path.replace("\\", "/")), entry)
                continue
            if entry.spec.projector_path is not None:
                self._by_path.setdefault(_last_parts(entry.spec.projector_path.replace("\\", "/")), entry)
            if entry.origin is not None:
                self._by_origin.setdefault((entry.origin.repo, entry.origin.path), entry)
            # pathlib is not used, since it is slow for thousands of paths.
            self._by_path.setdefault(_last_parts(entry.path.replace("\\", "/")), entry)

    def entry_for(self, download: Download) -> ModelEntry | None:
        """Return the model whose file, or first part, ``download`` has fetched; ``None`` if it is not listed.

        One whose origin is not known (yet) is found by its path below the library's folder.
        """
        for file in download.files:
            entry = self._by_origin.get((file.repo, file.file.path))
            if entry is not None:
                return entry
            entry = self._by_path.get(_last_parts(file.name))
            if entry is not None and entry.origin is None:
                return entry
        return None

    def unusable(self, download: Download) -> ModelEntry | None:
        """Return the entry at the path of ``download`` that is not a usable model; ``None`` for none."""
        return next(
            filter(None, (self._unusable.get(_last_parts(file.name)) for file in download.files)), None
        )


def _last_parts(path: str) -> str:
    """Return the last three parts of a path with ``/``: owner, repository and file in the library."""
    return "/".join(path.rsplit("/", 3)[-3:])
