"""Copy one file and verify the copy by reading it back from the disk."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from fireside.files.atomic_replace import rename_over
from fireside.files.fsync import flush, sync_file

BLOCK_BYTES: Final = 8 << 20
COPYING_SUFFIX: Final = ".moving"
"""Suffix of an unfinished copy; it gets its name once it is verified."""


class CopyDamaged(Exception):
    """What was read back differs from what was written."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def copy_verified(
    source: Path, target: Path, *, on_copied: Callable[[int], None], on_checked: Callable[[int], None]
) -> None:
    """Copy ``source`` to ``target``, with its modification time.

    ``target`` exists only once its content was synced, read back and found equal. A partial copy of an
    earlier attempt is resumed. The callbacks receive the bytes so far after each 8 MiB, and may raise to
    cancel. Raises ``OSError`` or ``CopyDamaged``.
    """
    partial = target.with_name(target.name + COPYING_SUFFIX)
    begun = partial.stat().st_size // BLOCK_BYTES * BLOCK_BYTES if partial.exists() else 0
    wanted = _copy(source, partial, begun=begun, on_copied=on_copied)
    if begun and _hash(partial, on_checked) != wanted:
        # The partial copy of an earlier attempt was damaged.
        begun = 0
        wanted = _copy(source, partial, begun=0, on_copied=on_copied)
    if not begun and _hash(partial, on_checked) != wanted:
        partial.unlink()
        raise CopyDamaged(target.name)
    status = source.stat()
    os.utime(partial, ns=(status.st_atime_ns, status.st_mtime_ns))
    sync_file(partial)
    rename_over(partial, target)


def copy_link(source: Path, target: Path, *, root: Path) -> None:
    """Copy a link: with the same target text within ``root``, otherwise as an absolute path.

    Raises ``OSError``.
    """
    words = source.readlink()
    leads_to = source.parent / words
    is_inside = Path(os.path.normpath(leads_to)).is_relative_to(root) and not words.is_absolute()
    if os.path.lexists(target):
        target.unlink()
    target.symlink_to(words if is_inside else os.path.normpath(leads_to), leads_to.is_dir())


def _copy(source: Path, partial: Path, *, begun: int, on_copied: Callable[[int], None]) -> bytes:
    """Copy what follows the first ``begun`` bytes, and return the hash of the whole."""
    digest = hashlib.sha256()
    n_read = 0
    with source.open("rb", buffering=0) as reader, partial.open("r+b" if begun else "wb") as writer:
        writer.truncate(begun)
        writer.seek(begun)
        while block := reader.read(BLOCK_BYTES):
            digest.update(block)
            n_read += len(block)
            if n_read > begun:
                writer.write(block[max(0, begun - n_read + len(block)) :])
            on_copied(n_read)
        writer.flush()
        flush(writer.fileno())
    return digest.digest()


def _hash(path: Path, on_checked: Callable[[int], None]) -> bytes:
    digest = hashlib.sha256()
    n_read = 0
    with path.open("rb", buffering=0) as reader:
        _forget_cached(reader.fileno())
        while block := reader.read(BLOCK_BYTES):
            digest.update(block)
            n_read += len(block)
            on_checked(n_read)
    return digest.digest()


def _forget_cached(descriptor: int) -> None:
    """Drop the file from the page cache where the system can, so that it is read from the disk."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
