"""What is published for a release is what installed copies update themselves with."""

from __future__ import annotations

import sys
import tarfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fakes.release_harness import Installed, ReleaseHarness, program
from fireside.core.runtime import this_platform
from fireside.updates.manifest import read_manifest
from provision.layout import find_layout
from release.notices import NOTICES
from release.publish import publish
from release.tarball import make_tarball
from runtimes.packing import pack, write_manifest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="for Linux")
NOW = datetime(2026, 11, 23, tzinfo=UTC)


@pytest.fixture
def harness() -> Iterator[ReleaseHarness]:
    made = ReleaseHarness()
    yield made
    made.close()


def release(folder: Path, version: str, harness: ReleaseHarness, *, runtime: bytes = b"llama.cpp") -> Path:
    """Build, publish and sign a version; return the folder of what is offered."""
    tree = folder / version / "tree"
    package = tree / "lib" / "python3.11" / "dist-packages" / "fireside"
    for path, content in {
        tree / "bin" / "fireside": program("a program"),
        tree / "lib" / "library.so.1": b"large",
        tree / "share" / "fireside" / "models" / "small.gguf": b"GGUF",
        package / "__init__.py": f'__version__ = "{version}"\n'.encode(),
        package / "ui" / "page.py": b"",
        package.parent / "llama_cpp" / "lib" / "libllama.so": runtime,
        tree / NOTICES: f"Of {version}".encode(),
    }.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (tree / "bin" / "fireside").chmod(0o755)
    (tree / "lib" / "library.so").symlink_to("library.so.1")
    archive = folder / version / f"fireside-{version}.tar.xz"
    make_tarball(tree, root=find_layout().root, archive=archive)
    offered = folder / version / "offered"
    manifest = publish(archive, folder=offered, notes="Better.", now=NOW)
    harness.files = {path.name: path.read_bytes() for path in offered.iterdir()}
    harness.sign(manifest.read_bytes())
    return offered


def install_from_archive(installed: Installed, archive: Path) -> None:
    """Unpack an archive as its own installer copies it beside the version that is there."""
    target = installed.root / "versions" / "0.2.0"
    with tarfile.open(archive) as tar:
        tar.extractall(target.parent, filter="tar")
    (target.parent / "fireside-0.2.0").rename(target)
    (installed.root / "current").write_text("0.2.0\n0.1.0\n")


def installed_by_an_update(installed: Installed, _archive: Path) -> None:
    assert installed.install(installed.updater(now_s=NOW.timestamp())) == "0.2.0"


@pytest.mark.parametrize("come_by", [install_from_archive, installed_by_an_update])
def test_the_next_release_brings_what_changed_and_no_more(
    tmp_path: Path, harness: ReleaseHarness, come_by: Callable[[Installed, Path], None]
) -> None:
    installed = Installed(tmp_path, harness)
    now_s = NOW.timestamp()
    release(tmp_path, "0.2.0", harness)
    come_by(installed, tmp_path / "0.2.0" / "fireside-0.2.0.tar.xz")
    assert installed.said() == "a program"
    harness.asked.clear()
    release(tmp_path, "0.3.0", harness)
    assert installed.install(installed.updater(running="0.2.0", now_s=now_s)) == "0.3.0"
    fetched = {name.partition("-")[0] for name, _ in harness.asked if name.endswith(".tar.xz")}
    assert fetched == {"program", "rest"}
    tree = installed.root / "versions" / "0.3.0"
    assert (tree / "lib" / "library.so").readlink() == Path("library.so.1")
    package = tree / "lib" / "python3.11" / "dist-packages" / "fireside"
    assert (package / "__init__.py").read_text() == '__version__ = "0.3.0"\n'
    assert (tree / "uninstall.sh").is_file()
    assert (tree / "share" / "fireside" / "models" / "small.gguf").read_bytes() == b"GGUF"
    assert (package.parent / "llama_cpp/lib/libllama.so").read_bytes() == b"llama.cpp"


