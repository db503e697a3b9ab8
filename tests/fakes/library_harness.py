"""Folders with all the sources of a model library, and a trash that can be looked into."""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import dataclass, field
from pathlib import Path

from fakes.gguf_files import Value, model_file
from fireside.core.model import ModelEntry
from fireside.library.applications import ApplicationFolder, ModelApplication
from fireside.library.library import Library, MetadataFile


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
class LibraryHarness:
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
            metadata=MetadataFile(path=self.root / "data" / "library.json"),
            applications=lambda: self.applications,
            clock=lambda: time.time() + self.later_s,
        )

    def keep_in(self, application: ModelApplication, folder: str) -> Path:
        """Let the library look into the folder of an application."""
        path = self.root / folder
        self.applications = (*self.applications, ApplicationFolder(application=application, path=str(path)))
        return path

    def write(self, path: str, **changes: Value | None) -> Path:
        """Write a small model under the root."""
        return model_file(changes=changes).write(self.root / path)


class OllamaFolder:
    """Writes what Ollama writes."""

    def __init__(self, root: Path, *, mark: str = "-") -> None:
        self.root, self._mark = root, mark

    def blob(self, content: bytes) -> str:
        digest = hashlib.sha256(content).hexdigest()
        path = self.root / "blobs" / f"sha256{self._mark}{digest}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return f"sha256:{digest}"

    def manifest(self, path: str, **layers: str) -> None:
        file = self.root / "manifests" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        listed = [
            {"mediaType": f"application/vnd.ollama.image.{kind}", "digest": digest, "size": 1}
            for kind, digest in layers.items()
        ]
        file.write_text(json.dumps({"schemaVersion": 2, "config": {"digest": "x"}, "layers": listed}))


def ids(entries: tuple[ModelEntry, ...]) -> list[str]:
    return [entry.spec.id for entry in entries if entry.spec is not None]


def problems(entries: tuple[ModelEntry, ...]) -> dict[str, str]:
    return {entry.file_name: entry.problem for entry in entries if entry.problem is not None}
