"""Locks on files, which the system releases when the process that has them ends in any way."""

from __future__ import annotations

import errno
import os
import sys
from typing import Final

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_FAR: Final = 0x7FFF0000
"""On Windows a lock keeps others from reading what it covers, so that of a file covers a byte far beyond its
end."""


def lock_file(descriptor: int) -> bool:
    """Lock an open file until it is closed. Returns whether no other process has; true as well where the file
    system has no locks."""
    try:
        if sys.platform == "win32":
            lock_byte(descriptor, _FAR)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as exc:
        return sys.platform != "win32" and exc.errno not in (errno.EWOULDBLOCK, errno.EACCES)
    return True


def lock_byte(descriptor: int, offset: int) -> None:
    """Lock one byte of an open file, which may be beyond its end. A process does not see its own locks.

    Raises ``BlockingIOError`` or ``PermissionError`` if another process has it, or ``OSError``.
    """
    if sys.platform == "win32":
        _lock_on_windows(descriptor, offset, msvcrt.LK_NBLCK)
    else:
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, offset)


def unlock_byte(descriptor: int, offset: int) -> None:
    """Unlock a byte that this process has locked. Raises ``OSError``."""
    if sys.platform == "win32":
        _lock_on_windows(descriptor, offset, msvcrt.LK_UNLCK)
    else:
        fcntl.lockf(descriptor, fcntl.LOCK_UN, 1, offset)


def _lock_on_windows(descriptor: int, offset: int, mode: int) -> None:
    if sys.platform == "win32":
        position = os.lseek(descriptor, 0, os.SEEK_CUR)
        os.lseek(descriptor, offset, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, mode, 1)
        finally:
            os.lseek(descriptor, position, os.SEEK_SET)
