"""Disk level of the prompt cache: one state file per conversation, shared by all runners, within a budget."""

from __future__ import annotations

import contextlib
import math
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

import msgspec
import psutil

from fireside.files.atomic_replace import rename_over
from fireside.files.fsync import flush
from fireside.files.private_files import PRIVATE_FILE, make_private_folder
from fireside.runner.kv_memory import MemoryShape
from fireside.runner.prompt_cache.cache_key import CacheKey
from fireside.runner.prompt_cache.file_format import (
    DamagedFile,
    StateFileHeader,
    encoded,
    file_bytes,
    header_of,
    read_header,
    read_snapshot,
)
from fireside.runner.prompt_cache.state_snapshot import StateMatch, StateSnapshot, Suspect, match_saved
from fireside.runner.tokens import Tokens, share_beginning
from fireside.wire.cache_files import (
    DELETED_SUFFIX,
    ENCRYPTED_MARK,
    TEMPORARY_SUFFIX,
    CacheFileName,
    hash_part,
    is_owner_deleted,
    owner_part,
    parse_name,
)

_MAX_AGE_S: Final = {TEMPORARY_SUFFIX: 600.0, DELETED_SUFFIX: 30 * 24 * 3600.0}
"""How long other files are kept, in seconds since they were written.

An older temporary file is stale, even if some process has its writer's PID now. No runner holds a deleted
conversation in memory for longer than its marker file stays.
"""
_PID_DIGITS: Final = 9
_DISK_RESERVE_BYTES: Final = 512 << 20
"""Space that is left free on the disk, whatever the budget allows."""
_MAX_REFUSED: Final = 64


