"""Read a file from beginning to end and compute what it is."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Final

import msgspec

from fireside.hub.cancel_token import Control
from fireside.hub.digests import WholeDigest
from fireside.hub.download_disk import DiskFile
from fireside.hub.journal import Header

_READ_BYTES: Final = 1024 * 1024


class Content(msgspec.Struct, frozen=True, kw_only=True):
    """What a file holds: its digest, of the kind that its header expects, and the SHA-256 of each block."""

    digest: str
    blocks: tuple[str, ...]


def read_content(
    file: DiskFile,
    header: Header,
    *,
    control: Control,
    on_progress: Callable[[int], None] = lambda _: None,
) -> Content:
    """Read ``file`` as ``header`` describes it; bytes that are missing are simply not there.

    ``on_progress`` gets the bytes that were read so far. Raises ``Stopped`` or ``OSError``.
    """
    whole = WholeDigest(like=header.digest, size_bytes=header.size_bytes)
    blocks: list[str] = []
    for number in range(header.n_blocks):
        begin, end = header.extent(number)
        digest = hashlib.sha256()
        while begin < end:
            control.check()
            piece = file.read_at(begin, min(_READ_BYTES, end - begin))
            if not piece:
                break
            digest.update(piece)
            whole.feed(piece, offset=begin)
            begin += len(piece)
        blocks.append(digest.hexdigest())
        on_progress(begin)
    return Content(digest=whole.hexdigest(), blocks=tuple(blocks))
