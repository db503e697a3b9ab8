"""Sum up the disk space of models, by folder and by model."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence

from fireside.core.library import DiskUse, FolderUse, ModelUse
from fireside.core.model import ModelEntry, display_name
from fireside.library.model_sources import Source, SourceKind
from fireside.library.scan import FoundCandidate


def disk_use(
    sources: Sequence[Source], found: Mapping[str, FoundCandidate], entries: Sequence[ModelEntry]
) -> DiskUse:
    """Return the use of each existing source, and of each model, largest first. Reads the disks.

    A file counts once, where it was found first.
    """
    folders = [use for source in sources if (use := _folder_use(source, found)) is not None]
    models = [_model_use(entry) for entry in entries if entry.path in found]
    folders.sort(key=lambda use: (-use.used_bytes, use.path))
    models.sort(key=lambda use: (-use.used_bytes, use.path))
    return DiskUse(folders=tuple(folders), models=tuple(models))


def _folder_use(source: Source, found: Mapping[str, FoundCandidate]) -> FolderUse | None:
    candidates = [item.candidate for item in found.values() if item.source == source]
    if not candidates and (source.kind is SourceKind.APPLICATION or not os.path.lexists(source.path)):
        return None
    try:
        disk = shutil.disk_usage(source.path)
    except (OSError, ValueError):
        disk = None
    return FolderUse(
        source=source.label,
        path=source.path,
        n_models=len(candidates),
        used_bytes=sum(candidate.size_bytes for candidate in candidates),
        free_bytes=disk.free if disk is not None else None,
        total_bytes=disk.total if disk is not None else None,
    )


def _model_use(entry: ModelEntry) -> ModelUse:
    copies_bytes = sum(location.size_bytes for location in entry.places)
    return ModelUse(
        id=entry.spec.id if entry.spec is not None else None,
        name=display_name(entry),
        path=entry.path,
        used_bytes=entry.size_bytes + copies_bytes,
        copies_bytes=copies_bytes,
    )
