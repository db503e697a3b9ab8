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
from fireside.files.digest import BLOCK_BYTES, digest_of_content
from fireside.files.fsync import flush, sync_file

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
    n_resumed = partial.stat().st_size // BLOCK_BYTES * BLOCK_BYTES if partial.exists() else 0
    digest = _copy(source, partial, n_resumed=n_resumed, on_copied=on_copied)
    if n_resumed and _digest_on_disk(partial, on_checked) != digest:
        # The partial copy of an earlier attempt was damaged.
        n_resumed = 0
        digest = _copy(source, partial, n_resumed=0, on_copied=on_copied)
    if not n_resumed and _digest_on_disk(partial, on_checked) != digest:
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
    link_text = source.readlink()
    destination = source.parent / link_text
    is_inside = Path(os.path.normpath(destination)).is_relative_to(root) and not link_text.is_absolute()
    if os.path.lexists(target):
        target.unlink()
    target.symlink_to(link_text if is_inside else os.path.normpath(destination), destination.is_dir())


def _copy(source: Path, partial: Path, *, n_resumed: int, on_copied: Callable[[int], None]) -> str:
    """Copy what follows the first ``n_resumed`` bytes, and return the hash of the whole."""
    digest = hashlib.sha256()
    n_read = 0
    with source.open("rb", buffering=0) as reader, partial.open("r+b" if n_resumed else "wb") as writer:
        writer.truncate(n_resumed)
        writer.seek(n_resumed)
        while block := reader.read(BLOCK_BYTES):
            digest.update(block)
            n_read += len(block)
            if n_read > n_resumed:
                writer.write(block[max(0, n_resumed - n_read + len(block)) :])
            on_copied(n_read)
        writer.flush()
        flush(writer.fileno())
    return digest.hexdigest()


def _digest_on_disk(path: Path, on_checked: Callable[[int], None]) -> str:
    with path.open("rb", buffering=0) as reader:
        _drop_page_cache(reader.fileno())
        return digest_of_content(reader, on_progress=on_checked)


def _drop_page_cache(descriptor: int) -> None:
    """Drop the file from the page cache where the system can, so that it is read from the disk."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
