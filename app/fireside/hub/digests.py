"""Compute what content is called: its SHA-256, or the SHA-1 that git gives a file."""

from __future__ import annotations

import hashlib


class WholeDigest:
    """The digest of a file, fed from its beginning. ``n_bytes`` is how far it is."""

    def __init__(self, *, like: str, size_bytes: int) -> None:
        """``like`` is the digest that is expected, which tells its kind."""
        self.n_bytes = 0
        if len(like) == 40:
            # Not for security: it is how git names content, and all that the hub says of small files.
            self._hash = hashlib.sha1(b"blob %d\0" % size_bytes, usedforsecurity=False)
        else:
            self._hash = hashlib.sha256()

    def feed(self, content: bytes, *, offset: int) -> None:
        """Take content that follows on what was fed so far; any other is passed over."""
        if offset == self.n_bytes:
            self._hash.update(content)
            self.n_bytes += len(content)

    def hexdigest(self) -> str:
        return self._hash.hexdigest()
