"""Compute the digests of a file."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Final

import msgspec

from fireside.hub.cancel_token import CancelToken
from fireside.hub.download_disk import DiskFile
from fireside.hub.journal import JournalHeader

_READ_BYTES: Final = 1024 * 1024


class StreamingDigest:
    """The digest of a file, fed from its start. ``n_bytes`` is how much was fed."""

    def __init__(self, *, like: str, size_bytes: int) -> None:
        """``like`` is the expected digest, whose length tells the algorithm."""
        self.n_bytes = 0
        if len(like) == 40:
            # Not for security: it is git's name of the content, and the hub's only digest of small files.
            self._hash = hashlib.sha1(b"blob %d\0" % size_bytes, usedforsecurity=False)
        else:
            self._hash = hashlib.sha256()

    def feed(self, content: bytes, *, offset: int) -> None:
        """Add content that follows on what was fed so far; other content is ignored."""
        if offset == self.n_bytes:
            self._hash.update(content)
            self.n_bytes += len(content)

    def hexdigest(self) -> str:
        """Return the digest of what was fed so far, in hexadecimal."""
        return self._hash.hexdigest()


class FileDigests(msgspec.Struct, frozen=True, kw_only=True):
    """A file's digest, of the algorithm that its header expects, and the SHA-256 of each block."""

    digest: str
    blocks: tuple[str, ...]


def read_digests(
    file: DiskFile,
    header: JournalHeader,
    *,
    cancel: CancelToken,
    on_progress: Callable[[int], None] = lambda _: None,
) -> FileDigests:
    """Read ``file`` as ``header`` describes it; missing bytes at the end are skipped.

    ``on_progress`` receives the bytes read so far. Raises ``Stopped`` or ``OSError``.
    """
    whole = StreamingDigest(like=header.digest, size_bytes=header.size_bytes)
    blocks: list[str] = []
    for number in range(header.n_blocks):
        begin, end = header.extent(number)
        digest = hashlib.sha256()
        while begin < end:
            cancel.check()
            piece = file.read_at(begin, min(_READ_BYTES, end - begin))
            if not piece:
                break
            digest.update(piece)
            whole.feed(piece, offset=begin)
            begin += len(piece)
        blocks.append(digest.hexdigest())
        on_progress(begin)
    return FileDigests(digest=whole.hexdigest(), blocks=tuple(blocks))
