"""Digests of files."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import IO, Final

BLOCK_BYTES: Final = 8 << 20


def digest_of(file: Path, *, on_progress: Callable[[int], None] | None = None) -> str:
    """Return the SHA-256 of a file in hexadecimal digits. Raises ``OSError``.

    ``on_progress`` receives the bytes read so far, after each 8 MiB, and may raise to cancel.
    """
    with file.open("rb", buffering=0) as content:
        return digest_of_content(content, on_progress=on_progress)


def digest_of_content(content: IO[bytes], *, on_progress: Callable[[int], None] | None = None) -> str:
    """Return the SHA-256 of an open file from its position on, as ``digest_of`` does."""
    digest = hashlib.sha256()
    n_read = 0
    while block := content.read(BLOCK_BYTES):
        digest.update(block)
        n_read += len(block)
        if on_progress is not None:
            on_progress(n_read)
    return digest.hexdigest()
