"""Only usable physical cores of the fastest kind are counted."""

from __future__ import annotations

import os
import struct
import sys
from pathlib import Path

import pytest

from fireside.engine.host_info import _n_on_linux, efficiency_classes, n_fast_cores


def computer(root: Path, cores: dict[int, tuple[int, int]], *, fast: str = "") -> Path:
    """Write what Linux tells of logical processors: core and capacity by number."""
    for cpu, (core, capacity) in cores.items():
        folder = root / f"system/cpu/cpu{cpu}/topology"
        folder.mkdir(parents=True)
        (folder / "core_id").write_text(f"{core}\n", "ascii")
        (folder / "physical_package_id").write_text("0\n", "ascii")
        if capacity:
            (folder.parent / "cpu_capacity").write_text(f"{capacity}\n", "ascii")
    if fast:
        (root / "cpu_core").mkdir()
        (root / "cpu_core/cpus").write_text(fast + "\n", "ascii")
    return root


PLAIN = {cpu: (cpu // 2, 0) for cpu in range(8)}
HYBRID = {cpu: (cpu // 2, 0) for cpu in range(8)} | {cpu: (cpu, 0) for cpu in range(8, 16)}
PHONE = {cpu: (cpu, 300) for cpu in range(4)} | {cpu: (cpu, 870) for cpu in range(4, 7)} | {7: (7, 1024)}


@pytest.mark.parametrize(
    ("cores", "fast", "allowed", "n_fast"),
    [
        pytest.param(PLAIN, "", set(range(8)), 4, id="two threads a core"),
        pytest.param(PLAIN, "", {0, 1, 2}, 2, id="some are forbidden"),
        pytest.param(HYBRID, "0-7", set(range(16)), 4, id="four fast and eight slow cores"),
        pytest.param(HYBRID, "0-7", {8, 9, 10}, 3, id="only slow ones are allowed"),
        pytest.param(PHONE, "", set(range(8)), 4, id="four slow, three fast and one very fast core"),
    ],
)
def test_fast_cores_are_counted(
    tmp_path: Path, cores: dict[int, tuple[int, int]], fast: str, allowed: set[int], n_fast: int
) -> None:
    assert _n_on_linux(computer(tmp_path, cores, fast=fast), allowed) == n_fast


def test_without_kernel_data_physical_cores_are_counted(tmp_path: Path) -> None:
    assert 1 <= n_fast_cores(tmp_path) <= (os.cpu_count() or 1)


def test_this_computer_has_cores() -> None:
    if sys.platform != "linux":
        pytest.skip("reads what Linux says")
    assert 1 <= n_fast_cores() <= len(os.sched_getaffinity(0))


def test_windows_efficiency_classes_are_read() -> None:
    def core(efficiency: int) -> bytes:
        return struct.pack("<IIBB", 0, 48, 1, efficiency).ljust(48, b"\0")

    cache = struct.pack("<II", 2, 32).ljust(32, b"\0")
    assert list(efficiency_classes(core(1) + core(1) + cache + core(0))) == [1, 1, 0]
