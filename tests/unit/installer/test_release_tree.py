"""What the tree of the installers consists of, and a copied Python that is moved. Linux alone builds one."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path, PurePosixPath

import pytest

from provision.failure import SetupFailure
from provision.layout import find_layout
from release import tree as release_tree
from release.elf import ElfNeeds, elf_files, read_needs
from release.interpreter import copy_interpreter, find_interpreter, is_excluded, packages_folder
from release.tree import check, compile_folder, unpack_runtime
from release.trimming import is_kept, unneeded_libraries

DYNAMIC_GLIBC = "libc.so.6"
on_linux = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("readelf") is None, reason="builds for Linux, with binutils"
)


def kept(path: str) -> bool:
    return is_kept(PurePosixPath(path), languages=frozenset({"de"}))


@pytest.mark.parametrize(
    "path",
    [
        "PySide6/QtCore.abi3.so",
        "PySide6/Qt/plugins/platforms/libqxcb.so",
        "PySide6/Qt/plugins/platforminputcontexts/libibusplatforminputcontextplugin.so",
        "PySide6/Qt/translations/qtbase_de.qm",
        "PySide6/Qt6Core.dll",
        "PySide6/QtWidgets.pyd",
        "PySide6/plugins/platforms/qwindows.dll",
        "PySide6/translations/qtbase_de.qm",
        "shiboken6/msvcp140.dll",
        "numpy/typing/__init__.py",
        "numpy/testing/__init__.py",
        "keyring-25.7.0.dist-info/entry_points.txt",
        "keyring-25.7.0.dist-info/METADATA",
        "hypothetical.dist-info/licenses/LICENSE.md",
    ],
)
def test_what_the_program_loads_is_kept(path: str) -> None:
    assert kept(path)


@pytest.mark.parametrize(
    "path",
    [
        "PySide6/QtQuick.abi3.so",
        "PySide6/Qt/qml/QtQuick/qmldir",
        "PySide6/Qt/plugins/tls/libqopensslbackend.so",
        "PySide6/Qt/translations/qtbase_fr.qm",
        "PySide6/lupdate",
        "hf_xet/hf_xet.abi3.so",
        "hf_xet-1.8.0.dist-info/METADATA",
        "hf_xet-1.8.0.dist-info/licenses/LICENSE",
        "numpy/f2py/__init__.py",
        "numpy/random/mtrand.cpython-311-x86_64-linux-gnu.so",
        "numpy/_core/_multiarray_tests.cpython-311-x86_64-linux-gnu.so",
        "huggingface_hub/inference/_client.py",
        "PIL/_avif.cpython-311-x86_64-linux-gnu.so",
        "apsw/sqlite_extra_binaries/vec1.so",
        "numpy/_core/include/numpy/arrayobject.h",
        "numpy/_core/tests/test_umath.py",
        "bin/httpx",
        "shiboken6/vcamp140.dll",
        "PySide6/Qt6Quick.dll",
        "PySide6/opengl32sw.dll",
        "psutil/__pycache__/__init__.cpython-311.pyc",
        "msgspec/__init__.pyi",
        "keyring-25.7.0.dist-info/RECORD",
    ],
)
def test_what_it_never_loads_is_left_out(path: str) -> None:
    assert not kept(path)


def test_the_program_names_nothing_that_is_left_out_of_numpy() -> None:
    """numpy loads these when they are first named, so a test of the whole tree may not come across it."""
    named = re.compile(
        r"\b(?:np|numpy)\.(?:random|fft|ma|polynomial)\b|from numpy import .*\b(?:random|fft|ma)\b"
    )
    sources = (find_layout().app / "fireside").rglob("*.py")
    assert [path.name for path in sources if named.search(path.read_text(encoding="utf-8"))] == []


def test_libraries_stay_only_where_something_kept_needs_them() -> None:
    def needing(*libraries: str) -> ElfNeeds:
        return ElfNeeds(libraries=frozenset(libraries), glibc=(2, 17))

    folder = PurePosixPath("PySide6/Qt/lib")
    unneeded = unneeded_libraries(
        {
            PurePosixPath("PySide6/QtGui.abi3.so"): needing("libQt6Gui.so.6", "libc.so.6"),
            folder / "libQt6Gui.so.6": needing("libQt6Core.so.6"),
            folder / "libQt6Core.so.6": needing(),
            folder / "libQt6Quick.so.6": needing("libQt6Qml.so.6", "libQt6Gui.so.6"),
            folder / "libQt6Qml.so.6": needing("libQt6Core.so.6"),
            PurePosixPath("pillow.libs/libavif-1.so"): needing(),
        }
    )
    assert unneeded == {
        folder / "libQt6Quick.so.6",
        folder / "libQt6Qml.so.6",
        PurePosixPath("pillow.libs/libavif-1.so"),
    }


def test_the_standard_library_loses_only_what_is_named() -> None:
    names = ("tkinter/__init__.py", "test/support/__init__.py", "lib-dynload/_tkinter.so", "venv/__main__.py")
    assert all(is_excluded(PurePosixPath(name)) for name in names)
    names = ("json/__init__.py", "unittest/mock.py", "lib-dynload/_ctypes.so", "lib-dynload/readline.so")
    assert not any(is_excluded(PurePosixPath(name)) for name in names)


@on_linux
def test_a_copied_python_runs_where_it_is_moved_and_writes_nothing(tmp_path: Path) -> None:
    tree, moved = tmp_path / "tree", tmp_path / "ein Ordner mit ü"
    program = copy_interpreter(find_interpreter(None), tree=tree)
    packages = packages_folder(program)
    assert packages.is_relative_to(tree)
    packages.mkdir(parents=True)
    (packages / "guest.py").write_text("import sys\nPREFIX = sys.prefix\n")
    compile_folder(packages, tree=tree)
    tree.rename(moved)
    before = {path: path.stat().st_mtime_ns for path in moved.rglob("*")}
    script = "import guest; print(guest.PREFIX); print(guest.__spec__.cached)"
    done = subprocess.run(
        [moved / program.relative_to(tree), "-I", "-B", "-c", script],
        capture_output=True,
        text=True,
        check=True,
    )
    prefix, byte_code = map(Path, done.stdout.splitlines())
    assert prefix == moved
    assert byte_code.is_file()
    assert str(tree).encode() not in byte_code.read_bytes()
    assert {path: path.stat().st_mtime_ns for path in moved.rglob("*")} == before


@on_linux
def test_byte_code_is_the_same_wherever_it_was_compiled(tmp_path: Path) -> None:
    unneeded = find_interpreter(None)
    written = []
    for name in ("one", "another place"):
        tree = tmp_path / name
        program = copy_interpreter(unneeded, tree=tree)
        package = packages_folder(program) / "guest"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text(
            "WORDS = frozenset({'a', 'b', 'c', 'd', 'e'})\n'x' in {'y', 'z'}\n"
        )
        compile_folder(package, tree=tree)
        written.append(next(package.rglob("*.pyc")).read_bytes())
    assert written[0] == written[1]


@on_linux
def test_what_a_program_needs_is_read_from_it() -> None:
    program = find_interpreter(None).program
    needs = read_needs([program])[program]
    assert DYNAMIC_GLIBC in needs.libraries
    assert needs.glibc > (2, 2)
    assert elf_files(program.parent / "no such folder") == []


@on_linux
def test_what_needs_a_newer_glibc_than_promised_stops_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copyfile(find_interpreter(None).program, tmp_path / "python")
    check(tmp_path)
    monkeypatch.setattr(release_tree, "OLDEST_GLIBC", (2, 3))
    with pytest.raises(SetupFailure, match="python needs glibc"):
        check(tmp_path)


def test_a_runtime_is_unpacked_with_its_links_and_nothing_beside_its_folder(tmp_path: Path) -> None:
    source, archive = tmp_path / "portable-1", tmp_path / "portable.tar"
    source.mkdir()
    (source / "libllama.so.0.5").write_bytes(b"library")
    (source / "libllama.so").symlink_to("libllama.so.0.5")
    (source / "libevil.so").symlink_to("/etc/passwd")
    with tarfile.open(archive, "w") as tar:
        tar.add(source, arcname="portable-1")
    unpack_runtime(archive, folder=tmp_path / "lib")
    assert (tmp_path / "lib" / "libllama.so").read_bytes() == b"library"
    assert not (tmp_path / "lib" / "libevil.so").is_symlink()
