"""Lock a file against other processes, in the way that each system has."""

from __future__ import annotations

import os
import sys

if sys.platform == "win32":
    import msvcrt

    _FAR_AWAY = 0x7FFF0000
    """A lock keeps others from reading what it covers, so it covers a byte that is never there."""

    def lock_file(descriptor: int) -> bool:
        """Lock an open file until it is closed. Returns whether nobody else has."""
        here = os.lseek(descriptor, 0, os.SEEK_CUR)
        os.lseek(descriptor, _FAR_AWAY, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(descriptor, here, os.SEEK_SET)
        return True
else:
    import errno
    import fcntl

    def lock_file(descriptor: int) -> bool:
        """Lock an open file until it is closed. Returns whether nobody else has."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as exc:
            # Some network file systems have no locks; then there is nothing to respect.
            return exc.errno not in (errno.EWOULDBLOCK, errno.EACCES)
        return True
