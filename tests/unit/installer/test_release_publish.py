"""What is published for a release is what installed copies update themselves with."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fakes.release_place import Installed, ReleasePlace, program
from provision.layout import find_layout
from release.publish import publish
from release.tarball import make_tarball

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="for Linux")
NOW = datetime(2026, 11, 23, tzinfo=UTC)


@pytest.fixture
def place() -> Iterator[ReleasePlace]:
    made = ReleasePlace()
    yield made
    made.close()


def release(folder: Path, version: str, place: ReleasePlace, *, runtime: bytes = b"llama.cpp") -> Path:
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
        tree / "THIRD-PARTY.txt": f"Of {version}".encode(),
    }.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (tree / "bin" / "fireside").chmod(0o755)
    (tree / "lib" / "library.so").symlink_to("library.so.1")
    archive = folder / version / f"fireside-{version}.tar.xz"
    make_tarball(tree, root=find_layout().root, archive=archive)
    offered = folder / version / "offered"
    manifest = publish(archive, folder=offered, notes="Better.", now=NOW)
    place.files = {path.name: path.read_bytes() for path in offered.iterdir()}
    place.sign(manifest.read_bytes())
    return offered


def test_a_published_release_is_installed_and_the_next_one_brings_what_changed(
    tmp_path: Path, place: ReleasePlace
) -> None:
    installed = Installed(tmp_path, place)
    now_s = NOW.timestamp()
    release(tmp_path, "0.2.0", place)
    assert installed.install(installed.updater(now_s=now_s)) == "0.2.0"
    assert installed.said() == "a program"
    place.asked.clear()
    release(tmp_path, "0.3.0", place)
    assert installed.install(installed.updater(running="0.2.0", now_s=now_s)) == "0.3.0"
    fetched = {name.partition("-")[0] for name, _ in place.asked if name.endswith(".tar.xz")}
    assert fetched == {"program", "rest"}
    tree = installed.root / "versions" / "0.3.0"
    assert (tree / "lib" / "library.so").readlink() == Path("library.so.1")
    package = tree / "lib" / "python3.11" / "dist-packages" / "fireside"
    assert (package / "__init__.py").read_text() == '__version__ = "0.3.0"\n'
    assert (tree / "uninstall.sh").is_file()
    assert (tree / "share" / "fireside" / "models" / "small.gguf").read_bytes() == b"GGUF"


def test_a_runtime_that_changed_comes_without_the_packages_around_it(
    tmp_path: Path, place: ReleasePlace
) -> None:
    installed = Installed(tmp_path, place)
    release(tmp_path, "0.2.0", place)
    installed.install(installed.updater(now_s=NOW.timestamp()))
    place.asked.clear()
    release(tmp_path, "0.3.0", place, runtime=b"a newer llama.cpp")
    installed.install(installed.updater(running="0.2.0", now_s=NOW.timestamp()))
    fetched = {name.partition("-")[0] for name, _ in place.asked if name.endswith(".tar.xz")}
    assert fetched == {"runtime", "program", "rest"}
    packages = installed.root / "versions" / "0.3.0" / "lib" / "python3.11" / "dist-packages"
    assert (packages / "llama_cpp/lib/libllama.so").read_bytes() == b"a newer llama.cpp"
    assert (packages.parents[1] / "library.so.1").read_bytes() == b"large"


def test_targets_of_other_computers_stay_in_the_manifest(tmp_path: Path, place: ReleasePlace) -> None:
    offered = release(tmp_path, "0.2.0", place)
    manifest = offered / "fireside.json"
    said = manifest.read_text().replace('"linux-', '"other-')
    manifest.write_text(said)
    publish(tmp_path / "0.2.0" / "fireside-0.2.0.tar.xz", folder=offered, notes="", now=NOW)
    assert '"other-' in manifest.read_text()
    assert '"linux-' in manifest.read_text()
