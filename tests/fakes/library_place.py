"""A place with all the sources of a model library, and a trash that can be looked into."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path

from fakes.gguf_files import Value, model_file
from fireside.core.model import ModelEntry
from fireside.library import Library
from fireside.library.applications import ApplicationFolder


@dataclass
class Trash:
    """Moves files out of the way; refuses with ``error`` if it is set."""

    folder: Path
    error: OSError | None = None
    names: list[str] = field(default_factory=list)

    def __call__(self, path: str) -> None:
        if self.error is not None:
            raise self.error
        file = Path(path)
        file.rename(self.folder / f"{len(self.names)}-{file.name}")
        self.names.append(file.name)


@dataclass
class Place:
    """Folders of one test; ``library()`` begins a new run of the program in them."""

    root: Path
    trash: Trash
    applications: tuple[ApplicationFolder, ...] = ()
    later_s: float = 3600.0
    """By how much the program's clock is ahead: files of a test are not being copied unless it says so."""

    @property
    def models(self) -> Path:
        return self.root / "models"

    @property
    def starter(self) -> Path:
        return self.root / "starter"

    @property
    def cache(self) -> Path:
        return self.root / "state" / "library.json"

    def library(self, *added: Path | str) -> Library:
        return Library(
            library_folder=self.models,
            starter_folder=self.starter,
            added=tuple(str(path) for path in added),
            cache_path=self.cache,
            trash=self.trash,
            notes_path=self.root / "data" / "library.json",
            applications=lambda: self.applications,
            clock=lambda: time.time() + self.later_s,
        )

    def write(self, path: str, **changes: Value | None) -> Path:
        """Write a small model under the root."""
        return model_file(changes=changes).write(self.root / path)


def ids(entries: tuple[ModelEntry, ...]) -> list[str]:
    return [entry.spec.id for entry in entries if entry.spec is not None]


def problems(entries: tuple[ModelEntry, ...]) -> dict[str, str]:
    return {entry.file_name: entry.problem for entry in entries if entry.problem is not None}
