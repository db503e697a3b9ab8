"""The relocatable tree as a user has it: moved, read-only, used by another user. `make test-installers`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from provision.system_needs import qt_library_needs
from release.tree import system_libraries

INSTALLERS = os.environ.get("FIRESIDE_INSTALLERS", "")
ANOTHER_USER = "nobody"
IS_ROOT = sys.platform != "win32" and os.geteuid() == 0
ON_EVERY_SYSTEM = frozenset(
    {
        # glibc and the compiler's own
        "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "libc.so.6", "libm.so.6", "libdl.so.2",
        "libpthread.so.0", "libresolv.so.2", "libutil.so.1", "libgcc_s.so.1", "libstdc++.so.6",
        "libcrypt.so.1",
        # Python's modules
        "libbz2.so.1.0", "libcrypto.so.3", "libssl.so.3", "libexpat.so.1", "libffi.so.8", "liblzma.so.5",
        "libreadline.so.8", "libuuid.so.1",
        # what a desktop with Wayland has, for Qt's plugin
        "libwayland-client.so.0", "libwayland-cursor.so.0", "libwayland-egl.so.1",
        # beside its decoder, which set-up knows
        "libbrotlicommon.so.1",
    }
)  # fmt: skip
OF_GTK_DESKTOPS = frozenset(
    {
        # Qt's plugin for the look of GTK is not loaded elsewhere
        "libatk-1.0.so.0", "libcairo-gobject.so.2", "libcairo.so.2", "libgdk-3.so.0",
        "libgdk_pixbuf-2.0.so.0", "libgio-2.0.so.0", "libgobject-2.0.so.0", "libgtk-3.so.0",
        "libharfbuzz.so.0", "libpango-1.0.so.0",
        "libpangocairo-1.0.so.0",
    }
)  # fmt: skip

pytestmark = [
    pytest.mark.skipif(not INSTALLERS, reason="needs built installers: make test-installers"),
    pytest.mark.timeout(300),
]


@pytest.fixture
def moved(tmp_path: Path) -> Iterator[Path]:
    """A copy of the tree in a folder with spaces and an umlaut, which may not be written to."""
    tree = tmp_path / "ein Ordner mit ü" / "fireside"
    shutil.copytree(Path(INSTALLERS) / "fireside", tree, symlinks=True)
    for path in (*tmp_path.parents, tmp_path, tree.parent):
        # The other user has to get there, through folders that pytest made for this one alone.
        if IS_ROOT and not path.stat().st_mode & 0o001:
            path.chmod(path.stat().st_mode | 0o055)
    _set_writable(tree, allowed=False)
    yield tree
    _set_writable(tree, allowed=True)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder, which belongs to another user where this one may arrange that."""
    folder = tmp_path / "home"
    folder.mkdir(mode=0o700)
    if IS_ROOT:
        shutil.chown(folder, ANOTHER_USER)
    return folder


def run(tree: Path, *words: str, home: Path) -> subprocess.CompletedProcess[str]:
    """Start the installed program with nothing of ours around it."""
    return subprocess.run(
        [tree / "bin" / "fireside", *words],
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
    done = run(moved, "run", "Name the capital of France.", home=home)
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


def test_every_module_has_its_byte_code() -> None:
    tree = Path(INSTALLERS) / "fireside"
    sources = {path for path in tree.rglob("*.py") if path.parent.name != "__pycache__"}
    compiled = {path.parents[1] / f"{path.name.split('.')[0]}.py" for path in tree.rglob("*.pyc")}
    assert sources - compiled == set()


def test_nothing_is_needed_but_what_set_up_knows_of() -> None:
    known = {need.name for need in qt_library_needs()}
    found = system_libraries(Path(INSTALLERS) / "fireside")
    assert found - known - ON_EVERY_SYSTEM - OF_GTK_DESKTOPS == set()


def _state(tree: Path) -> dict[Path, tuple[int, int]]:
    return {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in tree.rglob("*")}


def _set_writable(tree: Path, *, allowed: bool) -> None:
    for path in (tree, *tree.rglob("*")):
        if not path.is_symlink():
            mode = path.stat().st_mode
            path.chmod(mode | 0o200 if allowed else mode & ~0o222)
