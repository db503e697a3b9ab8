"""A disk whose power can be cut at any moment: what was not synchronised survives in part or not at all."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import apsw

SECTOR_BYTES = 512

_NAMES = count(1)


@dataclass(frozen=True)
class Created:
    name: str


@dataclass(frozen=True)
class Written:
    name: str
    offset: int
    contents: bytes


@dataclass(frozen=True)
class Truncated:
    name: str
    size: int


@dataclass(frozen=True)
class Synchronised:
    name: str


@dataclass(frozen=True)
class Deleted:
    name: str
    folder_synchronised: bool


@dataclass(frozen=True)
class Note:
    """Something that the test wants to remember in between."""

    kind: str
    text: str = ""


Event = Created | Written | Truncated | Synchronised | Deleted | Note


class RecordedDisk:
    """Everything that was done to the files, in order."""

    def __init__(self) -> None:
        self.name = f"recorded-{next(_NAMES)}"
        self.events: list[Event] = []
        self.existing: set[str] = set()

    def note(self, kind: str, text: str = "") -> None:
        self.events.append(Note(kind, text))


@contextmanager
def recorded_disk() -> Iterator[RecordedDisk]:
    """Register the disk under its name with SQLite, for the ``vfs`` argument of ``Store.open``."""
    disk = RecordedDisk()
    layer = _Layer(disk)
    try:
        yield disk
    finally:
        layer.unregister()


@dataclass
class _Surface:
    durable: bytearray = field(default_factory=bytearray)
    pending: list[Written | Truncated] = field(default_factory=list)
    is_named: bool = False
    """Whether the folder is known to list it."""


class Platter:
    """What is on the disk for sure, and what only may be."""

    def __init__(self) -> None:
        self._files: dict[str, _Surface] = {}
        self._ghosts: dict[str, _Surface] = {}

    def apply(self, event: Event) -> None:
        """Take one event of the record."""
        match event:
            case Created():
                self._files[event.name] = _Surface()
            case Written() | Truncated():
                self._files[event.name].pending.append(event)
            case Synchronised():
                surface = self._files[event.name]
                for change in surface.pending:
                    _change(surface.durable, change)
                surface.pending.clear()
                if not surface.is_named:
                    # SQLite synchronises the folder with a new journal, and with it what it forgot before.
                    surface.is_named = True
                    self._ghosts.clear()
            case Deleted():
                gone = self._files.pop(event.name)
                if gone.is_named and not event.folder_synchronised:
                    self._ghosts[event.name] = gone
            case Note():
                pass

    def cut_power(self, rng: random.Random) -> dict[str, bytes]:
        """Return one of the states that the disk may be found in: contents by name."""
        kept = rng.choice((0.0, 0.2, 0.5, 0.8, 1.0))
        found = {name: ghost for name, ghost in self._ghosts.items() if rng.random() < 0.5}
        for name, surface in self._files.items():
            if surface.is_named or rng.random() < 0.5:
                found[name] = surface
        return {name: _survivor(surface, rng, kept=kept) for name, surface in found.items()}


def _survivor(surface: _Surface, rng: random.Random, *, kept: float) -> bytes:
    contents = bytearray(surface.durable)
    for change in surface.pending:
        if isinstance(change, Truncated):
            if rng.random() < kept:
                _change(contents, change)
            continue
        for start in range(0, len(change.contents), SECTOR_BYTES):
            if rng.random() < kept:
                sector = change.contents[start : start + SECTOR_BYTES]
                _change(contents, Written(change.name, change.offset + start, sector))
    return bytes(contents)


def _change(contents: bytearray, change: Written | Truncated) -> None:
    if isinstance(change, Truncated):
        del contents[change.size :]
        return
    contents.extend(bytes(max(0, change.offset - len(contents))))
    contents[change.offset : change.offset + len(change.contents)] = change.contents


class _File(apsw.VFSFile):
    def __init__(self, disk: RecordedDisk, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        self._disk = disk
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        self._name = Path(path).name if path else ""
        if self._name and self._name not in disk.existing:
            disk.existing.add(self._name)
            disk.events.append(Created(self._name))
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:
        if self._name:
            self._disk.events.append(Written(self._name, offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:
        if self._name:
            self._disk.events.append(Truncated(self._name, newsize))
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:
        super().xSync(flags)
        if self._name:
            self._disk.events.append(Synchronised(self._name))


class _Layer(apsw.VFS):
    def __init__(self, disk: RecordedDisk) -> None:
        self._disk = disk
        super().__init__(disk.name, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> _File:
        return _File(self._disk, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        super().xDelete(filename, syncdir)
        name = Path(filename).name
        self._disk.existing.discard(name)
        self._disk.events.append(Deleted(name, syncdir))
