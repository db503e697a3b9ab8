"""What the windows of other programs, which the bench starts, are made of."""

from __future__ import annotations

import io
import shutil
import time
from pathlib import Path

import pytest

from provision import bench_peers
from provision.console import Console, Task
from provision.layout import Layout, find_layout, site_packages_of
from provision.lock_files import read_pins


@pytest.mark.parametrize("name", bench_peers.WINDOWS)
def test_each_window_has_its_lock_with_the_program_and_without_a_llama_of_its_own(name: str) -> None:
    pins = read_pins(bench_peers.window_lock(find_layout(), name).read_text(encoding="utf-8"))
    names = {pin.name for pin in pins}
    assert {name, "pyside6-essentials"} <= names
    assert "llama-cpp-python" not in names


def test_each_window_gets_an_environment_of_its_own_with_our_llama(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    layout = Layout(root=tmp_path / "checkout", cache=tmp_path / "cache")
    shutil.copytree(find_layout().root / "tests/tools/bench/peers", layout.root / "tests/tools/bench/peers")
    (layout.site_packages / "llama_cpp").mkdir(parents=True)
    (layout.site_packages / "llama_cpp" / "llama.py").write_text("ours")
    task = Task(title="Windows", console=Console(stream=io.StringIO()), clock=time.monotonic)
    created: list[Path] = []
    monkeypatch.setattr(bench_peers, "make_environment", lambda venv, **_: created.append(venv))
    monkeypatch.setattr(bench_peers, "install_locked", lambda **_: None)
    bench_peers.fetch_windows(layout, task=task, log=tmp_path / "log")
    assert created == [bench_peers.folder(layout) / name for name in bench_peers.WINDOWS]
    for venv in created:
        assert (site_packages_of(venv) / "llama_cpp" / "llama.py").read_text() == "ours"
