"""The journal of the durable blocks of a partial file."""

from __future__ import annotations

from pathlib import Path

import pytest

from fireside.hub.download_disk import Disk
from fireside.hub.journal import Journal, JournalHeader

DIGEST = "d" * 64
HEADER = JournalHeader(
    repo="acme/tiny", commit="a" * 40, path="t.gguf", digest=DIGEST, size_bytes=250, block_bytes=100
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "t.gguf.part.journal"


def opened(path: Path) -> Journal:
    return Journal.open(path, disk=Disk(), name="t.gguf")


def test_bytes_are_counted_as_blocks_are_added(path: Path) -> None:
    with opened(path) as journal:
        journal.reset(HEADER)
        counts = [journal.n_bytes]
        for number in (2, 0, 1, 1):
            journal.add(number, DIGEST)
            counts.append(journal.n_bytes)
    assert counts == [0, 50, 150, 250, 250]


def test_bytes_are_counted_when_a_journal_is_read(path: Path) -> None:
    with opened(path) as journal:
        journal.reset(HEADER, {0: DIGEST})
        journal.add(2, DIGEST)
    with opened(path) as journal:
        assert (journal.n_bytes, journal.blocks) == (150, {0: DIGEST, 2: DIGEST})


def test_the_byte_count_is_reset_for_another_file(path: Path) -> None:
    with opened(path) as journal:
        journal.reset(HEADER, {0: DIGEST, 1: DIGEST})
        journal.reset(HEADER)
        assert journal.n_bytes == 0
