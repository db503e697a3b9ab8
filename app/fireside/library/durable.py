"""Put files in place so that a crash or a power cut leaves the old one or the new one, never a mix."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from pathlib import Path


def replace_file(path: Path, content: bytes) -> None:
    """Write a small file whole or not at all, with the folders above it. Raises ``OSError``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".tmp")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make names in ``folder`` durable. Windows has no such call and needs none; some file systems refuse."""
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
