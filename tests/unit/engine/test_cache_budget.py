"""Size limits of the prompt cache."""

from __future__ import annotations

from pathlib import Path

from fireside.engine.cache_budget import (
    DISK_BYTES,
    MEMORY_BYTES,
    PLANNED_BYTES,
    CacheCapacity,
    cache_options,
    planned_bytes,
    probe_capacity,
)

GB = 1_000_000_000
LARGE = CacheCapacity(memory_bytes=64 * GB, disk_free_bytes=500 * GB, used_bytes=0)
FOLDER = Path("/cache")


def test_a_large_computer_has_the_default_limits() -> None:
    options = cache_options(FOLDER, capacity=LARGE, memory_bytes=None, disk_bytes=None)
    assert (options.memory_bytes, options.disk_bytes) == (MEMORY_BYTES, DISK_BYTES)
    assert options.folder == str(FOLDER)


def test_a_small_computer_has_a_quarter_of_its_memory_and_a_tenth_of_its_disk() -> None:
    small = CacheCapacity(memory_bytes=2 * GB, disk_free_bytes=30 * GB, used_bytes=0)
    options = cache_options(FOLDER, capacity=small, memory_bytes=None, disk_bytes=None)
    assert (options.memory_bytes, options.disk_bytes) == (GB // 2, 3 * GB)


def test_existing_cache_files_do_not_reduce_the_limit() -> None:
    full = CacheCapacity(memory_bytes=64 * GB, disk_free_bytes=27 * GB, used_bytes=3 * GB)
    assert cache_options(FOLDER, capacity=full, memory_bytes=None, disk_bytes=None).disk_bytes == 3 * GB


def test_limits_of_the_user_are_kept() -> None:
    options = cache_options(FOLDER, capacity=LARGE, memory_bytes=7, disk_bytes=9)
    assert (options.memory_bytes, options.disk_bytes) == (7, 9)


def test_a_level_that_is_off_has_no_limit_and_no_folder() -> None:
    options = cache_options(FOLDER, capacity=LARGE, memory_bytes=0, disk_bytes=0)
    assert (options.folder, options.memory_bytes, options.disk_bytes) == (None, 0, 0)


def test_a_missing_folder_is_measured_by_its_disk(tmp_path: Path) -> None:
    capacity = probe_capacity(tmp_path / "not" / "yet")
    assert capacity.disk_free_bytes > 0
    assert capacity.used_bytes == 0


def test_the_files_of_the_cache_are_counted(tmp_path: Path) -> None:
    (tmp_path / "state").write_bytes(b"x" * 1234)
    assert probe_capacity(tmp_path).used_bytes == 1234


def test_a_load_plan_reserves_a_part_of_a_large_limit() -> None:
    options = cache_options(FOLDER, capacity=LARGE, memory_bytes=None, disk_bytes=None)
    assert planned_bytes(options) == PLANNED_BYTES
    assert planned_bytes(cache_options(FOLDER, capacity=LARGE, memory_bytes=7, disk_bytes=9)) == 7
