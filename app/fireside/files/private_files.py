"""Files that belong to one user: folders 0700 and files 0600 where the system knows modes."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

from fireside.files.fsync import sync_folder

PRIVATE_FILE: Final = 0o600
PRIVATE_FOLDER: Final = 0o700


def make_private_folder(folder: Path) -> None:
    """Make ``folder`` and its parents, each for this user alone and to last. One that exists stays as it is.

    Raises ``OSError``.
    """
    if folder.is_dir():
        return
    if folder.parent != folder:
        make_private_folder(folder.parent)
    folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
    sync_folder(folder.parent)


def make_private_file(path: Path) -> None:
    """Make ``path`` as an empty file if it is not there, and keep others out. Raises ``OSError``."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE))
    if sys.platform != "win32" and path.stat().st_mode & 0o077:
        path.chmod(PRIVATE_FILE)
