"""Read a header sequentially, in windows, with bounds on position and total size."""

from __future__ import annotations

import struct
from itertools import repeat
from operator import length_hint
from typing import Never, Protocol

from fireside.core.errors import ModelFileInvalid
from fireside.core.i18n import Phrase, Translatable, tr_noop

WINDOW_BYTES = 256 * 1024
MAX_STRING_BYTES = 16 * 1024 * 1024
MAX_READ_BYTES = 64 * 1024 * 1024
"""The largest known headers are under 40 MB, including skipped numbers."""
MAX_ARRAY_STRINGS = 1_500_000
"""Of all arrays together; the largest known vocabularies have 0.8 million entries and merges."""

HEADER_TOO_LARGE = "its header is larger than that of any model"

_U32 = struct.Struct("<I")
_U64 = struct.Struct("<Q")


def damaged(detail: str) -> Phrase:
    """Return the reason for a file that only damage explains. ``detail`` is English, for whoever asks why."""
    return Phrase(tr_noop("the file is damaged ({detail})."), {"detail": detail})


class ByteSource(Protocol):
    """A file that is open for reading bytes, or an object like it."""

    def seek(self, offset: int, /) -> object: ...

    def read(self, size: int, /) -> bytes | None: ...


class Cursor:
    """A position in a file of known size.

    Every read checks the size first, so that a length of 2**63 costs nothing. Skipped data is not read,
    unless it is in the window. Raises ``ModelFileInvalid``, and ``OSError`` of the source. For one thread.
    """

    def __init__(self, source: ByteSource, *, size_bytes: int, path: str) -> None:
        self._source = source
        self._size = size_bytes
        self._path = path
        self._start = 0
        self._window = b""
        self._at = 0
        self.n_read_bytes = 0
        self.n_array_strings = 0

    @property
    def position(self) -> int:
        """Offset from the start of the file, in bytes."""
        return self._start + self._at

    def refuse(self, reason: Translatable) -> Never:
        """Raise ``ModelFileInvalid``; ``reason`` continues “This is not a usable model file:”."""
        raise ModelFileInvalid(path=self._path, reason=reason)

    def refuse_damaged(self, detail: str) -> Never:
        """Raise ``ModelFileInvalid`` for what only damage explains; see ``damaged``."""
        self.refuse(damaged(detail))

    def take(self, n: int) -> bytes:
        """Return the next ``n`` bytes."""
        end = self._at + n
        if end > len(self._window):
            self._refill(n)
            end = n
        piece = self._window[self._at : end]
        self._at = end
        return piece

    def rewind(self, position: int) -> None:
        """Go back to ``position``, which must be within the last ``take``."""
        self._at = position - self._start

    def skip(self, n: int) -> None:
        """Skip ``n`` bytes."""
        self._move(self.position + n)

    def unpack(self, layout: struct.Struct) -> tuple[int, ...]:
        """Unpack the next numbers with ``layout``."""
        return layout.unpack(self.take(layout.size))

    def u32(self) -> int:
        """Read four bytes, little-endian. Raises ``ModelFileInvalid`` at the end of the file."""
        number: int = _U32.unpack(self.take(4))[0]
        return number

    def u64(self) -> int:
        """Read eight bytes, little-endian. Raises ``ModelFileInvalid`` at the end of the file."""
        number: int = _U64.unpack(self.take(8))[0]
        return number

    def string_length(self, *, limit: int, what: str) -> int:
        """Read the length prefix of a string, at most ``limit`` bytes."""
        length = self.u64()
        if length > limit:
            self.refuse_damaged(f"{what} has an invalid length ({length} bytes)")
        return length

    def skip_strings(self, count: int) -> None:
        """Skip the strings of an array, each of which has a length prefix.

        This takes most of the time, since a vocabulary has up to a million: one unpacking and one addition
        each. At the end of the window, ``struct.error`` ends the inner loop.
        """
        self.count_strings(count)
        length_at = _U64.unpack_from
        while count:
            window, at = self._window, self._at
            length = 0
            left = repeat(None, count)
            try:
                for _ in left:
                    (length,) = length_at(window, at)
                    at += 8 + length
                count = 0
            except (struct.error, OverflowError):
                # A length over the limit always ends outside the window, so checking the last one is enough.
                if length > MAX_STRING_BYTES:
                    self.refuse_damaged(f"a list entry has an invalid length ({length} bytes)")
                count = length_hint(left) + 1
            self._move(self._start + at)
            if count and len(self._window) - self._at < 8:
                self._refill(8)

    def count_strings(self, count: int) -> None:
        """Refuse an array of ``count`` strings if the limit or the file is too small for them."""
        self.n_array_strings += count
        if self.n_array_strings > MAX_ARRAY_STRINGS:
            self.refuse_damaged(f"a list has an invalid length ({count})")
        if self.position + count * _U64.size > self._size:
            self._refuse_early_end()

    def _move(self, position: int) -> None:
        if position > self._size:
            self._refuse_early_end()
        self._at = position - self._start
        if self._at > len(self._window):
            self._start, self._window, self._at = position, b"", 0

    def _refill(self, n: int) -> None:
        """Start a new window of at least ``n`` bytes at the current position."""
        position = self.position
        size = min(max(n, WINDOW_BYTES), self._size - position)
        if self.n_read_bytes + size > MAX_READ_BYTES:
            self.refuse_damaged(HEADER_TOO_LARGE)
        self._source.seek(position)
        window = self._read(size, at_least=n)
        self.n_read_bytes += len(window)
        if len(window) < n:
            self._refuse_early_end()
        self._start, self._window, self._at = position, window, 0

    def _read(self, n: int, *, at_least: int) -> bytes:
        """Read up to ``n`` bytes; a source that returns less is read again until there are ``at_least``."""
        piece = self._source.read(n) or b""
        pieces = [piece]
        n_read = len(piece)
        while piece and n_read < at_least:
            piece = self._source.read(n - n_read) or b""
            pieces.append(piece)
            n_read += len(piece)
        return b"".join(pieces)

    def _refuse_early_end(self) -> Never:
        self.refuse(tr_noop("it ends in the middle of its header; the download is probably incomplete."))