class SavedFile(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """A usable cache file, as its header describes it."""

    name: CacheFileName
    n_bytes: int
    tokens: Tokens
    variant: str
    checkpoints: tuple[int, ...]

    def match(self, prompt: Tokens, *, variant: str, shape: MemoryShape) -> StateMatch:
        if variant != self.variant:
            return StateMatch()
        return match_saved(self.tokens, prompt, shape=shape, checkpoints=self.checkpoints, variant=variant)


class FileMatch(NamedTuple):
    file: SavedFile
    match: StateMatch


class UnusableFiles(NamedTuple):
    """Whether an owner has files that this runner cannot use, and why."""

    other_options: bool
    other_model: bool


class DiskCache:
    """The state files of one folder. Thread-safe; only the methods marked slow block.

    Other runners use the folder at the same time: any file may disappear at any moment, and the budget may be
    exceeded briefly while two of them write.

    Args:
        key: cache key of this runner; files of other keys only count towards the budget.
        free_bytes: returns the free space on the disk of a folder.
        secret: encrypts the files; those that are not, or with another, count as damaged. Empty for plain
            files, which are not written where ``ENCRYPTED_MARK`` is.
    """

    def __init__(
        self,
        folder: Path,
        *,
        limit_bytes: int,
        key: CacheKey,
        shape: MemoryShape,
        free_bytes: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free,
        secret: bytes = b"",
    ) -> None:
        self._folder = folder
        self._limit_bytes = limit_bytes
        self._key = key
        self._shape = shape
        self._secret = secret
        self._lock = threading.Lock()
        self._usable_files: dict[str, SavedFile] = {}
        self._damaged: set[str] = set()
        self._free_bytes = free_bytes
        self._refused: dict[str, int] = {}
        """The budget in bytes at which writing a state failed, by content hash."""

    # Lookup

    def find(self, prompt: Tokens, *, variant: str) -> FileMatch | None:
        """Return the file with the longest usable prefix of ``prompt``."""
        matches = [
            FileMatch(file, file.match(prompt, variant=variant, shape=self._shape)) for file in self._scan()
        ]
        return max(matches, key=lambda found: (found.match.n_usable, found.match.n_common), default=None)

    def unusable_files_of(self, owner: str) -> UnusableFiles:
        """Return whether ``owner`` has files that were written under another key."""
        part = owner_part(owner)
        names = [name for name, _ in self._cache_files() if name.owner == part]
        own_model = self._key.model_part
        return UnusableFiles(
            other_options=any(
                name.model == own_model and name.options != self._key.options_part for name in names
            ),
            other_model=any(name.model != own_model for name in names),
        )

    def pop_damaged(self, owner: str) -> bool:
        """Whether a file of ``owner`` was dropped as damaged since the last call."""
        part = owner_part(owner)
        with self._lock:
            damaged = {name for name in self._damaged if name.startswith(part)}
            self._damaged -= damaged
        return bool(damaged)

    def has(self, tokens: Tokens, *, variant: str, n_missing: int) -> bool:
        """Whether a known file begins with ``tokens``, not counting the last ``n_missing``."""
        with self._lock:
            files = list(self._usable_files.values())
        return any(
            file.variant == variant and share_beginning(file.tokens, tokens, len(tokens) - n_missing)
            for file in files
        )

    def _scan(self) -> list[SavedFile]:
        """Read the headers of new files and return all usable files."""
        usable = []
        for name, entry in self._cache_files():
            if name.model != self._key.model_part or name.options != self._key.options_part:
                continue
            file = self._usable_file(name, entry)
            if file is not None:
                usable.append(file)
        with self._lock:
            self._usable_files = {str(file.name): file for file in usable}
        return usable

    def _usable_file(self, name: CacheFileName, entry: os.stat_result) -> SavedFile | None:
        with self._lock:
            file = self._usable_files.get(str(name))
        if file is not None and file.n_bytes == entry.st_size:
            return file
        try:
            with (self._folder / str(name)).open("rb") as stream:
                content, n_bytes = self._opened(stream, entry.st_size)
                header = read_header(content, n_file_bytes=n_bytes)
            return self._saved_file(name, header, entry)
        except (DamagedFile, ValueError):  # ValueError: not sealed, or not with this key
            self._drop(name)
        except OSError:
            pass
        return None

    def _saved_file(self, name: CacheFileName, header: StateFileHeader, entry: os.stat_result) -> SavedFile:
        self._check_name(name, header)
        return SavedFile(
            name=name,
            n_bytes=entry.st_size,
            tokens=header.token_array,
            variant=header.variant,
            checkpoints=tuple(checkpoint.n_tokens for checkpoint in header.checkpoints),
        )

    def _check_name(self, name: CacheFileName, header: StateFileHeader) -> None:
        if header.key != self._key or name != self._name_of(header):
            raise DamagedFile("it is not what its name says")

    def _name_of(self, header: StateFileHeader) -> CacheFileName:
        return CacheFileName(
            owner=owner_part(header.owner),
            model=header.key.model_part,
            options=header.key.options_part,
            content=self._content(header.token_array, header.variant),
        )

    def _cache_files(self) -> Iterator[tuple[CacheFileName, os.stat_result]]:
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

    def _opened(self, stream: BinaryIO, n_file_bytes: int) -> tuple[BinaryIO, int]:
        """Return what reads the content of a file, and its size. Raises ``NotSealed``, ``OSError``."""
        if not self._secret:
            return stream, n_file_bytes
        # Imports ``cryptography``, which takes 40 ms.
        from fireside.files.sealed_file import SealedReader

        reader = SealedReader(stream, n_file_bytes=n_file_bytes, key=self._secret)
        return BufferedReader(reader), reader.n_bytes

    def read(self, file: SavedFile) -> StateSnapshot | None:
        """Return the state in ``file``; ``None`` if it is missing, or damaged, and then deleted. Slow."""
        path = self._folder / str(file.name)
        try:
            with path.open("rb") as stream:
                content, n_bytes = self._opened(stream, os.fstat(stream.fileno()).st_size)
                header, snapshot = read_snapshot(content, n_file_bytes=n_bytes)
            self._check_name(file.name, header)
            with contextlib.suppress(OSError):
                os.utime(path)  # used now
        except (DamagedFile, ValueError):
            self._drop(file.name)
            return None
        except (OSError, MemoryError):
            return None
        return snapshot

    def discard(self, snapshot: StateSnapshot) -> None:
        """Delete the file of ``snapshot``, which llama.cpp rejected."""
        if snapshot.owner is not None:
            self._drop(self._name_of(header_of(snapshot, self._key, owner=snapshot.owner)))

    def drop(self, suspect: Suspect) -> None:
        """Delete the files covered by ``suspect``."""
        own = None if suspect.owner is None else owner_part(suspect.owner)
        for file in self._scan():
            if suspect.covers(file.tokens, variant=file.variant, is_own=file.name.owner == own):
                self._drop(file.name)

    def _drop(self, name: CacheFileName) -> None:
        with self._lock:
            self._usable_files.pop(str(name), None)
            self._damaged.add(str(name))
        with contextlib.suppress(OSError):
            (self._folder / str(name)).unlink()

    # Writing

    def accepts(self, tokens: Tokens, *, variant: str, owner: str, n_bytes: int) -> bool:
        """Whether a state would be written. After a failed write only with more space than there was then."""
        if is_owner_deleted(self._folder, owner):
            return False
        budget_bytes = self._budget_bytes()
        with self._lock:
            refused_at = self._refused.get(self._content(tokens, variant), -n_bytes)
        return n_bytes <= budget_bytes and refused_at + n_bytes <= budget_bytes

    def _budget_bytes(self) -> int:
        """Return how much all files may take now: the budget, reduced so that the disk keeps its reserve."""
        n_total = sum(entry.st_size for _, entry in self._paths())
        existing_folder = next(
            (path for path in (self._folder, *self._folder.parents) if path.is_dir()), self._folder
        )
        try:
            return min(self._limit_bytes, n_total + self._free_bytes(existing_folder) - _DISK_RESERVE_BYTES)
        except OSError:
            return 0

    def write(self, snapshot: StateSnapshot, *, should_continue: Callable[[], bool] = lambda: True) -> bool:
        """Write ``snapshot``, evicting others for it. Return whether it was written. Slow.

        The file appears whole or not at all.

        Args:
            should_continue: called every few MiB; false aborts the write.
        """
        owner = snapshot.owner
        if owner is None or is_owner_deleted(self._folder, owner) or self._must_not_write():
            return False
        header = header_of(snapshot, self._key, owner=owner)
        budget_bytes = self._budget_bytes()
        try:
            return self._file_bytes(header) <= budget_bytes and self._write(header, snapshot, should_continue)
        except OSError:
            with self._lock:
                self._refused[self._content(snapshot.tokens, snapshot.variant)] = budget_bytes
                for content in list(self._refused)[:-_MAX_REFUSED]:
                    del self._refused[content]
            return False

    def _write(
        self, header: StateFileHeader, snapshot: StateSnapshot, should_continue: Callable[[], bool]
    ) -> bool:
        name = self._name_of(header)
        temporary = self._folder / f"{name}.{os.getpid()}{TEMPORARY_SUFFIX}"
        path = self._folder / str(name)
        try:
            make_private_folder(self._folder)
            superseded = self._superseded(name, snapshot)
            self._evict(self._file_bytes(header), first=superseded)
            if not self._fill(temporary, header, snapshot, should_continue):
                return False
            rename_over(temporary, path)
            if is_owner_deleted(self._folder, header.owner):
                path.unlink(missing_ok=True)
                return False
            saved = self._saved_file(name, header, path.stat())
            with self._lock:
                self._usable_files[str(name)] = saved
            for other in superseded:
                self._unlink(self._folder / other)
            self._evict(0)
        finally:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
        return True

    def _fill(
        self,
        temporary: Path,
        header: StateFileHeader,
        snapshot: StateSnapshot,
        should_continue: Callable[[], bool],
    ) -> bool:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(temporary, flags, PRIVATE_FILE), "wb", buffering=0) as file:
            for chunk in self._encoded(header, snapshot):
                if not should_continue():
                    return False
                view = memoryview(chunk)
                while view:
                    view = view[file.write(view) :]
            flush(file.fileno())
        return True

    def _encoded(self, header: StateFileHeader, snapshot: StateSnapshot) -> Iterator[bytes | memoryview]:
        if not self._secret:
            return encoded(header, snapshot)
        from fireside.files.sealed_file import seal

        return seal(encoded(header, snapshot), key=self._secret)

    def _file_bytes(self, header: StateFileHeader) -> int:
        if not self._secret:
            return file_bytes(header)
        from fireside.files.sealed_file import sealed_bytes

        return sealed_bytes(file_bytes(header))

    def _must_not_write(self) -> bool:
        """Whether a passphrase was set while this runner was running, which does not know its key."""
        return not self._secret and (self._folder / ENCRYPTED_MARK).exists()

    def _content(self, tokens: Tokens, variant: str) -> str:
        # Keyed, so that nobody can try whether a certain text was read.
        key = (self._secret,) if self._secret else ()
        return hash_part(*key, tokens.astype("<i4").tobytes(), variant.encode())

    def _superseded(self, name: CacheFileName, snapshot: StateSnapshot) -> frozenset[str]:
        """Return the owner's files that the new one replaces: those it covers, and those of other options."""
        covered = [
            file.name
            for file in self._scan()
            if file.name.owner == name.owner and snapshot.covers(file.tokens, variant=file.variant)
        ]
        outdated = [
            other
            for other, _ in self._cache_files()
            if (other.owner, other.model) == (name.owner, name.model) and other.options != name.options
        ]
        return frozenset(str(other) for other in (*covered, *outdated) if other != name)

    def _evict(self, n_bytes: int, *, first: frozenset[str] = frozenset()) -> None:
        """Delete stale files, then ``first`` and the least recently used, until ``n_bytes`` more fit."""
        now = time.time()
        budget_bytes = self._budget_bytes()
        n_total = 0
        candidates = []
        for path, entry in self._paths():
            if now - entry.st_mtime > _MAX_AGE_S.get(path.suffix, math.inf) or _has_no_writer(path.name):
                self._unlink(path)
                continue
            n_total += entry.st_size
            if parse_name(path.name) is not None:
                candidates.append((path.name not in first, entry.st_mtime_ns, path, entry.st_size))
        for _, _, path, size in sorted(candidates):
            if n_total + n_bytes <= budget_bytes:
                return
            if self._unlink(path):
                n_total -= size

    def _unlink(self, path: Path) -> bool:
        """Delete a file; true if it no longer exists, whoever deleted it."""
        try:
            path.unlink(missing_ok=True)
        except OSError:
            return False
        with self._lock:
            self._usable_files.pop(path.name, None)
        return True


def _has_no_writer(name: str) -> bool:
    """Whether ``name`` is a temporary file whose runner has exited; its PID is part of the name."""
    stem, dot, pid = name.removesuffix(TEMPORARY_SUFFIX).rpartition(".")
    if not (name.endswith(TEMPORARY_SUFFIX) and parse_name(stem) and dot and pid.isdecimal()):
        return False
    return not psutil.pid_exists(int(pid[:_PID_DIGITS]))
