"""A partial file: its durable blocks, the journal, and the block that is arriving."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.closeable import Closeable
from fireside.core.errors import DownloadBusy
from fireside.core.hub import DownloadFile
from fireside.hub.cancel_token import CancelToken
from fireside.hub.download_disk import Disk, DiskFile
from fireside.hub.file_hashing import StreamingDigest, read_digests
from fireside.hub.journal import Journal, JournalHeader
from fireside.hub.safe_filenames import path_below

PART_SUFFIX: Final = ".part"
JOURNAL_SUFFIX: Final = ".part.journal"

log = logging.getLogger(__name__)


class PartialPaths(msgspec.Struct, frozen=True, kw_only=True):
    """A file, its partial file and its journal."""

    target: Path
    part: Path
    journal: Path

    @classmethod
    def of(cls, target: Path) -> PartialPaths:
        return cls(
            target=target,
            part=target.with_name(target.name + PART_SUFFIX),
            journal=target.with_name(target.name + JOURNAL_SUFFIX),
        )


class PartialFile(Closeable):
    """Writes what arrives, block by block: a block is made durable before the journal records it.

    A context manager, for one thread. Methods that touch the disk raise ``OSError``.
    """

    def __init__(self, *, disk: Disk, path: Path, journal: Journal) -> None:
        assert journal.header is not None
        self._journal = journal
        self._file: DiskFile = disk.open(path)
        if self._file.size_bytes == 0 and journal.blocks:
            # The partial file is missing, only the journal remains.
            journal.reset(journal.header)
        self._block = -1
        self._block_digest = hashlib.sha256()
        self._n_in_block = 0
        self._digest = self._new_digest()

    def close(self) -> None:
        self._file.close()

    @property
    def header(self) -> JournalHeader:
        """What is being downloaded."""
        assert self._journal.header is not None
        return self._journal.header

    @property
    def n_missing_bytes(self) -> int:
        """Bytes of blocks that are not durable yet."""
        return self.header.size_bytes - self._journal.n_bytes

    @property
    def n_arrived_bytes(self) -> int:
        """Bytes that have arrived, including the unfinished block."""
        return self.header.size_bytes - self.n_missing_bytes + self._n_in_block

    @property
    def n_bytes_to_reserve(self) -> int:
        """Disk space that the file will need and does not occupy yet."""
        return max(0, self.header.size_bytes - self._file.occupied_bytes)

    def reserve(self) -> None:
        """Allocate the space of the whole file."""
        if self._file.size_bytes != self.header.size_bytes or self.n_bytes_to_reserve:
            self._file.resize(min(self._file.size_bytes, self.header.size_bytes))
            self._file.reserve(self.header.size_bytes)

    def next_gap(self) -> tuple[int, int]:
        """Return start and end (exclusive) of the bytes to request next."""
        header, blocks = self.header, self._journal.blocks
        first = next(number for number in range(header.n_blocks) if number not in blocks)
        last = first
        while last + 1 < header.n_blocks and last + 1 not in blocks:
            last += 1
        n_received = self._n_in_block if first == self._block else 0
        return header.extent(first)[0] + n_received, header.extent(last)[1]

    def write(self, offset: int, content: bytes) -> None:
        """Write bytes that have arrived; they follow on the last ones, or start a block."""
        while content:
            number = offset // self.header.block_bytes
            _, end = self.header.extent(number)
            if number != self._block:
                self._block, self._n_in_block = number, 0
                self._block_digest = hashlib.sha256()
            piece, content = content[: end - offset], content[end - offset :]
            self._file.write_at(offset, piece)
            self._block_digest.update(piece)
            self._digest.feed(piece, offset=offset)
            self._n_in_block += len(piece)
            offset += len(piece)
            if offset == end:
                self._finish_block(number)

    def drop_unfinished(self) -> None:
        """Drop the unfinished block: what the disk kept of it is unknown."""
        if self._n_in_block:
            self._digest = self._new_digest()
        self._block, self._n_in_block = -1, 0

    def restart(self, header: JournalHeader) -> None:
        """Drop all that has arrived, and download ``header`` instead."""
        self._block, self._n_in_block = -1, 0
        self._journal.reset(header)
        self._file.resize(0)
        self._digest = self._new_digest()

    def is_sound(self, cancel: CancelToken) -> bool:
        """Whether the whole content has the expected digest.

        What arrived in one piece was hashed on arrival; anything else is read again. Blocks that changed
        since they arrived are removed from the journal, so that they are fetched again. Raises ``Stopped``.
        """
        header = self.header
        if self._digest.n_bytes == header.size_bytes:
            is_sound = self._digest.hexdigest() == header.digest
            self._digest = self._new_digest()
            return is_sound
        digests = read_digests(self._file, header, cancel=cancel)
        if digests.digest == header.digest:
            return True
        intact = {
            number: digest
            for number, digest in enumerate(digests.blocks)
            if digest == self._journal.blocks.get(number)
        }
        if len(intact) < header.n_blocks:
            self._journal.reset(header, intact)
        return False

    def finish(self) -> None:
        """Make the verified content durable and record that in the journal."""
        self._file.resize(self.header.size_bytes)
        self._file.synchronise()
        self._journal.mark_verified()

    def _finish_block(self, number: int) -> None:
        self._file.synchronise()
        self._journal.add(number, self._block_digest.hexdigest())
        self._block, self._n_in_block = -1, 0

    def _new_digest(self) -> StreamingDigest:
        return StreamingDigest(like=self.header.digest, size_bytes=self.header.size_bytes)


def arrived_bytes(files: Iterable[DownloadFile], *, folder: Path, disk: Disk) -> int:
    """Return how much of ``files`` is durable. Raises ``OSError`` or ``DownloadBusy``."""
    n_bytes = 0
    disk = disk.below(folder)
    for file in files:
        paths = PartialPaths.of(path_below(folder, file.name))
        if disk.size_of(paths.part) is not None and disk.size_of(paths.journal) is not None:
            with Journal.open(paths.journal, disk=disk, name=file.name) as journal:
                n_bytes += journal.n_bytes
        elif disk.size_of(paths.target) == file.file.size_bytes:
            n_bytes += file.file.size_bytes
    return n_bytes


def remove_leftovers(files: Iterable[DownloadFile], *, folder: Path, disk: Disk) -> None:
    """Remove the partial files of ``files`` and folders that become empty; complete files stay.

    What another Fireside is downloading stays too. What cannot be removed is logged.
    """
    disk = disk.below(folder)
    for file in files:
        paths = PartialPaths.of(path_below(folder, file.name))
        try:
            if disk.size_of(paths.journal) is not None:
                with Journal.open(paths.journal, disk=disk, name=file.name) as journal:
                    disk.remove(paths.part)
                    journal.remove()
            disk.remove(paths.part)
        except DownloadBusy:
            continue
        except OSError as exc:
            log.warning("A part of a download was not removed: %s", exc)
        for parent in paths.target.parents:
            if parent == folder or not disk.remove_empty_folder(parent):
                break
