"""The folder for locks and sockets that only this user can reach, and the names of a data folder's there."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path


def runtime_name(data_folder: Path) -> str:
    """Return the beginning of the names of all locks and sockets that belong to a data folder."""
    return hashlib.sha256(str(data_folder.absolute()).encode(errors="surrogateescape")).hexdigest()[:16]


def engine_place(data_folder: Path) -> Path:
    """Return where the program that has a data folder's engine can be found. Raises ``OSError``."""
    return runtime_folder(otherwise=data_folder / "run") / f"{runtime_name(data_folder)}.engine"


def chats_place(data_folder: Path) -> Path:
    """Return where terminal chats find the engine of another, without a program that stays.

    Raises ``OSError``.
    """
    return engine_place(data_folder).with_suffix(".chats")


def runtime_folder(*, otherwise: Path) -> Path:
    """Return a folder of this user alone that can be written, made if need be.

    In a folder that all users share another user may have taken the name; then it is ``otherwise``. Raises
    ``OSError`` if not even that can be made.
    """
    for folder in _candidates():
        with contextlib.suppress(OSError):
            folder.mkdir(mode=0o700, exist_ok=True)
            if _is_ours_alone(folder):
                return folder
    otherwise.mkdir(mode=0o700, parents=True, exist_ok=True)
    return otherwise


def _candidates() -> Iterator[Path]:
    shared = Path(tempfile.gettempdir())
    if sys.platform == "win32":
        yield shared / "fireside"  # each user has a temporary folder of their own
        return
    given = os.environ.get("XDG_RUNTIME_DIR")
    if given:
        yield Path(given) / "fireside"
    yield shared / f"fireside-{os.getuid()}"


def _is_ours_alone(folder: Path) -> bool:
    if sys.platform == "win32":
        return True
    found = folder.lstat()
    is_private = found.st_uid == os.getuid() and not found.st_mode & 0o077
    return stat.S_ISDIR(found.st_mode) and is_private and os.access(folder, os.W_OK | os.X_OK)
