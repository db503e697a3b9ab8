"""The relocatable tree as a user has it: moved, read-only, used by another user. `make test-installers`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.native_libraries import NativeLibraries
from provision.layout import find_layout
from release.debian import dependencies
from release.notices import NOTICES, SBOM
from release.tree import system_libraries

INSTALLERS = os.environ.get("FIRESIDE_INSTALLERS", "")
GREEDY = ("--set", "sampling.temperature=0")
ANOTHER_USER = "nobody"
IS_ROOT = sys.platform != "win32" and os.geteuid() == 0
pytestmark = [
    pytest.mark.skipif(not INSTALLERS, reason="needs built installers: make test-installers"),
    pytest.mark.timeout(300),
]


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that the other user can reach. Pytest closes its own to others whenever one starts."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


@pytest.fixture
def moved(place: Path) -> Iterator[Path]:
    """A copy of the tree in a folder with spaces and an umlaut, which may not be written to."""
    tree = place / "ein Ordner mit ü" / "fireside"
    shutil.copytree(Path(INSTALLERS) / "fireside", tree, symlinks=True)
    _set_writable(tree, allowed=False)
    yield tree
    _set_writable(tree, allowed=True)


@pytest.fixture
def home(place: Path) -> Path:
    """A home folder, which belongs to another user where this one may arrange that."""
    folder = place / "home"
    folder.mkdir(mode=0o700)
    if IS_ROOT:
        shutil.chown(folder, ANOTHER_USER)
    return folder


def run(tree: Path, *arguments: str, home: Path) -> subprocess.CompletedProcess[str]:
    """Start the installed program with nothing of ours around it."""
    return subprocess.run(
        [tree / "bin" / "fireside", *arguments],
        env={"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
        user=ANOTHER_USER if IS_ROOT else None,
        cwd=home,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def test_the_starter_model_answers_where_nothing_may_be_written(moved: Path, home: Path) -> None:
    before = _state(moved)
    done = run(moved, "run", *GREEDY, "Name the capital of France.", home=home)
    assert done.returncode == 0, done.stderr
    assert "Paris" in done.stdout
    assert run(moved, "doctor", home=home).returncode == 0
    assert _state(moved) == before


def test_a_python_of_the_users_own_changes_nothing(moved: Path, home: Path) -> None:
    for version in (moved / "lib").glob("python3*"):
        packages = home / ".local" / "lib" / version.name / "site-packages" / "numpy"
        packages.mkdir(parents=True)
        (packages / "__init__.py").write_text("raise RuntimeError('not ours')\n")
    done = run(moved, "run", "Say hello.", home=home)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_a_day_of_use_asks_nothing_of_the_network(moved: Path, place: Path) -> None:
    """The same day, under the same watch, as ``tests/ui/test_nothing_leaves.py`` has from source."""
    before = _state(moved)
    record, beside, home = place / "network", place / "beside", place / "day"
    beside.mkdir()
    home.mkdir()
    # The tree has no QtTest, whose keys the day is typed with.
    qt = find_layout().site_packages / "PySide6"
    for file in (qt / "QtTest.abi3.so", qt / "Qt/lib/libQt6Test.so.6"):
        shutil.copyfile(file, beside / file.name)
    (beside / "sitecustomize.py").write_text(
        "import PySide6\n" + f"PySide6.__path__.append({str(beside)!r})\n"
    )
    tests = Path(__file__).resolve().parents[1]
    done = subprocess.run(
        [
            next((moved / "bin").glob("python3*")),
            "-P",
            "-s",
            "-B",
            "-m",
            "fakes.day_of_use",
            home,
            "ordinary",
        ],
        env={
            "HOME": str(home),
            "PATH": "/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "QT_QPA_PLATFORM": "offscreen",
            "PYTHONPATH": f"{beside}{os.pathsep}{tests}",
            "LD_LIBRARY_PATH": str(beside),
            "LD_PRELOAD": NativeLibraries(compiler="cc", folder=place).make("no_network", "-ldl"),
            "LC_WATCH_NETWORK": str(record),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert not record.exists(), record.read_text()
    assert (home / "data/fireside.db").is_file()
    assert _state(moved) == before


def test_every_module_has_its_byte_code() -> None:
    tree = Path(INSTALLERS) / "fireside"
    sources = {path for path in tree.rglob("*.py") if path.parent.name != "__pycache__"}
    compiled = {path.parents[1] / f"{path.name.split('.')[0]}.py" for path in tree.rglob("*.pyc")}
    assert sources - compiled == set()


def test_nothing_is_needed_but_what_a_package_of_debian_brings() -> None:
    # It fails for any other.
    assert "libc6" in dependencies(system_libraries(Path(INSTALLERS) / "fireside"))


def test_every_work_in_it_is_listed_with_its_licence() -> None:
    tree = Path(INSTALLERS) / "fireside"
    listed = json.loads((tree / SBOM).read_text(encoding="utf-8"))["components"]
    assert {"cpython", "llama.cpp", "pyside6-essentials", "libgomp.so.1", "numpy"} <= {
        part["name"] for part in listed
    }
    assert all(part["licenses"] for part in listed)
    told = (tree / NOTICES).read_text(encoding="utf-8")
    assert all(part["name"] in told for part in listed)


def _state(tree: Path) -> dict[Path, tuple[int, int]]:
    return {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in tree.rglob("*")}


def _set_writable(tree: Path, *, allowed: bool) -> None:
    for path in (tree, *tree.rglob("*")):
        if not path.is_symlink():
            mode = path.stat().st_mode
            path.chmod(mode | 0o200 if allowed else mode & ~0o222)
