"""States of conversations in files, shared by all models and runners, within a budget."""

from __future__ import annotations

import contextlib
import math
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import psutil

from fireside.files.atomic_replace import rename_over
from fireside.files.fsync import flush
from fireside.files.private_files import PRIVATE_FILE, make_private_folder
from fireside.runner.kv_memory import MemoryShape
from fireside.runner.prompt_cache.cache_key import CacheKey
from fireside.runner.prompt_cache.file_format import (
    DamagedFile,
    Header,
    encoded,
    file_bytes,
    header_of,
    read_header,
    read_snapshot,
)
from fireside.runner.prompt_cache.state_snapshot import Match, Snapshot, Suspect, match_saved
from fireside.runner.tokens import Tokens, share_beginning
from fireside.wire.cache_files import (
    FORGOTTEN_SUFFIX,
    TEMPORARY_SUFFIX,
    CacheFileName,
    hash_part,
    is_forgotten,
    owner_part,
    parse_name,
)

_KEPT_S: Final = {TEMPORARY_SUFFIX: 600.0, FORGOTTEN_SUFFIX: 30 * 24 * 3600.0}
"""How long other files are left alone, in seconds since they were written.

A temporary file that is older is left over, even if some process has its writer's number now. No runner
has a conversation that was forgotten in memory for as long as its mark stays.
"""
_PID_DIGITS: Final = 9
_DISK_RESERVE_BYTES: Final = 512 << 20
"""What is left free on the disk, whatever the budget says."""
_MAX_REFUSED: Final = 64