def test_a_runtime_that_changed_comes_without_the_packages_around_it(
    tmp_path: Path, harness: ReleaseHarness
) -> None:
    installed = Installed(tmp_path, harness)
    release(tmp_path, "0.2.0", harness)
    installed.install(installed.updater(now_s=NOW.timestamp()))
    harness.asked.clear()
    release(tmp_path, "0.3.0", harness, runtime=b"a newer llama.cpp")
    installed.install(installed.updater(running="0.2.0", now_s=NOW.timestamp()))
    fetched = {name.partition("-")[0] for name, _ in harness.asked if name.endswith(".tar.xz")}
    assert fetched == {"runtime", "program", "rest"}
    packages = installed.root / "versions" / "0.3.0" / "lib" / "python3.11" / "dist-packages"
    assert (packages / "llama_cpp/lib/libllama.so").read_bytes() == b"a newer llama.cpp"
    assert (packages.parents[1] / "library.so.1").read_bytes() == b"large"


def test_runtimes_lie_beside_the_layers_and_are_in_the_manifest(
    tmp_path: Path, harness: ReleaseHarness
) -> None:
    offered = release(tmp_path, "0.2.0", harness)
    folder = tmp_path / "vulkan-0.5.0-linux-x86_64"
    folder.mkdir()
    (folder / "libggml-vulkan.so").write_bytes(b"library")
    write_manifest(folder, name="vulkan", llama_cpp="0.5.0", binding="0.3", system=this_platform())
    packed = tmp_path / f"{folder.name}.tar.xz"
    pack(folder, archive=packed)
    archive = tmp_path / "0.2.0" / "fireside-0.2.0.tar.xz"
    manifest = publish(archive, folder=offered, notes="", now=NOW, runtimes=[packed])
    (text,) = read_manifest(manifest.read_bytes()).runtimes[this_platform()]
    assert (text.name, text.llama_cpp) == ("vulkan", "0.5.0")
    assert "Vulkan" in text.backends
    assert (offered / text.url).read_bytes() == packed.read_bytes()
    again = publish(archive, folder=offered, notes="", now=NOW)
    assert read_manifest(again.read_bytes()).runtimes[this_platform()] == (text,), "it stays"


def test_targets_of_other_computers_stay_in_the_manifest(tmp_path: Path, harness: ReleaseHarness) -> None:
    offered = release(tmp_path, "0.2.0", harness)
    manifest = offered / "fireside.json"
    text = manifest.read_text().replace('"linux-', '"other-')
    manifest.write_text(text)
    publish(tmp_path / "0.2.0" / "fireside-0.2.0.tar.xz", folder=offered, notes="", now=NOW)
    assert '"other-' in manifest.read_text()
    assert '"linux-' in manifest.read_text()


def windows_tree(folder: Path, version: str) -> Path:
    """Put a version together as it lies on Windows. No file there is marked as a program."""
    packages = folder / version / "Lib" / "site-packages"
    for path, content in {
        folder / version / "pythonw.exe": b"Python",
        folder / version / "python311.dll": b"large",
        folder / version / "bin" / "fireside.exe": b"a launcher",
        folder / version / NOTICES: f"Of {version}".encode(),
        folder / version / "share" / "fireside" / "models" / "small.gguf": b"GGUF",
        packages / "fireside" / "__init__.py": f'__version__ = "{version}"\n'.encode(),
        packages / "llama_cpp" / "lib" / "llama.dll": b"llama.cpp",
        packages / "PySide6" / "Qt6Core.dll": b"Qt",
    }.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder / version


def test_a_copy_on_windows_fetches_what_changed_and_has_all_of_the_version(
    tmp_path: Path, harness: ReleaseHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fireside.updates.updater.this_platform", lambda: "windows-x86_64")
    installed = Installed(tmp_path, harness)
    windows_tree(installed.root / "versions", "0.2.0")
    offered = tmp_path / "offered"
    built = windows_tree(tmp_path / "built", "0.3.0")
    (built / "bin" / "fireside.exe").chmod(0o755)  # as its compiler leaves it
    harness.sign(publish(built, folder=offered, notes="Better.", now=NOW).read_bytes())
    harness.files |= {path.name: path.read_bytes() for path in offered.glob("*.tar.xz")}
    tried: list[Path] = []
    updater = installed.updater(
        running="0.2.0", now_s=NOW.timestamp(), trial=lambda tree, *_: tried.append(tree)
    )
    assert installed.install(updater) == "0.3.0"
    assert len(tried) == 1
    fetched = {name.partition("-")[0] for name, _ in harness.asked if name.endswith(".tar.xz")}
    assert fetched == {"program", "rest"}
    assert installed.files("0.3.0") == {
        path.relative_to(built).as_posix(): path.read_bytes() for path in built.rglob("*") if path.is_file()
    }
