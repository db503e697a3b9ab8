"""A disk for downloads that remembers what was done to it, and what a power cut may leave of that."""

from __future__ import annotations

import random
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import BinaryIO

from fakes.disk_surface import Created, Resized, Surface, Synchronised, Written, chance_to_survive
from fireside.hub.download_disk import Disk, DiskFile


@dataclass(frozen=True)
class Renamed:
    source: Path
    target: Path


@dataclass(frozen=True)
class Removed:
    path: Path


@dataclass(frozen=True)
class FolderSynchronised:
    path: Path


Event = Created | Written | Resized | Synchronised | Renamed | Removed | FolderSynchronised


class PowerCutDisk(Disk):
    """A real disk whose every change is recorded."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def open(self, path: Path) -> DiskFile:
        if not path.exists():
            self.events.append(Created(path))
        inner = super().open(path)
        return _RecordedFile(inner._file, path=path, events=self.events)

    def replace(self, source: Path, target: Path) -> None:
        super().replace(source, target)
        self.events.append(Renamed(source, target))

    def remove(self, path: Path) -> None:
        if path.exists():
            self.events.append(Removed(path))
        super().remove(path)

    def synchronise_folder(self, folder: Path) -> None:
        super().synchronise_folder(folder)
        self.events.append(FolderSynchronised(folder))


class _RecordedFile(DiskFile):
    def __init__(self, file: BinaryIO | FileIO, *, path: Path, events: list[Event]) -> None:
        super().__init__(file, path=path)
        self._events = events

    def write_at(self, offset: int, content: bytes) -> None:
        super().write_at(offset, content)
        self._events.append(Written(self.path, offset, bytes(content)))

    def resize(self, n_bytes: int) -> None:
        super().resize(n_bytes)
        self._events.append(Resized(self.path, n_bytes))

    def reserve(self, n_bytes: int) -> None:
        super().reserve(n_bytes)
        self._events.append(Resized(self.path, n_bytes))

    def synchronise(self) -> None:
        super().synchronise()
        self._events.append(Synchronised(self.path))


def after_power_cut(events: list[Event], rng: random.Random) -> dict[Path, bytes]:
    """Return what may be found after all of ``events`` and then a power cut: contents by path.

    Content that was not synchronised survives in any part, sector by sector; names survive up to any point
    since their folder was last synchronised.
    """
    names: dict[Path, Surface] = {}
    durable_names: dict[Path, Surface] = {}
    pending_names: list[tuple[Event, Surface | None]] = []
    for event in events:
        match event:
            case Created():
                contents = names[event.path] = Surface()
                pending_names.append((event, contents))
            case Written() | Resized():
                names[event.path].pending.append(event)
            case Synchronised():
                names[event.path].settle()
            case Renamed() | Removed():
                _rename(names, event)
                pending_names.append((event, None))
            case FolderSynchronised():
                durable_names, pending_names = dict(names), []
    for event, created in pending_names[: rng.randint(0, len(pending_names))]:
        if isinstance(event, Created) and created is not None:
            durable_names[event.path] = created
        elif isinstance(event, Renamed | Removed):
            _rename(durable_names, event)
    kept = chance_to_survive(rng)
    return {path: surface.survivor(rng, kept=kept) for path, surface in durable_names.items()}


def _rename(names: dict[Path, Surface], event: Renamed | Removed) -> None:
    if isinstance(event, Removed):
        names.pop(event.path, None)
    elif event.source in names:
        names[event.target] = names.pop(event.source)