class SavedFile(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """What a file holds, as its header says."""

    name: CacheFileName
    n_bytes: int
    tokens: Tokens
    variant: str
    checkpoints: tuple[int, ...]

    def match(self, prompt: Tokens, *, variant: str, shape: MemoryShape) -> Match:
        if variant != self.variant:
            return Match()
        return match_saved(self.tokens, prompt, shape=shape, checkpoints=self.checkpoints)


class FoundFile(NamedTuple):
    file: SavedFile
    match: Match


class OwnersFiles(NamedTuple):
    """Which files of one owner there are that this runner cannot use."""

    other_options: bool
    other_model: bool


class DiskCache:
    """The files of one folder. May be used from several threads; only what it says is slow blocks.

    Other runners use the folder at the same time: any file may be gone at any moment, and the budget may be
    exceeded for the moment in which two write.

    Args:
        key: what the states of this runner depend on; files of other keys count for the budget alone.
        free_bytes: what is free on the disk of a folder.
    """

    def __init__(
        self,
        folder: Path,
        *,
        limit_bytes: int,
        key: CacheKey,
        shape: MemoryShape,
        free_bytes: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free,
    ) -> None:
        self._folder = folder
        self._limit_bytes = limit_bytes
        self._key = key
        self._shape = shape
        self._lock = threading.Lock()
        self._known: dict[str, SavedFile] = {}
        self._damaged: set[str] = set()
        self._free_bytes = free_bytes
        self._refused: dict[str, int] = {}
        """How much room there was for states that could not be written, by their content."""

    # Looking

    def find(self, prompt: Tokens, *, variant: str) -> FoundFile | None:
        """Return the file that holds most of ``prompt``."""
        found = [
            FoundFile(file, file.match(prompt, variant=variant, shape=self._shape)) for file in self._scan()
        ]
        return max(found, key=lambda each: (each.match.n_usable, each.match.n_common), default=None)

    def others_of(self, owner: str) -> OwnersFiles:
        """Return what files ``owner`` has that were written under another key."""
        part = owner_part(owner)
        names = [name for name, _ in self._listed() if name.owner == part]
        mine = self._key.model_part
        return OwnersFiles(
            other_options=any(
                name.model == mine and name.options != self._key.options_part for name in names
            ),
            other_model=any(name.model != mine for name in names),
        )

    def take_damaged(self, owner: str) -> bool:
        """Whether a file of ``owner`` was dropped because it could not be trusted. Told once."""
        part = owner_part(owner)
        with self._lock:
            damaged = {name for name in self._damaged if name.startswith(part)}
            self._damaged -= damaged
        return bool(damaged)

    def has(self, tokens: Tokens, *, variant: str, n_missing: int) -> bool:
        """Whether a file is known that begins with ``tokens``, but for the last ``n_missing``."""
        with self._lock:
            files = list(self._known.values())
        return any(
            file.variant == variant and share_beginning(file.tokens, tokens, len(tokens) - n_missing)
            for file in files
        )

    def _scan(self) -> list[SavedFile]:
        """Read the headers of files that are new, and return what all usable files hold."""
        usable = []
        for name, entry in self._listed():
            if name.model != self._key.model_part or name.options != self._key.options_part:
                continue
            file = self._known_file(name, entry)
            if file is not None:
                usable.append(file)
        with self._lock:
            self._known = {str(file.name): file for file in usable}
        return usable

    def _known_file(self, name: CacheFileName, entry: os.stat_result) -> SavedFile | None:
        with self._lock:
            file = self._known.get(str(name))
        if file is not None and file.n_bytes == entry.st_size:
            return file
        try:
            with (self._folder / str(name)).open("rb") as opened:
                header = read_header(opened, n_file_bytes=entry.st_size)
            return self._saved_file(name, header, entry)
        except DamagedFile:
            self._drop(name)
        except OSError:
            pass
        return None

    def _saved_file(self, name: CacheFileName, header: Header, entry: os.stat_result) -> SavedFile:
        if header.key != self._key or str(name) != str(self._name_of(header)):
            raise DamagedFile("it is not what its name says")
        return SavedFile(
            name=name,
            n_bytes=entry.st_size,
            tokens=header.token_array,
            variant=header.variant,
            checkpoints=tuple(checkpoint.n_tokens for checkpoint in header.checkpoints),
        )

    def _name_of(self, header: Header) -> CacheFileName:
        return CacheFileName(
            owner=owner_part(header.owner),
            model=header.key.model_part,
            options=header.key.options_part,
            content=_content(header.token_array, header.variant),
        )

    def _listed(self) -> Iterator[tuple[CacheFileName, os.stat_result]]:
        for path, entry in self._paths():
            name = parse_name(path.name)
            if name is not None:
                yield name, entry

    def _paths(self) -> Iterator[tuple[Path, os.stat_result]]:
        with contextlib.suppress(OSError), os.scandir(self._folder) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):
                    yield Path(entry.path), entry.stat(follow_symlinks=False)

    # Reading

    def read(self, file: SavedFile) -> Snapshot | None:
        """Return the state in ``file``; ``None`` if it is gone, or was not to be trusted and went. Slow."""
        path = self._folder / str(file.name)
        try:
            with path.open("rb", buffering=0) as opened:
                header, snapshot = read_snapshot(opened, n_file_bytes=os.fstat(opened.fileno()).st_size)
            if header.key != self._key or self._name_of(header) != file.name:
                raise DamagedFile("it is not what its name says")
            with contextlib.suppress(OSError):
                os.utime(path)  # used now
        except DamagedFile:
            self._drop(file.name)
            return None
        except (OSError, MemoryError):
            return None
        return snapshot

    def distrust(self, snapshot: Snapshot) -> None:
        """Drop the file of ``snapshot``, which llama.cpp does not take."""
        if snapshot.owner is not None:
            self._drop(self._name_of(header_of(snapshot, self._key, owner=snapshot.owner)))

    def drop(self, suspect: Suspect) -> None:
        """Drop the files that are suspect."""
        own = None if suspect.owner is None else owner_part(suspect.owner)
        for file in self._scan():
            if suspect.covers(file.tokens, variant=file.variant, is_own=file.name.owner == own):
                self._drop(file.name)

    def _drop(self, name: CacheFileName) -> None:
        with self._lock:
            self._known.pop(str(name), None)
            self._damaged.add(str(name))
        with contextlib.suppress(OSError):
            (self._folder / str(name)).unlink()

    # Writing

    def takes(self, tokens: Tokens, *, variant: str, owner: str, n_bytes: int) -> bool:
        """Whether a state would be written. One that could not be is not until there is more room."""
        if is_forgotten(self._folder, owner):
            return False
        room_bytes = self._room_bytes()
        with self._lock:
            refused_at = self._refused.get(_content(tokens, variant), -n_bytes)
        return n_bytes <= room_bytes and refused_at + n_bytes <= room_bytes

    def _room_bytes(self) -> int:
        """Return how much all files may take now: not more than the budget, and the disk keeps some room."""
        n_total = sum(entry.st_size for _, entry in self._paths())
        there = next(
            (place for place in (self._folder, *self._folder.parents) if place.is_dir()), self._folder
        )
        try:
            return min(self._limit_bytes, n_total + self._free_bytes(there) - _DISK_RESERVE_BYTES)
        except OSError:
            return 0

    def write(self, snapshot: Snapshot, *, goes_on: Callable[[], bool] = lambda: True) -> bool:
        """Write ``snapshot`` and make room for it. False if it was not written. Slow.

        The file appears whole or not at all.

        Args:
            goes_on: asked every few MiB; false gives up.
        """
        owner = snapshot.owner
        if owner is None or is_forgotten(self._folder, owner):
            return False
        header = header_of(snapshot, self._key, owner=owner)
        room_bytes = self._room_bytes()
        try:
            return file_bytes(header) <= room_bytes and self._write(header, snapshot, goes_on)
        except OSError:
            with self._lock:
                self._refused[_content(snapshot.tokens, snapshot.variant)] = room_bytes
                for content in list(self._refused)[:-_MAX_REFUSED]:
                    del self._refused[content]
            return False

    def _write(self, header: Header, snapshot: Snapshot, goes_on: Callable[[], bool]) -> bool:
        name = self._name_of(header)
        temporary = self._folder / f"{name}.{os.getpid()}{TEMPORARY_SUFFIX}"
        place = self._folder / str(name)
        try:
            make_private_folder(self._folder)
            superseded = self._superseded(name, snapshot)
            self._make_room(file_bytes(header), first=superseded)
            if not self._fill(temporary, header, snapshot, goes_on):
                return False
            rename_over(temporary, place)
            if is_forgotten(self._folder, header.owner):
                place.unlink(missing_ok=True)
                return False
            saved = self._saved_file(name, header, place.stat())
            with self._lock:
                self._known[str(name)] = saved
            for other in superseded:
                self._unlink(self._folder / other)
            self._make_room(0)
        finally:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
        return True

    def _fill(self, temporary: Path, header: Header, snapshot: Snapshot, goes_on: Callable[[], bool]) -> bool:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(temporary, flags, PRIVATE_FILE), "wb", buffering=0) as file:
            for chunk in encoded(header, snapshot):
                if not goes_on():
                    return False
                view = memoryview(chunk)
                while view:
                    view = view[file.write(view) :]
            flush(file.fileno())
        return True

    def _superseded(self, name: CacheFileName, snapshot: Snapshot) -> frozenset[str]:
        """Return the owner's files that the new one replaces: what it covers, and what no option fits now."""
        covered = [
            file.name
            for file in self._scan()
            if file.name.owner == name.owner and snapshot.covers(file.tokens, variant=file.variant)
        ]
        unfit = [
            other
            for other, _ in self._listed()
            if (other.owner, other.model) == (name.owner, name.model) and other.options != name.options
        ]
        return frozenset(str(other) for other in (*covered, *unfit) if other != name)

    def _make_room(self, n_bytes: int, *, first: frozenset[str] = frozenset()) -> None:
        """Delete what is left over, then ``first`` and what was used longest ago, until ``n_bytes`` fit."""
        now = time.time()
        room_bytes = self._room_bytes()
        n_total = 0
        candidates = []
        for path, entry in self._paths():
            if now - entry.st_mtime > _KEPT_S.get(path.suffix, math.inf) or _has_no_writer(path.name):
                self._unlink(path)
                continue
            n_total += entry.st_size
            if parse_name(path.name) is not None:
                candidates.append((path.name not in first, entry.st_mtime_ns, path, entry.st_size))
        for _, _, path, size in sorted(candidates):
            if n_total + n_bytes <= room_bytes:
                return
            if self._unlink(path):
                n_total -= size

    def _unlink(self, path: Path) -> bool:
        """Delete a file; true if it is gone, by whomever."""
        try:
            path.unlink(missing_ok=True)
        except OSError:
            return False
        with self._lock:
            self._known.pop(path.name, None)
        return True


def _content(tokens: Tokens, variant: str) -> str:
    return hash_part(tokens.astype("<i4").tobytes(), variant.encode())


def _has_no_writer(name: str) -> bool:
    """Whether ``name`` is that of a temporary file whose runner has ended: they are named with its number."""
    stem, dot, number = name.removesuffix(TEMPORARY_SUFFIX).rpartition(".")
    if not (name.endswith(TEMPORARY_SUFFIX) and parse_name(stem) and dot and number.isdecimal()):
        return False
    return not psutil.pid_exists(int(number[:_PID_DIGITS]))
