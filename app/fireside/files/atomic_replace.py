"""Replace files atomically: a crash or a power cut leaves the old file or the new one, never a mix."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import time
from pathlib import Path
from typing import Final, Protocol

from fireside.files.fsync import flush, sync_folder
from fireside.files.private_files import PRIVATE_FILE, make_private_folder

_ATTEMPTS: Final = 10
_PAUSE_S: Final = 0.05
_STALE_AFTER_S: Final = 3600.0

if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    _REPLACE_EXISTING: Final = 0x1
    _WRITE_THROUGH: Final = 0x8
    _kernel32: Final = ctypes.WinDLL("kernel32", use_last_error=True)
    _kernel32.MoveFileExW.argtypes = (wintypes.LPCWSTR, wintypes.LPCWSTR, wintypes.DWORD)
    _kernel32.MoveFileExW.restype = wintypes.BOOL

    def _rename(source: Path, target: Path) -> None:
        """Like ``Path.replace``, but returns only when the new name is on the disk."""
        if not _kernel32.MoveFileExW(str(source), str(target), _REPLACE_EXISTING | _WRITE_THROUGH):
            error = ctypes.WinError(ctypes.get_last_error())
            raise OSError(error.errno, error.strerror, str(source), error.winerror, str(target))
else:

    def _rename(source: Path, target: Path) -> None:
        source.replace(target)


class WriteFile(Protocol):
    """Writes a small file; tests replace it to simulate a full disk."""

    def __call__(self, path: Path, content: bytes, /) -> None: ...


def replace_file(path: Path, content: bytes) -> None:
    """Replace the contents of ``path``, durably and readable by its owner only. Raises ``OSError``.

    Creates missing folders. If ``path`` is a symbolic link, its target is replaced. Devices and pipes are
    not: a file in the place of ``/dev/null`` would break the system. Blocks until the contents are on the
    disk; after an error the old file is unchanged.
    """
    target = Path(os.path.realpath(path))  # unlike ``resolve``, it takes a link to itself
    if target.exists() and not target.is_file() and not target.is_dir():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
    make_private_folder(target.parent)
    temporary = target.with_name(f".{target.name}.{os.urandom(6).hex()}.tmp")
    try:
        _write_new(temporary, content)
        rename_over(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    sync_folder(target.parent)


def rename_over(source: Path, target: Path) -> None:
    """Rename ``source`` to ``target``, replacing an existing file. Raises ``OSError``.

    The rename is durable once ``sync_folder`` of the folder has returned.
    """
    for _ in range(_ATTEMPTS - 1):
        try:
            return _rename(source, target)
        except PermissionError:
            # Windows refuses while a virus scanner or an indexer has one of the files open.
            if sys.platform != "win32":
                raise
            time.sleep(_PAUSE_S)
    return _rename(source, target)


def remove_leftovers(path: Path) -> None:
    """Remove temporary files of ``path`` that are so old that their process must have been killed."""
    target = Path(os.path.realpath(path))  # unlike ``resolve``, it takes a link to itself
    with contextlib.suppress(OSError):
        for leftover in target.parent.glob(f".{target.name}.*.tmp"):
            if time.time() - leftover.stat().st_mtime > _STALE_AFTER_S:
                leftover.unlink()


def _write_new(path: Path, content: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags, PRIVATE_FILE), "wb") as file:
        file.write(content)
        file.flush()
        flush(file.fileno())
