"""Digests of files."""

from __future__ import annotations

import hashlib
from pathlib import Path


def digest_of(file: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal digits. Raises ``OSError``."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
