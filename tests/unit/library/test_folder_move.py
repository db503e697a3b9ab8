"""Moving the library to another folder, on one disk and between two."""

from __future__ import annotations

import errno
import itertools
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from fakes.raised import refuses
from fireside.core.library import MovePhase, MoveProgress, MoveResult
from fireside.library.folder_move import COPYING_SUFFIX, MoveCancelled, move_library, pending_move

FILES = {"o/r/a.gguf": b"a" * 900, "o/r/a.gguf.origin.json": b"{}", "b.gguf": b"b" * 70_000, "c/empty": b""}

needs_links = pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows")


class Killed(BaseException):
    """The process is killed here: no code of the program handles it."""


class Disks:
    """Two folders, the journal, and the folder that the program uses."""

    def __init__(self, root: Path) -> None:
        self.old, self.new, self.journal = root / "old", root / "disk" / "new", root / "state" / "move.json"
        self.used = self.old
        for name, content in FILES.items():
            path = self.old / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

    def switch(self, folder: Path) -> None:
        self.used = folder

    def move(
        self,
        *,
        on_progress: Callable[[MoveProgress], None] = lambda _: None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> MoveResult:
        return move_library(
            self.old,
            self.new,
            journal_path=self.journal,
            switch=self.switch,
            on_progress=on_progress,
            cancelled=cancelled,
        )

    def is_whole(self, folder: Path) -> bool:
        return contents(folder) == FILES


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.fixture
def disks(tmp_path: Path) -> Disks:
    return Disks(tmp_path)


@pytest.fixture
def two_disks(disks: Disks, monkeypatch: pytest.MonkeyPatch) -> Disks:
    """Two folders between which a rename fails."""
    real_rename = Path.rename

    def rename(path: Path, target: Path) -> Path:
        if path.name == disks.old.name:
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        return real_rename(path, target)

    monkeypatch.setattr(Path, "rename", rename)
    return disks


@pytest.mark.parametrize("setting", ["disks", "two_disks"])
def test_all_files_are_moved(setting: str, request: pytest.FixtureRequest) -> None:
    disks: Disks = request.getfixturevalue(setting)
    result = disks.move()
    assert disks.is_whole(disks.new)
    assert disks.used == disks.new
    assert not disks.old.exists()
    assert not disks.journal.exists()
    assert (result.n_files, result.n_bytes, result.left_behind) == (4, 70_902, ())


def test_on_one_disk_nothing_is_copied(disks: Disks) -> None:
    before = (disks.old / "b.gguf").stat().st_ino
    disks.move()
    assert (disks.new / "b.gguf").stat().st_ino == before


def test_an_empty_folder_can_be_moved_to(disks: Disks) -> None:
    disks.new.mkdir(parents=True)
    disks.move()
    assert disks.is_whole(disks.new)


def test_modification_times_are_kept(two_disks: Disks) -> None:
    os.utime(two_disks.old / "b.gguf", (1_000_000_000, 1_000_000_000))
    two_disks.move()
    assert (two_disks.new / "b.gguf").stat().st_mtime == 1_000_000_000


def test_progress_ends_where_it_should(two_disks: Disks) -> None:
    seen: list[MoveProgress] = []
    two_disks.move(on_progress=seen.append)
    copying = [progress for progress in seen if progress.phase is not MovePhase.REMOVING]
    assert [progress.n_bytes_done for progress in copying] == sorted(p.n_bytes_done for p in copying)
    last = copying[-1]
    assert (last.n_bytes_done, last.n_files_done) == (last.n_bytes, last.n_files) == (141_804, 4)
    assert {progress.phase for progress in seen} == set(MovePhase)


@pytest.mark.parametrize("target", ["old", "old/inside", "."])
def test_folders_within_each_other_are_refused(disks: Disks, target: str) -> None:
    disks.new = disks.old.parent / target
    with refuses("library_not_moved"):
        disks.move()
    assert disks.is_whole(disks.old)
    assert pending_move(disks.journal) is None


def test_a_folder_with_something_in_it_is_refused(disks: Disks) -> None:
    disks.new.mkdir(parents=True)
    (disks.new / "mine.txt").touch()
    with refuses("library_not_moved", match="not empty"):
        disks.move()
    assert disks.is_whole(disks.old)


def test_too_little_space_is_reported_before_copying(
    two_disks: Disks, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Usage:
        free = 1000

    monkeypatch.setattr("fireside.library.folder_move.shutil.disk_usage", lambda _: Usage)
    with refuses("library_not_moved", match="needed, 1 kB free"):
        two_disks.move()
    assert contents(two_disks.new) == {}
    assert two_disks.is_whole(two_disks.old)


def test_cancelling_removes_the_copies_and_leaves_the_old_folder(two_disks: Disks) -> None:
    seen: list[MoveProgress] = []
    with pytest.raises(MoveCancelled):
        two_disks.move(on_progress=seen.append, cancelled=lambda: len(seen) > 4)
    assert seen
    assert two_disks.is_whole(two_disks.old)
    assert not two_disks.new.exists()
    assert pending_move(two_disks.journal) is None
    assert two_disks.used == two_disks.old


def test_a_move_that_was_interrupted_can_be_cancelled(two_disks: Disks) -> None:
    def die(progress: MoveProgress) -> None:
        if progress.n_files_done == 2:
            raise Killed

    with pytest.raises(Killed):
        two_disks.move(on_progress=die)
    assert pending_move(two_disks.journal) is not None
    with pytest.raises(MoveCancelled):
        two_disks.move(cancelled=lambda: True)
    assert two_disks.is_whole(two_disks.old)
    assert not two_disks.new.exists()
    assert pending_move(two_disks.journal) is None


@pytest.mark.parametrize("setting", ["disks", "two_disks"])
def test_a_failed_switch_leaves_the_old_folder_in_use(
    setting: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    disks: Disks = request.getfixturevalue(setting)

    def refuse(_: Path) -> None:
        raise ValueError("settings")

    monkeypatch.setattr(disks, "switch", refuse)
    with pytest.raises(ValueError, match="settings"):
        disks.move()
    assert disks.is_whole(disks.old)


def test_a_damaged_copy_is_noticed_and_nothing_is_removed(
    two_disks: Disks, monkeypatch: pytest.MonkeyPatch
) -> None:
    real_fsync = os.fsync

    def damaging(descriptor: int) -> None:
        real_fsync(descriptor)
        for partial in two_disks.new.rglob("*" + COPYING_SUFFIX):
            if partial.stat().st_size:
                with partial.open("r+b") as file:
                    file.write(b"X")

    monkeypatch.setattr("fireside.library.folder_move.os.fsync", damaging)
    with refuses("library_not_moved", match="differs"):
        two_disks.move()
    assert two_disks.is_whole(two_disks.old)
    assert two_disks.used == two_disks.old


def test_a_damaged_partial_copy_is_copied_again(two_disks: Disks, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fireside.library.folder_move.BLOCK_BYTES", 1000)
    monkeypatch.setattr("fireside.files.digest.BLOCK_BYTES", 1000)

    def die(progress: MoveProgress) -> None:
        if progress.file_name == "b.gguf" and progress.phase is MovePhase.CHECKING:
            raise Killed

    with pytest.raises(Killed):
        two_disks.move(on_progress=die)
    (partial,) = two_disks.new.rglob("*" + COPYING_SUFFIX)
    partial.write_bytes(b"X" + partial.read_bytes()[1:])
    two_disks.move()
    assert two_disks.is_whole(two_disks.new)


def test_a_file_added_during_the_move_is_moved_too(two_disks: Disks) -> None:
    def add(progress: MoveProgress) -> None:
        if progress.phase is MovePhase.CHECKING:
            (two_disks.old / "late.gguf").write_bytes(b"late")

    two_disks.move(on_progress=add)
    assert contents(two_disks.new) == {**FILES, "late.gguf": b"late"}


def test_a_file_that_changed_after_copying_stays_and_is_reported(two_disks: Disks) -> None:
    changed = two_disks.old / "b.gguf"

    def switch(folder: Path) -> None:
        two_disks.used = folder
        changed.write_bytes(b"changed")

    two_disks.switch = switch  # type: ignore[method-assign]
    assert two_disks.move().left_behind == (str(changed),)
    assert changed.read_bytes() == b"changed"


def test_a_file_that_cannot_be_removed_is_retried(two_disks: Disks, monkeypatch: pytest.MonkeyPatch) -> None:
    real_unlink = Path.unlink

    def unlink(path: Path, missing_ok: bool = False) -> None:
        if path == two_disks.old / "b.gguf":
            raise PermissionError(13, "in use")
        real_unlink(path, missing_ok)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", unlink)
        assert two_disks.move().left_behind == (str(two_disks.old / "b.gguf"),)
    assert pending_move(two_disks.journal) is not None
    assert two_disks.move().left_behind == ()
    assert not two_disks.old.exists()
    assert pending_move(two_disks.journal) is None


def test_a_disconnected_disk_does_not_count_as_renamed(two_disks: Disks) -> None:
    def die(progress: MoveProgress) -> None:
        if progress.n_files_done == 2:
            raise Killed

    with pytest.raises(Killed):
        two_disks.move(on_progress=die)
    two_disks.old.replace(two_disks.old.with_name("unplugged"))
    with refuses("library_not_moved", match="current folder is missing"):
        two_disks.move()
    assert two_disks.used == two_disks.old


def test_an_empty_target_does_not_count_as_renamed(disks: Disks, monkeypatch: pytest.MonkeyPatch) -> None:
    def die(path: Path, target: Path) -> Path:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", die)
        with pytest.raises(Killed):
            disks.move()
    disks.old.rename(disks.old.with_name("unplugged"))
    disks.new.mkdir(exist_ok=True)
    with refuses("library_not_moved", match="current folder is missing"):
        disks.move()
    assert disks.used == disks.old


@needs_links
def test_links_keep_their_targets(two_disks: Disks, tmp_path: Path) -> None:
    outside = tmp_path / "outside.gguf"
    outside.write_bytes(b"outside")
    (two_disks.old / "inner.gguf").symlink_to("b.gguf")
    (two_disks.old / "outer.gguf").symlink_to("../outside.gguf")
    two_disks.move()
    assert (two_disks.new / "inner.gguf").resolve() == two_disks.new.resolve() / "b.gguf"
    assert (two_disks.new / "outer.gguf").read_bytes() == b"outside"
    assert outside.exists()


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(("setting", "step"), [("disks", 1), ("two_disks", 5)])
def test_a_move_resumes_after_a_kill_at_any_line(
    setting: str, step: int, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    request.getfixturevalue(setting)
    for number in itertools.count(step=step):
        disks = Disks(tmp_path / str(number))
        if not _killed_at(number, disks):
            break
        # Right after the kill everything is in one of the two, and the program finds it or goes on.
        assert disks.is_whole(disks.old) or disks.is_whole(disks.new), f"killed at line {number}"
        if pending_move(disks.journal) is not None or disks.used == disks.old:
            disks.move()
        assert disks.is_whole(disks.new), f"killed at line {number}"
        assert disks.used == disks.new
        assert not disks.old.exists()
    assert number > 40


def _killed_at(number: int, disks: Disks) -> bool:
    """Move, killed before line ``number`` of the moving modules; return whether that line was reached."""
    left = number

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal left
        if not frame.f_code.co_filename.endswith(("move.py", "copying.py", "durable.py")):
            return None
        if event == "line":
            left -= 1
            if left < 0:
                sys.settrace(None)
                raise Killed
        return trace

    sys.settrace(trace)
    try:
        disks.move()
    except Killed:
        return True
    finally:
        sys.settrace(None)
    return False
