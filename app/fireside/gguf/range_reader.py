"""Read a header by byte ranges, such as over a network, with few requests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from fireside.core.errors import ModelFileInvalid
from fireside.gguf.cursor import HEADER_TOO_LARGE, damaged
from fireside.gguf.header import GgufHeader
from fireside.gguf.reader import read_header_from

FIRST_STEP_BYTES: Final = 256 * 1024
LARGEST_STEP_BYTES: Final = 4 * 1024 * 1024
MAX_REQUESTED_BYTES: Final = 64 * 1024 * 1024
"""The largest known headers are under 40 MB."""
ReadRange = Callable[[int, int], bytes]
"""Returns ``n`` bytes from ``offset`` on; fewer only at the end of the file. May raise anything."""


def read_header_by_ranges(read: ReadRange, *, size_bytes: int, path: str) -> GgufHeader:
    """Return the header of a file of ``size_bytes``.

    The size of the requests doubles, so that a small header takes one request and a large one few; less than
    the last one is read in vain.

    Args:
        read: returns any range of the file.
        path: for errors and the result only.

    Raises:
        ModelFileInvalid: it is no valid header, or larger than ``MAX_REQUESTED_BYTES``.
    """
    source = _Ranges(read, size_bytes=size_bytes, path=path)
    return read_header_from(source, size_bytes=size_bytes, path=path)


class _Ranges:
    """A ``ByteSource`` over ranges. The reader goes forwards, so one range at a time is enough."""

    def __init__(self, read: ReadRange, *, size_bytes: int, path: str) -> None:
        self._read = read
        self._size = size_bytes
        self._path = path
        self._n_requested = 0
        self._step = FIRST_STEP_BYTES
        self._start = 0
        self._range = b""
        self._at = 0

    def seek(self, offset: int, /) -> object:
        self._at = offset
        return offset

    def read(self, size: int, /) -> bytes:
        """Return up to ``size`` bytes, of the current range or a new one."""
        begin = self._at - self._start
        if not 0 <= begin < len(self._range):
            self._request(size)
            begin = 0
        piece = self._range[begin : begin + size]
        self._at += len(piece)
        return piece

    def _request(self, size: int) -> None:
        n = min(max(size, self._step), self._size - self._at)
        self._n_requested += max(0, n)
        if self._n_requested > MAX_REQUESTED_BYTES:
            raise ModelFileInvalid(path=self._path, reason=damaged(HEADER_TOO_LARGE))
        self._start, self._range = self._at, self._read(self._at, n) if n > 0 else b""
        self._step = min(2 * self._step, LARGEST_STEP_BYTES)
