"""Record which blocks of a partial file are on the disk, to resume a download after a crash."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.closeable import Closeable
from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import DownloadBusy
from fireside.gguf.header import printable
from fireside.hub.download_disk import Disk, DiskFile

_FORMAT: Final = 1
_LINE = re.compile(rb"(?P<number>\d{8}) (?P<digest>[0-9a-f]{64}) [0-9a-f]{8}")
_VERIFIED: Final = "whole"
_VERIFIED_LINE = re.compile(rb"whole {4}[0-9a-f]{64} [0-9a-f]{8}")
_LINE_BYTES: Final = 8 + 1 + 64 + 1 + 8 + 1


class JournalHeader(msgspec.Struct, frozen=True, kw_only=True):
    """What is being downloaded. A journal of something else is ignored."""

    format: int = _FORMAT
    repo: str
    commit: str
    path: str
    digest: str
    size_bytes: int
    block_bytes: int

    @property
    def n_blocks(self) -> int:
        """Number of blocks; the last may be shorter."""
        return -(-self.size_bytes // self.block_bytes)

    def extent(self, number: int) -> tuple[int, int]:
        """Return where a block starts and ends (exclusive), in bytes."""
        begin = number * self.block_bytes
        return begin, min(self.size_bytes, begin + self.block_bytes)

    def n_bytes_of(self, number: int) -> int:
        begin, end = self.extent(number)
        return end - begin


class Journal(Closeable):
    """A file's blocks, each with its SHA-256. One thread; a lock keeps other processes out.

    A line is written once its block is durable, never before, and is itself durable when the method returns.
    A line that a power cut left incomplete is ignored.
    """

    def __init__(self, *, disk: Disk, file: DiskFile) -> None:
        self._disk = disk
        self._file = file
        self.header: JournalHeader | None = None
        self.blocks: dict[int, str] = {}
        """Digest of each durable block, by number."""
        self.is_verified = False
        """The whole content has the digest that the hub states; only the rename is missing."""
        self.n_bytes = 0
        """Of all blocks together. A running sum: it is read for every chunk that arrives."""
        self._end = 0
        self._read()

    @classmethod
    def open(cls, path: Path, *, disk: Disk, name: str) -> Journal:
        """Open or create the journal at ``path``. Raises ``DownloadBusy`` if another process has it open."""
        file = disk.open(path)
        try:
            if not file.lock():
                raise DownloadBusy(name=printable(name))
            return cls(disk=disk, file=file)
        except BaseException:
            file.close()
            raise

    def close(self) -> None:
        self._file.close()

    def remove(self) -> None:
        """Close the journal and remove its file."""
        self._file.close()
        self._disk.remove(self._file.path)

    def reset(self, header: JournalHeader, blocks: dict[int, str] | None = None) -> None:
        """Start again for ``header``, with ``blocks`` that have already arrived."""
        self.header, self.blocks, self.is_verified = header, dict(blocks or {}), False
        self.n_bytes = sum(header.n_bytes_of(number) for number in self.blocks)
        lines = b"".join(_line(number, digest) for number, digest in sorted(self.blocks.items()))
        content = msgspec.json.encode(header) + b"\n" + lines
        # Truncated first, so that no mix of old and new can be taken for a journal.
        self._file.resize(0)
        self._file.synchronise()
        self._file.write_at(0, content)
        self._file.synchronise()
        self._end = len(content)
        self._disk.synchronise_folder(self._file.path.parent)

    def add(self, number: int, digest: str) -> None:
        """Record a block that is durable."""
        assert self.header is not None
        self._append(_line(number, digest))
        self._record(number, digest, header=self.header)

    def mark_verified(self) -> None:
        """Record that the whole content was verified and is durable."""
        assert self.header is not None
        self._append(_with_checksum(f"{_VERIFIED:<8} {self.header.digest:0<64}"))
        self.is_verified = True

    def _record(self, number: int, digest: str, *, header: JournalHeader) -> None:
        if number not in self.blocks:
            self.n_bytes += header.n_bytes_of(number)
        self.blocks[number] = digest

    def _append(self, line: bytes) -> None:
        self._file.write_at(self._end, line)
        self._file.synchronise()
        self._end += len(line)

    def _read(self) -> None:
        content = self._file.read_at(0, self._file.size_bytes)
        header_line, newline, lines = content.partition(b"\n")
        try:
            header = decode_json(header_line, kind=JournalHeader)
        except JsonInvalid:
            return
        if not newline or header.format != _FORMAT or header.block_bytes <= 0 or header.size_bytes < 0:
            return
        self.header = header
        self._end = len(header_line) + 1
        for start in range(0, len(lines), _LINE_BYTES):
            if not self._apply_line(lines[start : start + _LINE_BYTES]):
                break
            self._end += _LINE_BYTES

    def _apply_line(self, line: bytes) -> bool:
        """Apply a line; return ``False`` if it is invalid."""
        assert self.header is not None
        if not line.endswith(b"\n"):
            return False
        match = _LINE.fullmatch(line[:-1]) or _VERIFIED_LINE.fullmatch(line[:-1])
        if match is None or _with_checksum(line[: 8 + 1 + 64].decode()) != line:
            return False
        if line.startswith(_VERIFIED.encode()):
            self.is_verified = True
        elif int(match["number"]) < self.header.n_blocks:
            self._record(int(match["number"]), match["digest"].decode(), header=self.header)
        else:
            return False
        return True


def _line(number: int, digest: str) -> bytes:
    return _with_checksum(f"{number:08d} {digest}")


def _with_checksum(text: str) -> bytes:
    return f"{text} {hashlib.sha256(text.encode()).hexdigest()[:8]}\n".encode()
