"""A disk for downloads that remembers what was done to it, and what a power cut may leave of that."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from io import FileIO
from pathlib import Path
from typing import BinaryIO

from fireside.hub.download_disk import Disk, DiskFile

SECTOR_BYTES = 512


@dataclass(frozen=True)
class Created:
    path: Path


@dataclass(frozen=True)
class Written:
    path: Path
    offset: int
    content: bytes


@dataclass(frozen=True)
class Resized:
    path: Path
    n_bytes: int


@dataclass(frozen=True)
class Synchronised:
    path: Path


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


@dataclass
class _Contents:
    durable: bytearray = field(default_factory=bytearray)
    pending: list[Written | Resized] = field(default_factory=list)


def after_power_cut(events: list[Event], rng: random.Random) -> dict[Path, bytes]:
    """Return what may be found after all of ``events`` and then a power cut: contents by path.

    Content that was not synchronised survives in any part, sector by sector; names survive up to any point
    since their folder was last synchronised.
    """
    names: dict[Path, _Contents] = {}
    durable_names: dict[Path, _Contents] = {}
    pending_names: list[tuple[Event, _Contents | None]] = []
    for event in events:
        match event:
            case Created():
                contents = names[event.path] = _Contents()
                pending_names.append((event, contents))
            case Written() | Resized():
                names[event.path].pending.append(event)
            case Synchronised():
                _settle(names[event.path])
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
    kept = rng.choice((0.0, 0.2, 0.5, 0.8, 1.0))
    return {path: _survivor(contents, rng, kept=kept) for path, contents in durable_names.items()}


def _rename(names: dict[Path, _Contents], event: Renamed | Removed) -> None:
    if isinstance(event, Removed):
        names.pop(event.path, None)
    elif event.source in names:
        names[event.target] = names.pop(event.source)


def _settle(contents: _Contents) -> None:
    for change in contents.pending:
        _change(contents.durable, change)
    contents.pending.clear()


def _survivor(contents: _Contents, rng: random.Random, *, kept: float) -> bytes:
    found = bytearray(contents.durable)
    for change in contents.pending:
        if isinstance(change, Resized):
            if rng.random() < kept:
                _change(found, change)
            continue
        for start in range(0, len(change.content), SECTOR_BYTES):
            if rng.random() < kept:
                sector = change.content[start : start + SECTOR_BYTES]
                _change(found, Written(change.path, change.offset + start, sector))
    return bytes(found)


def _change(contents: bytearray, change: Written | Resized) -> None:
    if isinstance(change, Resized):
        del contents[change.n_bytes :]
        contents.extend(bytes(change.n_bytes - len(contents)))
        return
    contents.extend(bytes(max(0, change.offset - len(contents))))
    contents[change.offset : change.offset + len(change.content)] = change.content
