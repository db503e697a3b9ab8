"""Flush files and folders to the disk, so that they survive a power cut."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import Final

if sys.platform == "darwin":
    import fcntl

_NOT_SUPPORTED: Final = frozenset(
    {errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EBADF, errno.EACCES, errno.EPERM}
)
"""Errors of file systems that cannot flush folders, which do not mean a bad disk."""


def flush(descriptor: int) -> None:
    """Flush an open file to the disk. Raises ``OSError``.

    On macOS, ``fsync`` alone passes the data to the drive, which may keep it in its cache.
    """
    if sys.platform == "darwin":
        try:
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
        except OSError:
            pass  # Network drives do not support it.
        else:
            return
    os.fsync(descriptor)


def sync_file(path: Path) -> None:
    """Flush a file to the disk. Raises ``OSError``."""
    # Windows flushes only files that are open for writing.
    descriptor = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
    try:
        flush(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Flush the file names in ``folder`` to the disk. Raises ``OSError``.

    Windows has no such call: there the rename itself waits, see ``rename_over``. Does nothing on a file
    system that cannot flush folders.
    """
    if sys.platform == "win32":
        return
    try:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            flush(descriptor)
        finally:
            os.close(descriptor)
    except OSError as exc:
        if exc.errno not in _NOT_SUPPORTED:
            raise
