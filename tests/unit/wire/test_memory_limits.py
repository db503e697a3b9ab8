"""A cgroup may limit a process to less than the computer's memory."""

from __future__ import annotations

from pathlib import Path

import psutil
import pytest

from fireside.wire.memory_limits import oom_kill_count, read_memory

MIB = 1 << 20


@pytest.fixture(autouse=True)
def _computer(monkeypatch: pytest.MonkeyPatch) -> None:
    real = psutil.virtual_memory()
    monkeypatch.setattr(
        psutil, "virtual_memory", lambda: real._replace(total=8000 * MIB, available=6000 * MIB)
    )


def write(root: Path, path: str, text: str) -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def measured(root: Path) -> tuple[int, int]:
    memory = read_memory(root)
    return memory.total_bytes // MIB, memory.available_bytes // MIB


def test_memory_without_cgroups_is_the_computer_s(tmp_path: Path) -> None:
    assert measured(tmp_path) == (8000, 6000)


def test_cgroup_without_a_limit_changes_nothing(tmp_path: Path) -> None:
    write(tmp_path, "proc/self/cgroup", "0::/user.slice\n")
    write(tmp_path, "sys/fs/cgroup/user.slice/memory.max", "max\n")
    write(tmp_path, "sys/fs/cgroup/user.slice/memory.current", f"{100 * MIB}\n")
    assert measured(tmp_path) == (8000, 6000)


def test_cgroup_limit_applies_and_file_cache_counts_as_free(tmp_path: Path) -> None:
    write(tmp_path, "proc/self/cgroup", "0::/app\n")
    write(tmp_path, "sys/fs/cgroup/app/memory.max", f"{1000 * MIB}\n")
    write(tmp_path, "sys/fs/cgroup/app/memory.current", f"{700 * MIB}\n")
    write(
        tmp_path,
        "sys/fs/cgroup/app/memory.stat",
        f"anon {500 * MIB}\ninactive_file {150 * MIB}\nactive_file {50 * MIB}\n",
    )
    assert measured(tmp_path) == (1000, 500)


def test_tightest_parent_cgroup_applies(tmp_path: Path) -> None:
    write(tmp_path, "proc/self/cgroup", "0::/outer/inner\n")
    for group, limit in (("outer", 600), ("outer/inner", 900)):
        write(tmp_path, f"sys/fs/cgroup/{group}/memory.max", f"{limit * MIB}\n")
        write(tmp_path, f"sys/fs/cgroup/{group}/memory.current", f"{100 * MIB}\n")
    assert measured(tmp_path) == (600, 500)


@pytest.mark.parametrize("group", ["docker/abc", ""])
def test_cgroup_v1_is_read_within_a_container(tmp_path: Path, group: str) -> None:
    write(tmp_path, "proc/self/cgroup", "5:cpu:/docker/abc\n4:memory:/docker/abc\n0::/\n")
    folder = f"sys/fs/cgroup/memory/{group}"
    write(tmp_path, f"{folder}/memory.limit_in_bytes", f"{400 * MIB}\n")
    write(tmp_path, f"{folder}/memory.usage_in_bytes", f"{150 * MIB}\n")
    write(tmp_path, f"{folder}/memory.stat", f"inactive_file 7\ntotal_inactive_file {50 * MIB}\n")
    assert measured(tmp_path) == (400, 300)


def test_cgroup_over_its_limit_has_zero_available(tmp_path: Path) -> None:
    write(tmp_path, "proc/self/cgroup", "0::/app\n")
    write(tmp_path, "sys/fs/cgroup/app/memory.max", f"{100 * MIB}\n")
    write(tmp_path, "sys/fs/cgroup/app/memory.current", f"{120 * MIB}\n")
    assert measured(tmp_path) == (100, 0)


def test_unreadable_values_are_no_limit(tmp_path: Path) -> None:
    write(tmp_path, "proc/self/cgroup", "nonsense\n:::\n0::/app\n")
    write(tmp_path, "sys/fs/cgroup/app/memory.max", "lots\n")
    write(tmp_path, "sys/fs/cgroup/app/memory.current", "1\n")
    write(tmp_path, "sys/fs/cgroup/app/memory.stat", "inactive_file\n")
    assert measured(tmp_path) == (8000, 6000)


def test_oom_kills_are_counted_where_the_system_reports_them(tmp_path: Path) -> None:
    assert oom_kill_count(tmp_path) is None
    write(tmp_path, "proc/vmstat", "nr_free_pages 12\noom_kill 3\nallocstall_dma 0\n")
    assert oom_kill_count(tmp_path) == 3
