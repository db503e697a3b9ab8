"""Make what was written outlive a power cut: what a file holds, and the names in a folder."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import Final

if sys.platform == "darwin":
    import fcntl

_REFUSALS: Final = frozenset(
    {errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EBADF, errno.EACCES, errno.EPERM}
)
"""How a file system says that it flushes no folders, which is no sign of a bad disk."""


def flush(descriptor: int) -> None:
    """Return once an open file's contents are on the disk. Raises ``OSError``.

    On macOS ``fsync`` hands them to the drive, which may keep them in a cache of its own for a while.
    """
    if sys.platform == "darwin":
        try:
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
        except OSError:
            pass  # Network drives do not know it.
        else:
            return
    os.fsync(descriptor)


def sync_file(path: Path) -> None:
    """Return once the file's contents are on the disk. Raises ``OSError``."""
    # Windows flushes only what may be written to.
    descriptor = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
    try:
        flush(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Return once the names in ``folder`` are on the disk. Raises ``OSError``.

    Windows has no such call: there the renaming itself waits, see ``rename_over``. A file system that flushes
    no folders is left in peace.
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
        if exc.errno not in _REFUSALS:
            raise
