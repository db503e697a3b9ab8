"""Tell by its digest whether a file is the one that was meant."""

from __future__ import annotations

import hashlib
from pathlib import Path


def digest_of(file: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal digits. Raises ``OSError``."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
