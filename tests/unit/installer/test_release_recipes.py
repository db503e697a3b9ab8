"""The recipes of other stores, filled in and read by what reads them."""

from __future__ import annotations

import gzip
import hashlib
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml  # only here

from fireside.core.about import PackageKind
from fireside.updates.build import read_build_info
from provision.layout import find_layout
from release.recipes import RECIPES, write_recipes
from release.tarball import make_tarball

PLACES = {"address": "https://example.org/releases/", "homepage": "https://example.org/"}
COMPOSE = Path("/usr/libexec/appstreamcli-compose")
with_tar = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("bash") is None, reason="Linux, with bash and tar"
)
PACKAGES = ("fireside-1.2-linux-x86_64.tar.xz", "FiresideSetup-1.2.exe", "Fireside-1.2.dmg")


@pytest.fixture
def recipes(tmp_path: Path) -> dict[str, str]:
    for name in PACKAGES:
        (tmp_path / name).write_text(name)
    written = list(write_recipes(tmp_path, version="1.2", **PLACES))
    return {path.name: path.read_text(encoding="utf-8") for path in written}


@pytest.fixture
def unpacked(tmp_path: Path) -> Path:
    """The archive for home folders as a store's builder finds it: unpacked in the folder where it works."""
    tree, work = tmp_path / "tree", tmp_path / "work"
    for name in ("bin/fireside", "LICENSE", "share/fireside/THIRD-PARTY.txt"):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(name)
    archive = tmp_path / PACKAGES[0]
    make_tarball(tree, root=find_layout().root, archive=archive)
    subprocess.run(["tar", "-xf", archive, f"--one-top-level={work}"], check=True)
    archive.unlink()
    return work


