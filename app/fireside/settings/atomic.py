"""Replace a small file whole: after a crash or a power cut it holds the old text or the new, never a mix."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from pathlib import Path
from typing import Final, Protocol

_PRIVATE_FILE: Final = 0o600
_PRIVATE_FOLDER: Final = 0o700

_REPLACE_ATTEMPTS: Final = 5
_REPLACE_PAUSE_S: Final = 0.02
_STALE_AFTER_S: Final = 3600.0


class WriteFile(Protocol):
    """How a file is written; tests put a full disk here."""

    def __call__(self, path: Path, content: bytes, /) -> None: ...


def replace_file(path: Path, content: bytes) -> None:
    """Replace ``path`` by ``content``, readable by its owner alone. Raises ``OSError``.

    Makes the folder if need be. A symbolic link stays one: the file that it points to is replaced.
    """
    target = path.resolve()
    make_private_folder(target.parent)
    temporary = target.with_name(f".{target.name}.{os.urandom(6).hex()}.tmp")
    try:
        _write_new(temporary, content)
        _replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    _sync_folder(target.parent)


def make_private_folder(folder: Path) -> None:
    """Make a folder that only its owner can enter, and its parents. One that exists stays as it is."""
    folder.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)


def sweep_leftovers(path: Path, *, now_s: float | None = None) -> None:
    """Remove what killed processes left of ``path``'s replacements, once it is old enough to be theirs."""
    now_s = time.time() if now_s is None else now_s
    target = path.resolve()
    with contextlib.suppress(OSError):
        for leftover in target.parent.glob(f".{target.name}.*.tmp"):
            if now_s - leftover.stat().st_mtime > _STALE_AFTER_S:
                leftover.unlink()


def in_words(error: OSError) -> str:
    """Return what the system says went wrong: ``No space left on device``."""
    return error.strerror or str(error)


def _write_new(path: Path, content: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with open(os.open(path, flags, _PRIVATE_FILE), "wb") as file:  # noqa: PTH123 - a descriptor, not a path
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _replace(source: Path, target: Path) -> None:
    for attempt in range(_REPLACE_ATTEMPTS):
        try:
            source.replace(target)
        except PermissionError:
            # Windows refuses while a virus scanner or an indexer has the old file open, for a moment.
            if sys.platform != "win32" or attempt == _REPLACE_ATTEMPTS - 1:
                raise
            time.sleep(_REPLACE_PAUSE_S)
        else:
            return


def _sync_folder(folder: Path) -> None:
    """Make the new name durable. Windows has no such call and needs none; some file systems refuse it."""
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
