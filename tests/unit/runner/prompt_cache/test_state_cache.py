"""States in memory, and queued for the disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fireside.runner.kv_memory import MemoryShape
from fireside.runner.prompt_cache.cache_key import CacheKey
from fireside.runner.prompt_cache.disk_cache import DiskCache
from fireside.runner.prompt_cache.state_cache import CacheLevel, DiskWriter, MemoryCache, StateCache
from fireside.runner.prompt_cache.state_snapshot import StateSnapshot, Suspect
from fireside.runner.tokens import Tokens

PLAIN = MemoryShape(n_swa=0, is_recurrent=False)
LATER_S = 3600.0


def plenty() -> int:
    return 1 << 40


def tokens(number: int, n_tokens: int) -> Tokens:
    return np.array([number] + [7] * (n_tokens - 1), np.int32)


def snapshot(
    number: int, n_tokens: int = 100, *, n_bytes: int = 600, owner: str | None = None
) -> StateSnapshot:
    state = np.full(n_bytes, number, np.uint8)
    return StateSnapshot(tokens=tokens(number, n_tokens), owner=owner, variant="", state=state)


@pytest.fixture
def disk(tmp_path: Path) -> DiskCache:
    return DiskCache(tmp_path, limit_bytes=1 << 20, key=CacheKey(model="m", options="o"), shape=PLAIN)


@pytest.fixture
def writer(disk: DiskCache) -> Iterator[DiskWriter]:
    """A writer that does not write before it is closed."""
    writer = DiskWriter(disk, limit_bytes=10_000, delay_s=LATER_S)
    yield writer
    assert writer.close(timeout_s=20)


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(1, 60), st.integers(0, 900)), max_size=40),
    st.integers(0, 2000),
)
def test_memory_never_holds_more_than_its_budget(puts: list[tuple[int, int, int]], limit_bytes: int) -> None:
    store = MemoryCache(limit_bytes=limit_bytes, shape=PLAIN, available_bytes=plenty)
    for number, n_tokens, n_bytes in puts:
        added = snapshot(number, n_tokens, n_bytes=n_bytes)
        store.add(added)
        assert store.n_bytes <= limit_bytes
        match = store.find(added.tokens, variant="")
        if added.n_bytes <= limit_bytes:
            assert match is not None
            assert match.match.n_usable == n_tokens


def test_least_recently_used_state_is_evicted() -> None:
    store = MemoryCache(limit_bytes=2 * snapshot(1).n_bytes, shape=PLAIN, available_bytes=plenty)
    first, second = snapshot(1), snapshot(2)
    store.add(first)
    store.add(second)
    assert store.touch(first)
    store.add(snapshot(3))
    assert not store.touch(second)
    assert store.touch(first)


def test_states_take_half_of_the_free_memory_and_give_it_back() -> None:
    size = snapshot(1).n_bytes
    free = [4 * size]
    store = MemoryCache(limit_bytes=100 * size, shape=PLAIN, available_bytes=lambda: free[0] - store.n_bytes)
    for number in range(4):
        store.add(snapshot(number))
    assert store.n_bytes == 2 * size
    free[0] = 2 * size
    store.shrink()
    assert len(store) == 1
    assert store.find(tokens(3, 100), variant="") is not None
    free[0] = 0
    store.shrink()
    assert not len(store)


def test_copy_beyond_half_of_the_free_memory_is_refused(disk: DiskCache, writer: DiskWriter) -> None:
    state_cache = StateCache(shape=PLAIN, memory_bytes=1 << 20, writer=writer, available_bytes=lambda: 1000)
    assert state_cache.accepts(tokens(1, 100), variant="", owner="a", n_bytes=500)
    assert not state_cache.accepts(tokens(1, 100), variant="", owner="a", n_bytes=501)


def test_file_that_does_not_fit_memory_is_not_read(disk: DiskCache, writer: DiskWriter) -> None:
    state_cache = StateCache(shape=PLAIN, memory_bytes=0, writer=writer, available_bytes=lambda: 100)
    writer.enqueue(snapshot(1, owner="a"))
    writer.close(timeout_s=20)
    hit = state_cache.find(tokens(1, 200), variant="")
    assert hit is not None
    assert hit.file is not None
    assert state_cache.read(hit.file) is None


def test_longer_state_replaces_the_shorter() -> None:
    store = MemoryCache(limit_bytes=1 << 20, shape=PLAIN, available_bytes=plenty)
    store.add(snapshot(1, 100))
    store.add(snapshot(1, 150))
    assert len(store) == 1


def test_branches_are_stored_side_by_side() -> None:
    store = MemoryCache(limit_bytes=1 << 20, shape=PLAIN, available_bytes=plenty)
    store.add(snapshot(1, 100))
    branch = snapshot(1, 100)
    branch.tokens[50:] = 9
    store.add(branch)
    assert len(store) == 2


def test_state_with_an_owner_is_written_to_disk(disk: DiskCache, writer: DiskWriter) -> None:
    state_cache = StateCache(shape=PLAIN, memory_bytes=0, writer=writer)
    state_cache.store(snapshot(1, owner="a"))
    assert state_cache.has(tokens(1, 100), variant="")
    state_cache.close(timeout_s=20)
    hit = state_cache.find(tokens(1, 120), variant="")
    assert hit is not None
    assert (hit.level, hit.match.n_usable) == (CacheLevel.DISK, 100)


def test_state_without_an_owner_stays_in_memory(disk: DiskCache, writer: DiskWriter) -> None:
    state_cache = StateCache(shape=PLAIN, memory_bytes=1 << 20, writer=writer)
    state_cache.store(snapshot(1))
    state_cache.close(timeout_s=20)
    assert disk.find(tokens(1, 120), variant="") is None
    assert state_cache.has(tokens(1, 100), variant="")


def test_memory_comes_before_the_disk(disk: DiskCache, writer: DiskWriter) -> None:
    state_cache = StateCache(shape=PLAIN, memory_bytes=1 << 20, writer=writer)
    state_cache.store(snapshot(1, owner="a"))
    state_cache.close(timeout_s=20)
    hit = state_cache.find(tokens(1, 120), variant="")
    assert hit is not None
    assert hit.level is CacheLevel.MEMORY


def test_rejected_state_is_not_found_again(disk: DiskCache, writer: DiskWriter) -> None:
    state_cache = StateCache(shape=PLAIN, memory_bytes=1 << 20, writer=writer)
    bad = snapshot(1, owner="a")
    state_cache.store(bad)
    state_cache.close(timeout_s=20)
    state_cache.discard(bad)
    hit = state_cache.find(tokens(1, 120), variant="")
    assert hit is None or hit.match.n_usable == 0


def test_queued_state_is_replaced_by_a_longer_one(disk: DiskCache, writer: DiskWriter) -> None:
    writer.enqueue(snapshot(1, 100, owner="a"))
    writer.enqueue(snapshot(1, 150, owner="a"))
    writer.close(timeout_s=20)
    match = disk.find(tokens(1, 200), variant="")
    assert match is not None
    assert match.match.n_usable == 150


def test_write_queue_stays_within_its_limit(writer: DiskWriter) -> None:
    for number in range(5):
        writer.enqueue(snapshot(number, owner=str(number), n_bytes=4000))
    assert not writer.has(tokens(0, 100), variant="", n_missing=0)
    assert writer.has(tokens(4, 100), variant="", n_missing=0)


def test_failed_write_does_not_block_others(
    disk: DiskCache, writer: DiskWriter, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write = disk.write

    def breaks_once(snapshot: StateSnapshot, *, should_continue: Callable[[], bool]) -> bool:
        if snapshot.owner == "a":
            raise ValueError("not foreseen")
        return write(snapshot, should_continue=should_continue)

    monkeypatch.setattr(disk, "write", breaks_once)
    writer.enqueue(snapshot(1, owner="a"))
    writer.enqueue(snapshot(2, owner="b"))
    assert writer.close(timeout_s=20)
    assert disk.find(tokens(2, 100), variant="") is not None
    assert "not foreseen" in capsys.readouterr().err


def test_state_is_written_when_it_is_due(disk: DiskCache) -> None:
    writer = DiskWriter(disk, limit_bytes=10_000, delay_s=0.0)
    writer.enqueue(snapshot(1, owner="a"))
    while writer.has(tokens(1, 100), variant="", n_missing=0):
        pass
    assert disk.find(tokens(1, 100), variant="") is not None
    assert writer.close(timeout_s=20)


def test_closed_writer_accepts_nothing(writer: DiskWriter) -> None:
    writer.close(timeout_s=20)
    writer.enqueue(snapshot(1, owner="a"))
    assert not writer.has(tokens(1, 100), variant="", n_missing=0)


def test_state_dropped_while_it_is_written_is_deleted(
    disk: DiskCache, writer: DiskWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = disk.write

    def turns_out_bad(state: StateSnapshot, *, should_continue: Callable[[], bool]) -> bool:
        is_written = write(state, should_continue=should_continue)
        writer.drop(Suspect(cached=tokens(1, 0), owner="a", variant=""))
        return is_written

    monkeypatch.setattr(disk, "write", turns_out_bad)
    writer.enqueue(snapshot(1, owner="a"))
    assert writer.close(timeout_s=20)
    assert disk.find(tokens(1, 100), variant="") is None
