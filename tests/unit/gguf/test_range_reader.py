"""Headers that are read by byte ranges."""

from __future__ import annotations

import io
import random
from itertools import pairwise

import pytest

from fakes import gguf_files as files
from fakes.gguf_files import ArrayOf, GgufFile, Tensor, model_file
from fireside.core.errors import HubOffline, ModelFileInvalid
from fireside.gguf import GgufHeader, read_header_by_ranges, read_header_from
from fireside.gguf.range_reader import FIRST_STEP_BYTES, LARGEST_STEP_BYTES, MAX_REQUESTED_BYTES


class Remote:
    """Content that is asked for by ranges, and what was asked."""

    def __init__(self, content: bytes, *, size_bytes: int | None = None) -> None:
        self._content = content
        self.size_bytes = len(content) if size_bytes is None else size_bytes
        self.asked: list[tuple[int, int]] = []

    def __call__(self, offset: int, n: int) -> bytes:
        assert n > 0
        assert offset + n <= self.size_bytes
        self.asked.append((offset, n))
        return self._content[offset : offset + n]

    def header(self) -> GgufHeader:
        return read_header_by_ranges(self, size_bytes=self.size_bytes, path="m.gguf")


def large_vocabulary(n_bytes: int) -> GgufFile:
    """A header of more than ``n_bytes``: entries of a list, of every length, and something after them."""
    chance = random.Random(3)
    entries = ["x" * chance.randint(0, 400) for _ in range(n_bytes // 200)]
    return GgufFile(
        metadata=[("tokens", ArrayOf(files.STRING, entries)), ("after", 7)],
        tensors=[Tensor("t", (1024, 1024))],
    )


def directly(content: bytes) -> GgufHeader:
    return read_header_from(io.BytesIO(content), size_bytes=len(content), path="m.gguf")


def test_a_small_header_takes_one_request() -> None:
    content = GgufFile(metadata=[("one", 1)], tensors=[Tensor("t", (FIRST_STEP_BYTES,))]).to_bytes()
    remote = Remote(content)
    assert remote.header() == directly(content)
    assert remote.asked == [(0, FIRST_STEP_BYTES)]


def test_a_large_header_is_read_in_doubling_steps_without_overlap() -> None:
    content = large_vocabulary(12_000_000).to_bytes()
    remote = Remote(content)
    assert remote.header() == directly(content)
    steps = [n for _, n in remote.asked]
    assert steps[:5] == [FIRST_STEP_BYTES << number for number in range(5)]
    assert max(steps) == LARGEST_STEP_BYTES
    assert all(begin + n <= following for (begin, n), (following, _) in pairwise(remote.asked))


@pytest.mark.parametrize("n_bytes", [100_000, 700_000, 3_000_000, 9_000_000])
def test_at_most_one_step_beyond_the_header_is_requested(n_bytes: int) -> None:
    file = large_vocabulary(n_bytes)
    remote = Remote(file.to_bytes())
    remote.header()
    end, last_step = sum(remote.asked[-1]), remote.asked[-1][1]
    assert end - len(file.header_bytes()) <= last_step


def test_long_arrays_of_numbers_are_not_requested() -> None:
    numbers = ArrayOf(files.F32, [0.5] * 1_500_000)
    content = GgufFile(metadata=[("scores", numbers), ("after", 7)], tensors=[Tensor("t")]).to_bytes()
    remote = Remote(content)
    assert remote.header() == directly(content)
    assert sum(n for _, n in remote.asked) < 1_000_000


def test_every_truncation_of_a_header_is_refused_with_a_reason() -> None:
    file = model_file()
    content = file.to_bytes()
    for length in (*range(len(file.header_bytes())), len(content) - 1000):
        with pytest.raises(ModelFileInvalid):
            Remote(content[:length]).header()


@pytest.mark.parametrize("length", [1, 262_143, 262_144, 262_145, 600_000, 786_432, 1_500_000])
def test_a_short_response_is_refused(length: int) -> None:
    content = large_vocabulary(2_000_000).to_bytes()
    with pytest.raises(ModelFileInvalid):
        Remote(content[:length], size_bytes=len(content)).header()


def test_an_endless_header_is_refused() -> None:
    n_asked = 0
    entry = files.string_bytes("x" * 99_992)
    head = GgufFile(metadata=[("tokens", ArrayOf(files.STRING, []))]).header_bytes()
    head = head[:-8] + (2**20).to_bytes(8, "little")

    def read(offset: int, n: int) -> bytes:
        nonlocal n_asked
        n_asked += n
        begin = (offset - len(head)) % len(entry)
        endless = (entry * (n // len(entry) + 2))[begin : begin + n]
        return (head + entry * (n // len(entry) + 1))[:n] if offset == 0 else endless

    with pytest.raises(ModelFileInvalid, match="larger than that of any model"):
        read_header_by_ranges(read, size_bytes=2**40, path="m.gguf")
    assert LARGEST_STEP_BYTES < n_asked <= MAX_REQUESTED_BYTES


def test_errors_of_the_source_are_raised() -> None:
    def read(offset: int, n: int) -> bytes:
        raise HubOffline()

    with pytest.raises(HubOffline):
        read_header_by_ranges(read, size_bytes=1000, path="m.gguf")
