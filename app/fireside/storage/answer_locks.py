"""Locks that distinguish answers that another program is writing from interrupted ones."""

from __future__ import annotations

import logging
import os
from pathlib import Path

from fireside.files.file_lock import lock_byte, unlock_byte
from fireside.files.private_files import PRIVATE_FILE

log = logging.getLogger(__name__)


class AnswerLocks:
    """One lock for each answer: the byte at its id, in a file that stays empty.

    The system releases the locks of a process when it ends in any way. A process does not see its own locks,
    and must have only one object for a file. For one thread at a time.
    """

    def __init__(self, path: Path | None) -> None:
        """``None`` is for a database in memory, and locks nothing."""
        self.is_guest = False
        """Whether another program may own the database, which then needs the locks of this one."""
        self._path = path
        self._descriptor: int | None = None
        self._taken: set[int] = set()

    def take(self, message_id: int) -> None:
        """Lock an answer that this program writes. A failure is logged only."""
        if self._path is None or not self.is_guest or message_id in self._taken:
            return
        try:
            if self._descriptor is None:
                self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE)
            lock_byte(self._descriptor, message_id)
        except OSError as exc:
            log.info("other programs cannot see that answer %d is being written: %s", message_id, exc)
        else:
            self._taken.add(message_id)

    def release(self, message_id: int) -> None:
        """Unlock an answer. Does nothing if it is not locked."""
        if message_id in self._taken and self._descriptor is not None:
            self._taken.discard(message_id)
            unlock_byte(self._descriptor, message_id)

    def is_taken(self, message_id: int) -> bool:
        """Return whether another program is writing an answer. Does not see locks of this program."""
        if self._path is None:
            return False
        if self._descriptor is None:
            try:
                self._descriptor = os.open(self._path, os.O_RDWR)
            except OSError:  # there are no locks yet, or nothing can be written here
                return False
        try:
            lock_byte(self._descriptor, message_id)
            unlock_byte(self._descriptor, message_id)
        except (BlockingIOError, PermissionError):
            return True
        except OSError:  # the disk does not support them
            pass
        return False

    def close(self) -> None:
        """Release all locks."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
        self._taken.clear()
