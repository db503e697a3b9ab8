"""The per-user runtime folder for locks and sockets, and the file names of a data folder in it."""

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
    """Return the common prefix of the lock and socket names of a data folder."""
    return hashlib.sha256(str(data_folder.absolute()).encode(errors="surrogateescape")).hexdigest()[:16]


def engine_endpoint(data_folder: Path) -> Path:
    """Return the path of the socket of the process that runs a data folder's engine. Raises ``OSError``."""
    return runtime_folder(fallback=data_folder / "run") / f"{runtime_name(data_folder)}.engine"


def chats_endpoint(data_folder: Path) -> Path:
    """Return the path of the socket through which terminal chats share an engine where no window or server
    runs. Raises ``OSError``."""
    return engine_endpoint(data_folder).with_suffix(".chats")


def runtime_folder(*, fallback: Path) -> Path:
    """Return a writable folder that only this user can access; create it if necessary.

    It is ``fallback`` where another user has taken the name in a shared temporary folder. Raises ``OSError``
    if that cannot be created either.
    """
    for folder in _candidates():
        with contextlib.suppress(OSError):
            folder.mkdir(mode=0o700, exist_ok=True)
            if _is_private_to_user(folder):
                return folder
    fallback.mkdir(mode=0o700, parents=True, exist_ok=True)
    return fallback


def _candidates() -> Iterator[Path]:
    shared = Path(tempfile.gettempdir())
    if sys.platform == "win32":
        yield shared / "fireside"  # the temporary folder is the user's own
        return
    configured = os.environ.get("XDG_RUNTIME_DIR")
    if configured:
        yield Path(configured) / "fireside"
    yield shared / f"fireside-{os.getuid()}"


def _is_private_to_user(folder: Path) -> bool:
    if sys.platform == "win32":
        return True
    status = folder.lstat()
    is_private = status.st_uid == os.getuid() and not status.st_mode & 0o077
    return stat.S_ISDIR(status.st_mode) and is_private and os.access(folder, os.W_OK | os.X_OK)
