"""Files are replaced atomically, privately and durably."""

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


def test_the_contents_are_replaced(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"a longer old text")
    replace_file(path, b"new")
    assert ([*tmp_path.iterdir()], path.read_bytes()) == ([path], b"new")


@posix
def test_the_contents_are_flushed_before_the_rename_and_the_folder_after(
    tmp_path: Path, disk: WatchedDisk
) -> None:
    replace_file(tmp_path / "settings.json", b"new")
    assert disk.done == ["flush file", "rename", "flush folder"]


@pytest.mark.parametrize("what", ["flush file", "rename"])
@posix
def test_after_an_error_the_old_file_is_unchanged(tmp_path: Path, disk: WatchedDisk, what: str) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"old")
    disk.fail(what, errno.ENOSPC)
    with pytest.raises(OSError, match="No space left"):
        replace_file(path, b"new")
    assert ([*tmp_path.iterdir()], path.read_bytes()) == ([path], b"old")


@posix
def test_the_file_and_new_folders_are_private(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "secrets.json"
    replace_file(path, b"new")
    assert (_mode(path), _mode(path.parent), _mode(path.parent.parent)) == (0o600, 0o700, 0o700)


@posix
def test_a_symbolic_link_stays_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real" / "settings.json", tmp_path / "settings.json"
    replace_file(real, b"old")
    link.symlink_to(real)
    replace_file(link, b"new")
    assert (link.is_symlink(), real.read_bytes()) == (True, b"new")


def test_replacing_a_folder_fails_without_leftovers(tmp_path: Path) -> None:
    (tmp_path / "settings.json" / "inner").mkdir(parents=True)
    with pytest.raises(OSError, match=r"settings\.json"):
        replace_file(tmp_path / "settings.json", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["settings.json"]


@posix
def test_new_folders_are_flushed_to_their_parents(tmp_path: Path, disk: WatchedDisk) -> None:
    make_private_folder(tmp_path / "a" / "b")
    assert disk.done == ["flush folder", "flush folder"]


@posix
def test_an_existing_folder_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    make_private_folder(tmp_path)
    assert _mode(tmp_path) == 0o755


@posix
def test_a_file_readable_by_others_becomes_private(tmp_path: Path) -> None:
    path = tmp_path / "chats.sqlite"
    path.write_bytes(b"old")
    path.chmod(0o644)
    make_private_file(path)
    assert (_mode(path), path.read_bytes()) == (0o600, b"old")


@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOTSUP, errno.EACCES])
@posix
def test_a_file_system_that_cannot_flush_folders_is_no_error(
    tmp_path: Path, disk: WatchedDisk, number: int
) -> None:
    disk.fail("flush folder", number)
    replace_file(tmp_path / "settings.json", b"new")
    assert (tmp_path / "settings.json").read_bytes() == b"new"


@posix
def test_a_disk_error_is_raised(tmp_path: Path, disk: WatchedDisk) -> None:
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


def test_on_windows_a_locked_file_is_retried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    busy = BusyFile(n_times=9)
    assert _renamed_on("win32", busy, folder=tmp_path, monkeypatch=monkeypatch) == (True, 9)


def test_on_windows_the_retries_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    busy = BusyFile(n_times=10)
    assert _renamed_on("win32", busy, folder=tmp_path, monkeypatch=monkeypatch) == (False, 9)


def test_elsewhere_a_permission_error_is_not_retried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    busy = BusyFile(n_times=1)
    assert _renamed_on("linux", busy, folder=tmp_path, monkeypatch=monkeypatch) == (False, 0)
