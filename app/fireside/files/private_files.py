"""Files and folders for one user only: modes 0600 and 0700, where the system has modes."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

from fireside.files.fsync import sync_folder

PRIVATE_FILE: Final = 0o600
PRIVATE_FOLDER: Final = 0o700


def make_private_folder(folder: Path) -> None:
    """Create ``folder`` and missing parents, durably and for this user only. Existing ones are unchanged.

    Raises ``OSError``.
    """
    if folder.is_dir():
        return
    if folder.parent != folder:
        make_private_folder(folder.parent)
    folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
    sync_folder(folder.parent)


def make_private_file(path: Path) -> None:
    """Create ``path`` as an empty file if it is missing, and deny other users access. Raises ``OSError``."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE))
    if sys.platform != "win32" and path.stat().st_mode & 0o077:
        path.chmod(PRIVATE_FILE)
