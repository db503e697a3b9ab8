"""A disk whose power can be cut at any moment: what was not synchronised survives in part or not at all."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import apsw

from fakes.disk_surface import Created, Resized, Surface, Synchronised, Truncated, Written, chance_to_survive

_NAMES = count(1)


@dataclass(frozen=True)
class Deleted:
    path: Path
    folder_synchronised: bool


@dataclass(frozen=True)
class Note:
    """Something that the test wants to remember in between."""

    kind: str
    text: str = ""


Event = Created | Written | Resized | Synchronised | Deleted | Note


class RecordedDisk:
    """Everything that was done to the files, in order."""

    def __init__(self) -> None:
        self.name = f"recorded-{next(_NAMES)}"
        self.events: list[Event] = []
        self.existing: set[Path] = set()

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


class Platter:
    """What is on the disk for sure, and what only may be."""

    def __init__(self) -> None:
        self._files: dict[Path, Surface] = {}
        self._ghosts: dict[Path, Surface] = {}

    def apply(self, event: Event) -> None:
        """Take one event of the record."""
        match event:
            case Created():
                self._files[event.path] = Surface()
            case Written() | Resized():
                self._files[event.path].pending.append(event)
            case Synchronised():
                surface = self._files[event.path]
                surface.settle()
                if not surface.is_named:
                    # SQLite synchronises the folder with a new journal, and with it what it forgot before.
                    surface.is_named = True
                    self._ghosts.clear()
            case Deleted():
                gone = self._files.pop(event.path)
                if gone.is_named and not event.folder_synchronised:
                    self._ghosts[event.path] = gone
            case Note():
                pass

    def cut_power(self, rng: random.Random) -> dict[str, bytes]:
        """Return one of the states that the disk may be found in: contents by name."""
        kept = chance_to_survive(rng)
        found = {path: ghost for path, ghost in self._ghosts.items() if rng.random() < 0.5}
        for path, surface in self._files.items():
            if surface.is_named or rng.random() < 0.5:
                found[path] = surface
        return {path.name: surface.survivor(rng, kept=kept) for path, surface in found.items()}


class _File(apsw.VFSFile):
    def __init__(self, disk: RecordedDisk, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        self._disk = disk
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        self._name = Path(Path(path).name) if path else None
        if self._name is not None and self._name not in disk.existing:
            disk.existing.add(self._name)
            disk.events.append(Created(self._name))
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:
        if self._name is not None:
            self._disk.events.append(Written(self._name, offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:
        if self._name is not None:
            self._disk.events.append(Truncated(self._name, newsize))
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:
        super().xSync(flags)
        if self._name is not None:
            self._disk.events.append(Synchronised(self._name))


class _Layer(apsw.VFS):
    def __init__(self, disk: RecordedDisk) -> None:
        self._disk = disk
        super().__init__(disk.name, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> _File:
        return _File(self._disk, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        super().xDelete(filename, syncdir)
        name = Path(Path(filename).name)
        self._disk.existing.discard(name)
        self._disk.events.append(Deleted(name, syncdir))
