"""A file is replaced whole, for one user, and lasts before the call returns."""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from fireside.files import atomic_replace
from fireside.files.atomic_replace import rename_over, replace_file
from fireside.files.fsync import sync_folder
from fireside.files.private_files import make_private_file, make_private_folder

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows knows neither modes nor flushed folders")


class WatchedDisk:
    """Notes what is flushed and renamed, in order; ``fail`` makes one kind of flush fail."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.done: list[str] = []
        self.errors: dict[str, int] = {}
        self._rename: Callable[[Path, Path], Path] = Path.replace
        monkeypatch.setattr(os, "fsync", self._fsync)
        monkeypatch.setattr(Path, "replace", lambda source, target: self._replace(source, target))

    def fail(self, what: str, number: int) -> None:
        self.errors[what] = number

    def _fsync(self, descriptor: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        self._do("flush folder" if is_folder else "flush file")

    def _replace(self, source: Path, target: Path) -> Path:
        self._do("rename")
        return self._rename(source, target)

    def _do(self, what: str) -> None:
        self.done.append(what)
        if what in self.errors:
            raise OSError(self.errors[what], os.strerror(self.errors[what]))


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> WatchedDisk:
    return WatchedDisk(monkeypatch)


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_new_content_is_all_that_is_there(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"a longer old text")
    replace_file(path, b"new")
    assert ([*tmp_path.iterdir()], path.read_bytes()) == ([path], b"new")


@posix
def test_the_content_is_flushed_before_it_has_the_name_and_the_name_after(
    tmp_path: Path, disk: WatchedDisk
) -> None:
    replace_file(tmp_path / "settings.json", b"new")
    assert disk.done == ["flush file", "rename", "flush folder"]


@pytest.mark.parametrize("what", ["flush file", "rename"])
@posix
def test_an_error_leaves_the_old_file_alone(tmp_path: Path, disk: WatchedDisk, what: str) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"old")
    disk.fail(what, errno.ENOSPC)
    with pytest.raises(OSError, match="No space left"):
        replace_file(path, b"new")
    assert ([*tmp_path.iterdir()], path.read_bytes()) == ([path], b"old")


@posix
def test_only_the_owner_reads_the_file_and_enters_the_folders_made_for_it(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "secrets.json"
    replace_file(path, b"new")
    assert (_mode(path), _mode(path.parent), _mode(path.parent.parent)) == (0o600, 0o700, 0o700)


@posix
def test_a_symbolic_link_stays_one(tmp_path: Path) -> None:
    real, link = tmp_path / "real" / "settings.json", tmp_path / "settings.json"
    replace_file(real, b"old")
    link.symlink_to(real)
    replace_file(link, b"new")
    assert (link.is_symlink(), real.read_bytes()) == (True, b"new")


def test_a_replacement_over_a_folder_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "settings.json" / "inner").mkdir(parents=True)
    with pytest.raises(OSError, match=r"settings\.json"):
        replace_file(tmp_path / "settings.json", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["settings.json"]


@posix
def test_a_new_folder_and_each_above_it_is_in_its_parent_for_good(tmp_path: Path, disk: WatchedDisk) -> None:
    make_private_folder(tmp_path / "a" / "b")
    assert disk.done == ["flush folder", "flush folder"]


@posix
def test_a_folder_that_is_there_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    make_private_folder(tmp_path)
    assert _mode(tmp_path) == 0o755


@posix
def test_a_file_that_others_could_read_is_closed_to_them_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "chats.sqlite"
    path.write_bytes(b"old")
    path.chmod(0o644)
    make_private_file(path)
    assert (_mode(path), path.read_bytes()) == (0o600, b"old")


@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOTSUP, errno.EACCES])
@posix
def test_a_file_system_that_flushes_no_folders_is_left_in_peace(
    tmp_path: Path, disk: WatchedDisk, number: int
) -> None:
    disk.fail("flush folder", number)
    replace_file(tmp_path / "settings.json", b"new")
    assert (tmp_path / "settings.json").read_bytes() == b"new"


@posix
def test_a_disk_that_fails_is_told(tmp_path: Path, disk: WatchedDisk) -> None:
    disk.fail("flush folder", errno.EIO)
    with pytest.raises(OSError, match=os.strerror(errno.EIO)):
        sync_folder(tmp_path)


class BusyFile:
    """A renaming that Windows refuses ``n_times``, as it does while a virus scanner reads the file."""

    def __init__(self, *, n_times: int) -> None:
        self._left = n_times
        self.n_pauses = 0

    def rename(self, source: Path, target: Path) -> None:
        if self._left:
            self._left -= 1
            raise PermissionError(errno.EACCES, "The process cannot access the file")
        source.replace(target)

    def pause(self, _: float) -> None:
        self.n_pauses += 1


def _renamed_on(
    platform: str, busy: BusyFile, *, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[bool, int]:
    source, target = folder / "new", folder / "settings.json"
    source.write_bytes(b"new")
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(atomic_replace, "_rename", busy.rename)
    monkeypatch.setattr(time, "sleep", busy.pause)
    try:
        rename_over(source, target)
    except PermissionError:
        return False, busy.n_pauses
    return target.exists(), busy.n_pauses


def test_windows_is_asked_again_while_a_scanner_holds_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy = BusyFile(n_times=9)
    assert _renamed_on("win32", busy, folder=tmp_path, monkeypatch=monkeypatch) == (True, 9)


def test_windows_is_not_asked_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    busy = BusyFile(n_times=10)
    assert _renamed_on("win32", busy, folder=tmp_path, monkeypatch=monkeypatch) == (False, 9)


def test_elsewhere_a_refusal_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    busy = BusyFile(n_times=1)
    assert _renamed_on("linux", busy, folder=tmp_path, monkeypatch=monkeypatch) == (False, 0)
