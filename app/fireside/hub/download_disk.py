"""File system operations of downloads, in one class that tests can replace."""

from __future__ import annotations

import contextlib
import copy
import errno
import os
import shutil
import sys
from io import FileIO
from pathlib import Path
from typing import BinaryIO, Final, Self

from fireside.core.closeable import Closeable
from fireside.files import no_follow
from fireside.files.file_lock import lock_file
from fireside.files.fsync import flush, sync_folder

_DISK_FULL_ERRNOS: Final = frozenset({errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EFBIG})
_DISK_FULL_WINERRORS: Final = frozenset({39, 112})
"""``ERROR_HANDLE_DISK_FULL`` and ``ERROR_DISK_FULL``."""


class DiskFile(Closeable):
    """An open file. Offsets and sizes in bytes; every method raises ``OSError``."""

    def __init__(self, file: BinaryIO | FileIO, *, path: Path) -> None:
        self._file = file
        self.path = path

    def close(self) -> None:
        """Close the file. Safe to call twice."""
        self._file.close()

    @property
    def size_bytes(self) -> int:
        return os.fstat(self._file.fileno()).st_size

    @property
    def occupied_bytes(self) -> int:
        """Allocated size on the disk, which is less than the file size for a sparse file."""
        status = os.fstat(self._file.fileno())
        return int(getattr(status, "st_blocks", -(-status.st_size // 512)) * 512)

    def read_at(self, offset: int, n_bytes: int) -> bytes:
        """Return up to ``n_bytes`` bytes from ``offset`` on, fewer at the end. Raises ``OSError``."""
        self._file.seek(offset)
        return self._file.read(n_bytes)

    def write_at(self, offset: int, content: bytes) -> None:
        """Write all of ``content``."""
        self._file.seek(offset)
        view = memoryview(content)
        while view:
            view = view[self._file.write(view) or 0 :]

    def resize(self, n_bytes: int) -> None:
        """Truncate the file, or extend it with zeros. Raises ``OSError``."""
        self._file.truncate(n_bytes)

    def reserve(self, n_bytes: int) -> None:
        """Make the file ``n_bytes`` long and, where the system can, allocate the space now."""
        if sys.platform == "linux":
            try:
                os.posix_fallocate(self._file.fileno(), 0, n_bytes)
            except OSError as exc:
                if is_full(exc):
                    raise
            else:
                return
        if self.size_bytes != n_bytes:
            self.resize(n_bytes)

    def synchronise(self) -> None:
        """Flush to the disk: return once what was written survives a power cut."""
        flush(self._file.fileno())

    def lock(self) -> bool:
        """Lock the file against other processes until it is closed; ``False`` if another one holds the
        lock."""
        return lock_file(self._file.fileno())


class Disk:
    """Files and folders. Methods may be called from any thread and raise ``OSError``.

    What is written is reached without following links, see ``below``.
    """

    root: Path | None = None
    """Paths below it are opened without following links; ``None`` means a file's own folder."""

    def below(self, root: Path) -> Self:
        """Return this disk for files below ``root``: only the part of a path above ``root`` may be a link."""
        bounded = copy.copy(self)
        bounded.root = root
        return bounded

    def _root_of(self, path: Path) -> Path:
        return path.parent if self.root is None else self.root

    def open(self, path: Path) -> DiskFile:
        """Open a file to read and write; create it if it does not exist."""
        descriptor = no_follow.open_file(path, os.O_RDWR | os.O_CREAT, root=self._root_of(path))
        return DiskFile(os.fdopen(descriptor, "r+b", buffering=0), path=path)

    def open_to_read(self, path: Path) -> DiskFile:
        """Open an existing file for reading."""
        return DiskFile(path.open("rb", buffering=0), path=path)

    def read(self, path: Path) -> bytes | None:
        """Return a small file's content; ``None`` if it does not exist."""
        try:
            return path.read_bytes()
        except FileNotFoundError:
            return None

    def size_of(self, path: Path) -> int | None:
        """Return a file's size; ``None`` if it does not exist or is no file."""
        return path.stat().st_size if path.is_file() else None

    def make_folder(self, folder: Path) -> None:
        """Create a folder and its parents. Raises ``OSError``."""
        no_follow.make_folder(folder, root=folder if self.root is None else self.root)

    def replace(self, source: Path, target: Path) -> None:
        """Rename ``source`` to ``target`` in its folder, replacing what is there."""
        no_follow.replace_file(source, target, root=self._root_of(source))

    def remove(self, path: Path) -> None:
        """Remove a file; one that does not exist is no error."""
        no_follow.remove_file(path, root=self._root_of(path))

    def remove_empty_folder(self, folder: Path) -> bool:
        """Remove a folder if it is empty; return whether it was removed."""
        with contextlib.suppress(OSError):
            no_follow.remove_folder(folder, root=self._root_of(folder))
            return True
        return False

    def synchronise_folder(self, folder: Path) -> None:
        """Make renames and new files in ``folder`` durable."""
        sync_folder(folder)

    def free_bytes(self, folder: Path) -> int:
        """Return the free space of the disk of ``folder``, which need not exist yet."""
        return shutil.disk_usage(_nearest_existing(folder)).free

    def total_bytes(self, folder: Path) -> int:
        """Return the size of the disk of ``folder``, which need not exist yet."""
        return shutil.disk_usage(_nearest_existing(folder)).total

    def write_whole(self, path: Path, content: bytes) -> None:
        """Replace a small file atomically, and return once it survives a power cut."""
        temporary = path.with_name(f"{path.name}.tmp")
        with self.open(temporary) as file:
            file.resize(0)
            file.write_at(0, content)
            file.synchronise()
        self.replace(temporary, path)
        self.synchronise_folder(path.parent)


def _nearest_existing(folder: Path) -> Path:
    """Return the folder, or its nearest existing parent."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder


def is_full(error: OSError) -> bool:
    """Whether an error means that the disk is full or a quota is used up."""
    return error.errno in _DISK_FULL_ERRNOS or getattr(error, "winerror", None) in _DISK_FULL_WINERRORS
