"""The folder of downloads, which may be on a drive that is not connected."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection
from pathlib import Path, PurePath
from typing import Final

from fireside.core.errors import DownloadError
from fireside.core.i18n import tr
from fireside.core.model import ModelEntry
from fireside.library.added_paths import is_below
from fireside.library.header_cache import HeaderCache
from fireside.library.model_sources import LIBRARY_SOURCE

MARKER_NAME: Final = ".fireside-library"
"""File in each library folder that tells an emptied folder from an empty mount point."""


class LibraryFolder:
    """Blocks on the disk. Not thread-safe; ``Library`` holds the lock."""

    def __init__(self, path: Path, *, cache: HeaderCache, data: Path) -> None:
        """``data`` is the program's own folder, without which it would not run: it is always available."""
        self.path = path
        self._data = data
        self._cache = cache

    @property
    def is_disconnected(self) -> bool:
        """Whether the folder is missing or empty although models in it are known."""
        if not self._may_be_disconnected:
            return False
        try:
            with os.scandir(self.path) as entries:
                is_empty = next(entries, None) is None
        except FileNotFoundError:
            is_empty = True
        except OSError:
            is_empty = False  # The scan reports why it cannot be read.
        return is_empty and any(self._holds(path) for path in self._cache.ids)

    def writable_path(self) -> Path:
        """Return ``path``. Raises ``library_folder_away``."""
        if self.is_disconnected:
            raise DownloadError.of("library_folder_away", folder=str(self.path))
        return self.path

    def reconcile(self, found: Collection[str]) -> list[ModelEntry]:
        """Return entries for the known models that are unavailable with their drive; ``found`` are available.

        Models deleted from an available folder are dropped.
        """
        missing = [spec for spec in self._cache.specs if spec.path not in found and self._holds(spec.path)]
        if not self.is_disconnected:
            self._cache.forget(spec.path for spec in missing)
            if self._may_be_disconnected and any(self._holds(path) for path in found):
                with contextlib.suppress(OSError):  # The marker is optional on a read-only disk.
                    (self.path / MARKER_NAME).touch()
            return []
        sentence = tr("Its drive is not connected.")
        entries = [
            _disconnected_entry(
                str(self.path),
                problem=DownloadError.of("library_folder_away", folder=str(self.path)).sentence(),
            )
        ]
        return entries + [
            _disconnected_entry(spec.path, size_bytes=spec.size_bytes, problem=sentence) for spec in missing
        ]

    @property
    def _may_be_disconnected(self) -> bool:
        return not self.path.is_relative_to(self._data)

    def _holds(self, path: str) -> bool:
        return is_below(path, (str(self.path),))


def _disconnected_entry(path: str, *, problem: str, size_bytes: int = 0) -> ModelEntry:
    return ModelEntry(
        path=path,
        file_name=PurePath(path).name or path,
        size_bytes=size_bytes,
        source=LIBRARY_SOURCE,
        removable=False,
        problem=problem,
        is_disconnected=True,
    )
