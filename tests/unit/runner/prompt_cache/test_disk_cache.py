"""State files are found, used only when they match, and stay within the budget."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fireside.runner.kv_memory import MemoryShape
from fireside.runner.prompt_cache.cache_key import CacheKey
from fireside.runner.prompt_cache.disk_cache import DiskCache
from fireside.runner.prompt_cache.state_snapshot import StateSnapshot
from fireside.wire.cache_files import SavedStatePurge, delete_owner_states, is_owner_deleted, parse_name

KEY = CacheKey(model="m", options="o")
PLAIN = MemoryShape(n_swa=0, is_recurrent=False)
LIMIT = 1 << 20


def store(folder: Path, *, limit_bytes: int = LIMIT, key: CacheKey = KEY) -> DiskCache:
    return DiskCache(folder, limit_bytes=limit_bytes, key=key, shape=PLAIN)


def snapshot(
    tokens: list[int], *, owner: str | None = "a", n_bytes: int = 1000, variant: str = ""
) -> StateSnapshot:
    state = np.random.default_rng(len(tokens)).integers(0, 256, n_bytes, np.uint8)
    return StateSnapshot(tokens=np.array(tokens, np.int32), owner=owner, variant=variant, state=state)


def chat(number: int, n_tokens: int = 50) -> list[int]:
    return [number] + [7] * (n_tokens - 1)


def find(disk: DiskCache, tokens: list[int], *, variant: str = "") -> StateSnapshot | None:
    match = disk.find(np.array(tokens, np.int32), variant=variant)
    return None if match is None or not match.match.n_usable else disk.read(match.file)


def takes(disk: DiskCache, tokens: list[int]) -> bool:
    return disk.accepts(np.array(tokens, np.int32), variant="", owner="a", n_bytes=1500)


def test_file_is_found_by_another_runner(tmp_path: Path) -> None:
    stored = snapshot(chat(1))
    assert store(tmp_path / "states").write(stored)
    match = find(store(tmp_path / "states"), [*chat(1), 8, 8])
    assert match is not None
    assert match.state.tobytes() == stored.state.tobytes()


def test_file_with_the_longest_prefix_is_found(tmp_path: Path) -> None:
    disk = store(tmp_path)
    disk.write(snapshot([1, 2, 3, 4, 5, 6], owner="a"))
    disk.write(snapshot([1, 2, 3, 9, 9, 9], owner="b"))
    match = disk.find(np.array([1, 2, 3, 9, 9, 9, 9], np.int32), variant="")
    assert match is not None
    assert match.match.n_usable == 6


@pytest.mark.parametrize("key", [CacheKey(model="other", options="o"), CacheKey(model="m", options="other")])
def test_state_of_another_key_is_not_found(tmp_path: Path, key: CacheKey) -> None:
    store(tmp_path, key=key).write(snapshot(chat(1)))
    assert find(store(tmp_path), chat(1)) is None


def test_file_renamed_to_another_key_is_rejected(tmp_path: Path) -> None:
    other = CacheKey(model="other", options="o")
    store(tmp_path, key=other).write(snapshot(chat(1)))
    (path,) = tmp_path.iterdir()
    path.rename(tmp_path / path.name.replace(other.model_part, KEY.model_part))
    assert find(store(tmp_path), chat(1)) is None
    assert list(tmp_path.iterdir()) == []


def test_state_of_other_adapter_scales_is_not_found(tmp_path: Path) -> None:
    disk = store(tmp_path)
    disk.write(snapshot(chat(1), variant="0.5"))
    assert find(disk, chat(1)) is None
    assert find(disk, chat(1), variant="0.5") is not None


def test_damaged_file_is_deleted_and_reported_once(tmp_path: Path) -> None:
    disk = store(tmp_path)
    disk.write(snapshot(chat(1)))
    (path,) = tmp_path.iterdir()
    content = bytearray(path.read_bytes())
    content[-100] ^= 4
    path.write_bytes(content)
    assert find(disk, chat(1)) is None
    assert list(tmp_path.iterdir()) == []
    assert disk.pop_damaged("a")
    assert not disk.pop_damaged("a")
    assert not disk.pop_damaged("b")


def test_longer_state_of_a_conversation_replaces_the_shorter(tmp_path: Path) -> None:
    disk = store(tmp_path)
    disk.write(snapshot(chat(1, 50)))
    disk.write(snapshot(chat(1, 80)))
    assert len(list(tmp_path.iterdir())) == 1
    match = find(disk, chat(1, 100))
    assert match is not None
    assert len(match.tokens) == 80


def test_files_of_other_options_are_deleted_when_the_conversation_is_written(
    tmp_path: Path,
) -> None:
    store(tmp_path, key=CacheKey(model="m", options="old")).write(snapshot(chat(1)))
    store(tmp_path, key=CacheKey(model="other", options="o")).write(snapshot(chat(1)))
    disk = store(tmp_path)
    assert disk.unusable_files_of("a") == (True, True)
    disk.write(snapshot(chat(1)))
    assert disk.unusable_files_of("a") == (False, True)


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(100, 4000), st.booleans()), max_size=25),
    st.integers(3000, 9000),
)
def test_the_budget_is_never_exceeded(
    tmp_path_factory: pytest.TempPathFactory, writes: list[tuple[int, int, bool]], limit_bytes: int
) -> None:
    folder = tmp_path_factory.mktemp("states")
    disk = store(folder, limit_bytes=limit_bytes)
    for number, n_bytes, other_model in writes:
        used = (
            store(folder, limit_bytes=limit_bytes, key=CacheKey(model="x", options=""))
            if other_model
            else disk
        )
        used.write(snapshot(chat(number), owner=str(number), n_bytes=n_bytes))
        assert sum(path.stat().st_size for path in folder.iterdir()) <= limit_bytes


def test_eviction_comes_before_the_write(tmp_path: Path) -> None:
    disk = store(tmp_path, limit_bytes=5000)
    for number in (1, 2, 3):
        disk.write(snapshot(chat(number), owner=str(number)))
    totals: list[int] = []

    def should_continue() -> bool:
        totals.append(sum(path.stat().st_size for path in tmp_path.iterdir()))
        return True

    disk.write(snapshot(chat(4), owner="4", n_bytes=3000))
    disk.write(snapshot(chat(5), owner="5", n_bytes=3000), should_continue=should_continue)
    assert max(totals) <= 5000


def test_least_recently_used_file_is_evicted(tmp_path: Path) -> None:
    disk = store(tmp_path, limit_bytes=5000)
    for number in (1, 2, 3):
        disk.write(snapshot(chat(number), owner=str(number)))
        (path,) = [file for file in tmp_path.iterdir() if file.stat().st_mtime > 1000]
        os.utime(path, (number, number))
    assert find(disk, chat(1)) is not None  # used now
    disk.write(snapshot(chat(4), owner="4"))
    assert find(disk, chat(2)) is None
    assert find(disk, chat(1)) is not None


def test_state_above_the_budget_is_not_written(tmp_path: Path) -> None:
    disk = store(tmp_path, limit_bytes=500)
    assert not disk.write(snapshot(chat(1)))
    assert list(tmp_path.iterdir()) == []


def test_disk_reserve_is_left_free(tmp_path: Path) -> None:
    free = [1 << 40]
    disk = DiskCache(tmp_path, limit_bytes=LIMIT, key=KEY, shape=PLAIN, free_bytes=lambda _: free[0])
    assert disk.write(snapshot(chat(1)))
    free[0] = 0
    assert not takes(disk, chat(2))
    assert not disk.write(snapshot(chat(2)))
    free[0] = 1 << 40
    assert takes(disk, chat(2))


def test_state_that_could_not_be_written_is_refused_until_there_is_more_space(tmp_path: Path) -> None:
    free = [1 << 29]
    folder = tmp_path / "states"
    folder.write_bytes(b"in the way")
    disk = DiskCache(folder, limit_bytes=LIMIT, key=KEY, shape=PLAIN, free_bytes=lambda _: free[0] + 5000)
    assert takes(disk, chat(1))
    assert not disk.write(snapshot(chat(1)))
    assert not takes(disk, chat(1))
    assert takes(disk, chat(2))
    free[0] += 2000
    assert takes(disk, chat(1))


def test_file_is_known_as_soon_as_it_is_written(tmp_path: Path) -> None:
    disk = store(tmp_path)
    disk.write(snapshot(chat(1)))
    assert disk.has(np.array(chat(1), np.int32), variant="", n_missing=0)


def test_aborted_write_leaves_no_file(tmp_path: Path) -> None:
    calls: list[bool] = []

    def should_continue() -> bool:
        calls.append(True)
        return len(calls) < 2

    assert not store(tmp_path).write(snapshot(chat(1)), should_continue=should_continue)
    assert list(tmp_path.iterdir()) == []


def test_stale_temporary_file_is_deleted(tmp_path: Path) -> None:
    left, active = tmp_path / "x-1.tmp", tmp_path / "y-2.tmp"
    left.write_bytes(b"half")
    active.write_bytes(b"half")
    os.utime(left, (1, 1))
    store(tmp_path).write(snapshot(chat(1)))
    assert not left.exists()
    assert active.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="rights are inherited from the profile there")
def test_temporary_file_of_an_exited_runner_is_deleted_at_once(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    disk = store(tmp_path)
    disk.write(snapshot(chat(1)))
    (remaining,) = tmp_path.iterdir()
    left, others = (tmp_path / f"{remaining.name}.{pid}.tmp" for pid in (ended.pid, os.getppid()))
    left.write_bytes(b"half")
    others.write_bytes(b"half")
    disk.write(snapshot(chat(2), owner="b"))
    assert (left.exists(), others.exists()) == (False, True)


def test_files_are_private(tmp_path: Path) -> None:
    store(tmp_path / "states").write(snapshot(chat(1)))
    (path,) = (tmp_path / "states").iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_without_an_owner_nothing_is_written(tmp_path: Path) -> None:
    assert not store(tmp_path).write(snapshot(chat(1), owner=None))
    assert list(tmp_path.iterdir()) == []


def test_deleted_conversation_is_not_written_again(tmp_path: Path) -> None:
    disk = store(tmp_path)
    disk.write(snapshot(chat(1), owner="a"))
    disk.write(snapshot(chat(2), owner="b"))
    assert delete_owner_states(tmp_path, "a") == 1
    assert find(disk, chat(1)) is None
    assert not disk.write(snapshot(chat(1), owner="a"))
    assert find(disk, chat(2)) is not None
    assert is_owner_deleted(tmp_path, "a")
    assert not is_owner_deleted(tmp_path, "b")


def test_deleting_states_without_a_folder_is_no_error(tmp_path: Path) -> None:
    assert delete_owner_states(tmp_path / "none", "a") == 0
    assert not (tmp_path / "none").exists()


def test_file_deleted_by_another_process_is_no_error(tmp_path: Path) -> None:
    disk = store(tmp_path)
    disk.write(snapshot(chat(1)))
    match = disk.find(np.array(chat(1), np.int32), variant="")
    assert match is not None
    next(tmp_path.iterdir()).unlink()
    assert disk.read(match.file) is None
    assert not disk.pop_damaged("a")


def test_folder_that_cannot_be_created_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    disk = store(tmp_path / "file" / "states")
    assert not disk.write(snapshot(chat(1)))
    assert find(disk, chat(1)) is None


def test_two_runners_may_write_at_the_same_time(tmp_path: Path) -> None:
    def write(number: int) -> None:
        for n_tokens in (40, 60, 90):
            store(tmp_path).write(snapshot(chat(number, n_tokens), owner=str(number)))

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(parse_name(path.name) is not None for path in tmp_path.iterdir())
    for number in range(4):
        match = find(store(tmp_path), chat(number, 90))
        assert match is not None
        assert len(match.tokens) == 90


SECRET = bytes(range(32))


def sealed(folder: Path, secret: bytes = SECRET) -> DiskCache:
    return DiskCache(folder, limit_bytes=LIMIT, key=KEY, shape=PLAIN, secret=secret)


def test_an_encrypted_state_comes_back_with_its_secret_alone_and_shows_nothing(tmp_path: Path) -> None:
    stored = snapshot(chat(1))
    assert sealed(tmp_path).write(stored)
    (file,) = tmp_path.glob("*.state")
    content = file.read_bytes()
    assert b"FIRESIDE" not in content
    assert stored.tokens.tobytes()[:40] not in content
    match = find(sealed(tmp_path), chat(1))
    assert match is not None
    assert match.state.tobytes() == stored.state.tobytes()
    assert find(sealed(tmp_path, bytes(32)), chat(1)) is None
    assert not file.exists()


def test_plain_and_encrypted_names_tell_nothing_about_each_other(tmp_path: Path) -> None:
    stored = snapshot(chat(1))
    assert sealed(tmp_path / "a").write(stored)
    assert store(tmp_path / "b").write(stored)
    names = [next((tmp_path / folder).glob("*.state")).name for folder in "ab"]
    assert parse_name(names[0]) is not None
    assert names[0].rpartition("-")[2] != names[1].rpartition("-")[2]


def test_a_plain_state_is_not_used_under_a_passphrase(tmp_path: Path) -> None:
    assert store(tmp_path).write(snapshot(chat(1)))
    assert find(sealed(tmp_path), chat(1)) is None
    assert not list(tmp_path.glob("*.state"))


def test_a_runner_that_does_not_know_of_the_passphrase_writes_nothing(tmp_path: Path) -> None:
    SavedStatePurge(tmp_path).mark(is_encrypted=True)
    assert not store(tmp_path).write(snapshot(chat(1)))
    assert sealed(tmp_path).write(snapshot(chat(2)))
    SavedStatePurge(tmp_path).mark(is_encrypted=False)
    assert store(tmp_path).write(snapshot(chat(1)))
