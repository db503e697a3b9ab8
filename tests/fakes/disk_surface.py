"""What a power cut may leave of a file: what was synchronised, and any sectors of what came after."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path

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


class Truncated(Resized):
    """Only ever makes a file shorter."""


@dataclass(frozen=True)
class Synchronised:
    path: Path


@dataclass
class Surface:
    """One file on the disk."""

    durable: bytearray = field(default_factory=bytearray)
    pending: list[Written | Resized] = field(default_factory=list)
    is_named: bool = False
    """Whether the folder is known to list it."""

    def settle(self) -> None:
        """It was synchronised."""
        for change in self.pending:
            _change(self.durable, change)
        self.pending.clear()

    def survivor(self, rng: random.Random, *, kept: float) -> bytes:
        """Return what may be found: ``kept`` is how likely each sector and size survives."""
        found = bytearray(self.durable)
        for change in self.pending:
            if isinstance(change, Resized):
                if rng.random() < kept:
                    _change(found, change)
                continue
            for start in range(0, len(change.content), SECTOR_BYTES):
                if rng.random() < kept:
                    sector = change.content[start : start + SECTOR_BYTES]
                    _change(found, Written(change.path, change.offset + start, sector))
        return bytes(found)


def chance_to_survive(rng: random.Random) -> float:
    """Return one for all files of a power cut."""
    return rng.choice((0.0, 0.2, 0.5, 0.8, 1.0))


def _change(contents: bytearray, change: Written | Resized) -> None:
    if isinstance(change, Resized):
        del contents[change.n_bytes :]
        if not isinstance(change, Truncated):
            contents.extend(bytes(change.n_bytes - len(contents)))
        return
    contents.extend(bytes(max(0, change.offset - len(contents))))
    contents[change.offset : change.offset + len(change.content)] = change.content
