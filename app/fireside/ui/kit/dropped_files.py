"""What is dragged over the window from other programs: which files, and what they could be."""

from __future__ import annotations

from PySide6.QtCore import QMimeData


def dropped_paths(data: QMimeData) -> list[str]:
    """Return the files and folders of this machine among what is dragged."""
    return [url.toLocalFile() for url in data.urls() if url.isLocalFile()] if data.hasUrls() else []


def could_be_models(paths: list[str]) -> bool:
    """Tell from the names alone: a model file, or no ending as folders have."""
    return any(
        p.lower().endswith(".gguf") or "." not in p.rstrip("/\\").replace("\\", "/").rsplit("/", 1)[-1]
        for p in paths
    )
