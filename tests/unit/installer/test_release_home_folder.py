"""Installing into a home folder and removing again, with a tree of a few files."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from provision.layout import find_layout
from release.home_folder import InstallPaths, install, install_paths, main, uninstall
from release.tarball import make_tarball

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="for Linux")
ROOT = find_layout().root


def small_tree(folder: Path, *, version: str, status: int = 0) -> Path:
    (folder / "bin").mkdir(parents=True)
    program = folder / "bin" / "fireside"
    program.write_text(f"#!/bin/sh\necho {version}\nexit {status}\n")
    program.chmod(0o755)
    return folder


@pytest.fixture
def home(tmp_path: Path) -> InstallPaths:
    return install_paths(tmp_path / "höme", data=tmp_path / "höme" / ".local" / "share")


def said(home: InstallPaths) -> str:
    return subprocess.run([home.command], capture_output=True, text=True, check=True).stdout.strip()


def test_what_is_installed_starts_and_is_gone_after_removal(tmp_path: Path, home: InstallPaths) -> None:
    install(small_tree(tmp_path / "tree", version="1"), to=home, root=ROOT)
    chats = home.data / "fireside" / "fireside.db"
    chats.parent.mkdir(parents=True)
    chats.write_text("chats")
    assert said(home) == "1"
    entry = (home.data / "applications" / "fireside.desktop").read_text(encoding="utf-8")
    assert f'"{home.stub}"' in entry
    uninstall(home)
    assert not home.program.exists()
    assert not home.command.is_symlink()
    assert not (home.data / "applications" / "fireside.desktop").exists()
    assert chats.read_text() == "chats"


def test_what_runs_is_not_removed(
    tmp_path: Path, home: InstallPaths, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "höme"))
    monkeypatch.setenv("XDG_DATA_HOME", str(home.data))
    tree = small_tree(tmp_path / "tree", version="1")
    shutil.copy2("/bin/cat", tree / "bin" / "python")
    install(tree, to=home, root=ROOT)
    running = subprocess.Popen([home.program / "versions/1/bin/python"], stdin=subprocess.PIPE)
    assert main(["uninstall"]) == 1
    assert "is running" in capsys.readouterr().err
    assert home.stub.exists()
    running.communicate()
    assert main(["uninstall"]) == 0
    assert not home.program.exists()


def test_a_newer_one_takes_the_place_of_the_older(tmp_path: Path, home: InstallPaths) -> None:
    for version in ("1", "2", "3", "3"):
        install(small_tree(tmp_path / version, version=version), to=home, root=ROOT)
        shutil.rmtree(tmp_path / version)
        assert said(home) == version
    versions = home.program / "versions"
    assert sorted(path.name for path in versions.iterdir()) == ["2", "3"]
    assert [path.name for path in home.program.parent.iterdir()] == ["fireside"]


def window_start(home: InstallPaths) -> str:
    """Start the window, which in these trees never opens."""
    return subprocess.run([home.stub], capture_output=True, text=True, check=True).stdout.strip()


def test_a_version_that_does_not_open_its_window_twice_is_passed_over(
    tmp_path: Path, home: InstallPaths
) -> None:
    for version in ("1", "2"):
        install(small_tree(tmp_path / version, version=version), to=home, root=ROOT)
    assert [window_start(home) for _ in range(4)] == ["2", "2", "2", "2"], "it has proven itself"
    (home.program / "unproven").touch()
    said_by = [subprocess.run([home.stub, "ps"], capture_output=True, text=True, check=True).stdout.strip()]
    assert said_by * 3 == ["2", "2", "2"], "a command opens no window"
    assert [window_start(home) for _ in range(4)] == ["2", "2", "1", "1"]


def test_a_version_whose_files_are_gone_is_passed_over(tmp_path: Path, home: InstallPaths) -> None:
    for version in ("1", "2"):
        install(small_tree(tmp_path / version, version=version), to=home, root=ROOT)
    shutil.rmtree(home.program / "versions" / "2")
    assert said(home) == "1"


def test_what_was_installed_removes_itself(tmp_path: Path, home: InstallPaths) -> None:
    tree = small_tree(tmp_path / "tree", version="1")
    (tree / "uninstall.sh").write_text(f"echo removed >{tmp_path}/said")
    install(tree, to=home, root=ROOT)
    subprocess.run(["sh", home.program / "uninstall.sh"], check=True)
    assert (tmp_path / "said").read_text() == "removed\n"


def test_one_that_does_not_start_leaves_the_older_in_its_place(tmp_path: Path, home: InstallPaths) -> None:
    install(small_tree(tmp_path / "old", version="1"), to=home, root=ROOT)
    with pytest.raises(subprocess.CalledProcessError):
        install(small_tree(tmp_path / "new", version="2", status=1), to=home, root=ROOT)
    assert said(home) == "1"


def test_a_command_of_another_maker_is_left_alone(tmp_path: Path, home: InstallPaths) -> None:
    home.command.parent.mkdir(parents=True)
    home.command.write_text("not ours")
    install(small_tree(tmp_path / "tree", version="1"), to=home, root=ROOT)
    uninstall(home)
    assert home.command.read_text() == "not ours"


def test_the_archive_is_the_same_wherever_it_was_made(tmp_path: Path) -> None:
    written = []
    for name in ("here", "there"):
        tree = small_tree(tmp_path / name / "tree", version="1")
        archive = tmp_path / name / "fireside-1.tar.xz"
        make_tarball(tree, root=ROOT, archive=archive)
        written.append(archive.read_bytes())
    assert written[0] == written[1]
    with tarfile.open(tmp_path / "here" / "fireside-1.tar.xz") as tar:
        names = set(tar.getnames())
    assert {"fireside-1/install.sh", "fireside-1/bin/fireside"} <= names
    assert not [name for name in names if "__pycache__" in name]
