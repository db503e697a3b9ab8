"""Files that belong to one person: folders 0700 and files 0600 where the system knows modes."""

from __future__ import annotations

import os
import sys
from pathlib import Path

PRIVATE_FILE = 0o600
PRIVATE_FOLDER = 0o700


def make_private_folder(folder: Path) -> None:
    """Make ``folder`` and its parents, each for this user alone. One that exists is left as it is."""
    if folder.is_dir():
        return
    make_private_folder(folder.parent)
    folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
    sync_folder(folder.parent)


def make_private_file(path: Path) -> None:
    """Make ``path`` as an empty file if it is not there, and keep it from everyone else.

    SQLite gives its journal files the mode of the database, so this one is enough.
    """
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE))
    if sys.platform != "win32" and path.stat().st_mode & 0o077:
        path.chmod(PRIVATE_FILE)


def sync_file(path: Path) -> None:
    """Return once the file's contents are on the disk."""
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_folder(folder: Path) -> None:
    """Return once the names in ``folder`` are on the disk; Windows has no such call and needs none."""
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def identity(path: Path) -> tuple[int, int] | None:
    """Return what tells this file from any other, or ``None`` if there is none at ``path``."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