def sha256(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


def test_each_recipe_is_filled_in(recipes: dict[str, str]) -> None:
    assert recipes.keys() == RECIPES.keys()
    for text in recipes.values():
        for name in ("VERSION", "ADDRESS", "HOMEPAGE", "PACKAGE", "FOLDER", "SHA256"):
            assert f"@{name}@" not in text


def test_a_package_that_was_not_built_has_no_recipe(tmp_path: Path) -> None:
    (tmp_path / PACKAGES[0]).touch()
    written = write_recipes(tmp_path, version="1.2", **PLACES)
    assert {path.name for path in written} == {"PKGBUILD", "flatpak.yml"}


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_arch_reads_its_recipe(recipes: dict[str, str]) -> None:
    script = f'{recipes["PKGBUILD"]}\nprintf "%s\\n" "$pkgver" "${{source[0]}}" "${{sha256sums[0]}}"\n'
    output = subprocess.run(["bash", "-ec", script], capture_output=True, text=True, check=True).stdout
    assert output.split() == ["1.2", f"{PLACES['address']}{PACKAGES[0]}", sha256(PACKAGES[0])]


def test_flatpak_gets_the_archive_and_the_permissions_that_are_needed(recipes: dict[str, str]) -> None:
    manifest: dict[str, Any] = yaml.safe_load(recipes["flatpak.yml"])
    (module,) = manifest["modules"]
    assert module["sources"][0]["sha256"] == sha256(PACKAGES[0])
    assert not any(word.startswith("--filesystem") for word in manifest["finish-args"])


def test_winget_installs_for_the_user_alone(recipes: dict[str, str]) -> None:
    manifest = yaml.safe_load(recipes["winget.yaml"])
    (one,) = manifest["Installers"]
    assert (one["Scope"], one["InstallerSha256"]) == ("user", sha256(PACKAGES[1]))


def test_homebrew_gets_the_image(recipes: dict[str, str]) -> None:
    assert f'sha256 "{sha256(PACKAGES[2])}"' in recipes["homebrew.rb"]
    assert recipes["homebrew.rb"].count("do\n") == recipes["homebrew.rb"].count("end\n")


@pytest.mark.skipif(shutil.which("sh") is None, reason="needs sh")
def test_the_image_for_every_linux_refuses_a_runtime_with_another_hash(tmp_path: Path) -> None:
    script = find_layout().root / "installer" / "recipes" / "appimage.sh"
    runtime = tmp_path / "runtime"
    runtime.write_bytes(b"changed")
    archive, result = tmp_path / "archive", tmp_path / "result"
    done = subprocess.run(
        ["sh", script, archive, runtime, sha256("as released"), result], capture_output=True, check=False
    )
    assert done.returncode != 0
    assert not result.exists()


@with_tar
def test_arch_makes_a_package_that_the_system_updates(
    unpacked: Path, recipes: dict[str, str], tmp_path: Path
) -> None:
    folder = tmp_path / "made"
    script = f'{recipes["PKGBUILD"]}\npkgdir="$PWD/../made"; package\n'
    subprocess.run(["bash", "-euc", script], cwd=unpacked, check=True)
    assert_is_a_system_package(folder / "opt/fireside", share=folder / "usr/share", name="fireside")


@with_tar
def test_flatpak_makes_a_package_that_the_system_updates(
    unpacked: Path, recipes: dict[str, str], tmp_path: Path
) -> None:
    target = tmp_path / "made"
    (module,) = yaml.safe_load(recipes["flatpak.yml"])["modules"]
    (folder,) = unpacked.iterdir()
    for command in module["build-commands"]:
        subprocess.run(["sh", "-euc", command.replace("/app/", f"{target}/")], cwd=folder, check=True)
    assert_is_a_system_package(target / "lib/fireside", share=target / "share", name="app.fireside.Fireside")
    (metadata,) = (target / "share/metainfo").iterdir()
    assert ">app.fireside.Fireside.desktop<" in metadata.read_text(encoding="utf-8")


@pytest.mark.skipif(not COMPOSE.exists(), reason="needs appstream-compose")
@with_tar
def test_software_centres_can_list_what_flatpak_installs(
    unpacked: Path, recipes: dict[str, str], tmp_path: Path
) -> None:
    folder, listed = tmp_path / "made", tmp_path / "listed"
    (module,) = yaml.safe_load(recipes["flatpak.yml"])["modules"]
    (folder,) = unpacked.iterdir()
    for command in module["build-commands"]:
        subprocess.run(["sh", "-euc", command.replace("/app/", f"{folder}/")], cwd=folder, check=True)
    # As flatpak-builder does it, in the SDK.
    ids = "--components=app.fireside.Fireside"
    command = [str(COMPOSE), "--no-net", "--print-report=full", "--origin=flatpak", "--prefix=/", ids]
    done = subprocess.run(
        [*command, f"--result-root={listed}", f"--data-dir={listed}", f"--icons-dir={listed}", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert (
        "<id>app.fireside.Fireside</id>" in gzip.decompress((listed / "flatpak.xml.gz").read_bytes()).decode()
    )
    assert (listed / "128x128/app.fireside.Fireside.png").is_file()


def assert_is_a_system_package(tree: Path, *, share: Path, name: str) -> None:
    """Its parts are where desktops look, and it leaves updates to the package manager."""
    assert (tree / "bin/fireside").is_file()
    assert read_build_info(tree, package=tree / "fireside").kind is PackageKind.SYSTEM
    assert not (tree / "install.sh").exists()
    assert not (tree / "share/fireside/setup").exists()
    entry = (share / f"applications/{name}.desktop").read_text(encoding="utf-8")
    assert "@" not in entry
    assert (share / f"icons/hicolor/scalable/apps/{name}.svg").is_file()


@pytest.mark.skipif(shutil.which("mksquashfs") is None, reason="needs squashfs-tools")
@with_tar
def test_the_image_for_every_linux_says_that_it_does_not_update_itself(
    unpacked: Path, tmp_path: Path
) -> None:
    script = find_layout().root / "installer" / "recipes" / "appimage.sh"
    archive, runtime, result = tmp_path / "archive.tar", tmp_path / "runtime", tmp_path / "result"
    (folder,) = unpacked.iterdir()
    subprocess.run(["tar", "-cf", archive, "-C", unpacked, folder.name], check=True)
    runtime.write_bytes(b"runtime")
    subprocess.run(["sh", script, archive, runtime, sha256("runtime"), result], check=True)
    image = result.read_bytes()
    assert image.startswith(b"runtimehsqs")
    inside = tmp_path / "inside"
    (tmp_path / "squashfs").write_bytes(image.removeprefix(b"runtime"))
    subprocess.run(["unsquashfs", "-q", "-n", "-d", inside, tmp_path / "squashfs"], check=True)
    assert read_build_info(inside, package=inside / "fireside").kind is PackageKind.OTHER
    assert (inside / "AppRun").read_text() == "bin/fireside"
