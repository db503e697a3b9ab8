"""Move the library to another folder, safe against a crash at any moment.

On the same disk the folder is renamed. Between disks every file is copied, read back and compared; once all
are there, the program switches to the new folder, and the old files are removed after that. A journal records
the stage, and an interrupted move is resumed.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.errors import ModelError, format_bytes
from fireside.core.i18n import tr, tr_noop
from fireside.core.library import MovePhase, MoveProgress, MoveResult
from fireside.core.os_errors import render_os_error
from fireside.files.atomic_replace import rename_over
from fireside.files.digest import BLOCK_BYTES, digest_of_content
from fireside.files.fsync import flush, sync_file, sync_folder
from fireside.files.json_file import JsonFile, OnDamaged

_JOURNAL_LIMIT: Final = 256_000_000
_LOSS: Final = tr_noop("A move of the library was interrupted. Start it again.")
SPARE_BYTES: Final = 256 * 1024 * 1024

OnProgress = Callable[[MoveProgress], None]
COPYING_SUFFIX: Final = ".moving"
"""Suffix of an unfinished copy; it gets its name once it is verified."""


class MoveCancelled(Exception):
    """The caller cancelled the move; all files are where they were."""


class _Stage(StrEnum):
    RENAMING = "renaming"
    COPYING = "copying"
    SWITCHED = "switched"


class MoveJournal(msgspec.Struct, frozen=True, kw_only=True):
    """A move that was started."""

    source: str
    target: str
    stage: _Stage
    folder_number: int = 0
    """Inode of the old folder, which stays the same when it is renamed."""
    copied: tuple[_Entry, ...] = ()
    """Files that may be removed from the old folder."""


class _Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One file of the old folder, by its relative path with ``/``."""

    path: str
    size_bytes: int
    mtime_ns: int
    is_link: bool = False


def pending_move(journal_path: Path, *, on_damaged: OnDamaged = lambda _: None) -> MoveJournal | None:
    """Return the move that was started and not finished, if there is one."""
    return _journal_file(journal_path, on_damaged=on_damaged).read()


def _journal_file(path: Path, *, on_damaged: OnDamaged = lambda _: None) -> JsonFile[MoveJournal]:
    return JsonFile(path, MoveJournal, limit=_JOURNAL_LIMIT, loss=_LOSS, on_damaged=on_damaged)


def move_library(
    source: Path,
    target: Path,
    *,
    journal_path: Path,
    switch: Callable[[Path], None],
    on_progress: OnProgress = lambda _: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> MoveResult:
    """Move all files of ``source`` to ``target``, or resume an interrupted move.

    Meanwhile nothing may be written to ``source``, and no model in it be loaded. Blocks as long as the disks
    take. ``switch`` makes the program use the new folder permanently; it is called once the new one is
    complete, and again if it is unknown after a crash whether it was. After that ``cancelled`` is not called
    any more.

    Raises ``library_not_moved`` or ``MoveCancelled``; what ``switch`` raises passes through. After any of
    them the old folder is unchanged and in use. After ``MoveCancelled`` the copies are removed; otherwise
    they stay, so that the next attempt is shorter.
    """
    move = _Move(
        source=source, target=target, journal_path=journal_path, on_progress=on_progress, cancelled=cancelled
    )
    try:
        return move.run(switch)
    except (OSError, CopyDamaged) as exc:
        raise ModelError.of("library_not_moved", folder=str(target), reason=_reason(exc)) from exc


class _Move:
    def __init__(
        self,
        *,
        source: Path,
        target: Path,
        journal_path: Path,
        on_progress: OnProgress,
        cancelled: Callable[[], bool],
    ) -> None:
        self._source = source.absolute()
        self._target = target.absolute()
        self._journal_path = journal_path
        self._on_progress = on_progress
        self._cancelled = cancelled

    def run(self, switch: Callable[[Path], None]) -> MoveResult:
        journal = pending_move(self._journal_path)
        folders = (str(self._source), str(self._target))
        stage = journal.stage if journal is not None and (journal.source, journal.target) == folders else None
        if journal is not None and stage is _Stage.SWITCHED:
            switch(self._target)
            return self._finish(journal.copied)
        if journal is not None and stage is _Stage.RENAMING and self._was_renamed(journal.folder_number):
            return self._switch_to_renamed(switch)
        self._check(may_hold_files=stage is _Stage.COPYING)
        if stage is not _Stage.COPYING:
            if self._cancelled():
                self._remove_journal()
                raise MoveCancelled
            self._write_journal(_Stage.RENAMING)
            if self._rename():
                return self._switch_to_renamed(switch)
            self._write_journal(_Stage.COPYING)
        return self._copy(switch)

    def _was_renamed(self, folder_number: int) -> bool:
        """Whether the folder has its new name; a missing old one may also be on a disk that is not
        connected."""
        with contextlib.suppress(OSError):
            return not self._source.exists() and self._target.stat().st_ino == folder_number
        return False

    def _switch_to_renamed(self, switch: Callable[[Path], None]) -> MoveResult:
        """Switch to the renamed folder, or rename it back."""
        try:
            sync_folder(self._target.parent)
            sync_folder(self._source.parent)
            switch(self._target)
        except Exception:
            self._target.rename(self._source)
            self._remove_journal()
            raise
        self._remove_journal()
        return _result(self._target, tuple(_entries(self._target)))

    def _check(self, *, may_hold_files: bool) -> None:
        """Raise ``library_not_moved`` where the move cannot succeed."""
        if not self._source.is_dir():
            self._refuse(tr_noop("the current folder is missing."))
        real_source, real_target = self._source.resolve(), self._target.resolve()
        if real_source == real_target:
            self._refuse(tr_noop("they are already there."))
        if real_target.is_relative_to(real_source) or real_source.is_relative_to(real_target):
            self._refuse(tr_noop("one folder is inside the other."))
        if self._target.exists() and not self._target.is_dir():
            self._refuse(tr_noop("it is not a folder."))
        if not may_hold_files and self._target.is_dir() and any(self._target.iterdir()):
            self._refuse(tr_noop("it is not empty. Choose a new or an empty folder."))

    def _refuse(self, reason: str) -> None:
        raise ModelError.of("library_not_moved", folder=str(self._target), reason=reason)

    def _rename(self) -> bool:
        """Try to rename; return ``False`` if the folders are on different disks."""
        try:
            self._target.parent.mkdir(parents=True, exist_ok=True)
            if self._target.is_dir():
                self._target.rmdir()
            self._source.rename(self._target)
        except OSError as exc:
            if exc.errno in (errno.EXDEV, errno.EBUSY):  # Busy: one of them is a mount point.
                return False
            self._remove_journal()
            raise
        return True

    def _copy(self, switch: Callable[[Path], None]) -> MoveResult:
        try:
            entries = self._copy_all()
        except MoveCancelled:
            self._remove_copies()
            self._remove_journal()
            raise
        for folder in {(self._target / entry.path).parent for entry in entries} | {self._target}:
            sync_folder(folder)
        switch(self._target)
        # Files are removed only now, and only those in this list.
        self._write_journal(_Stage.SWITCHED, copied=entries)
        return self._finish(entries)

    def _copy_all(self) -> tuple[_Entry, ...]:
        """Copy until nothing new is found: another program may have added a file meanwhile."""
        entries: tuple[_Entry, ...] | None = None
        while entries != (current := tuple(_entries(self._source))):
            entries = current
            self._check_cancelled()
            self._check_space(entries)
            progress = _Progress(entries, self._on_progress)
            for entry in entries:
                self._copy_one(entry, progress)
        return entries

    def _check_cancelled(self) -> None:
        if self._cancelled():
            raise MoveCancelled

    def _check_space(self, entries: Sequence[_Entry]) -> None:
        self._target.mkdir(parents=True, exist_ok=True)
        missing = sum(entry.size_bytes for entry in entries if not self._matches(self._target, entry))
        free = shutil.disk_usage(self._target).free
        if missing and missing + SPARE_BYTES > free:
            self._refuse(
                tr("{size} needed, {free} free.").format(
                    size=format_bytes(missing + SPARE_BYTES), free=format_bytes(free)
                )
            )

    def _copy_one(self, entry: _Entry, progress: _Progress) -> None:
        source, target = self._source / entry.path, self._target / entry.path
        self._check_cancelled()
        if not self._matches(self._target, entry):
            target.parent.mkdir(parents=True, exist_ok=True)
            if entry.is_link:
                copy_link(source, target, root=self._source)
            else:
                copy_verified(
                    source,
                    target,
                    on_copied=lambda n: self._advance(progress, MovePhase.COPYING, entry, n),
                    on_checked=lambda n: self._advance(progress, MovePhase.CHECKING, entry, n),
                )
        progress.done(entry)

    def _advance(self, progress: _Progress, phase: MovePhase, entry: _Entry, n_bytes: int) -> None:
        self._check_cancelled()
        progress.advance(phase, entry, n_bytes)

    def _finish(self, entries: Sequence[_Entry]) -> MoveResult:
        """Remove the old files that are in the new folder, unless they changed."""
        progress = _Progress(entries, self._on_progress)
        n_refused = 0
        for entry in entries:
            progress.advance(MovePhase.REMOVING, entry, 0)
            if self._matches(self._source, entry) and self._matches(self._target, entry):
                try:
                    (self._source / entry.path).unlink()
                except OSError:
                    n_refused += 1
        _remove_empty_folders(self._source)
        if not n_refused:  # Otherwise it is retried at the next start.
            self._remove_journal()
        remaining = _entries(self._source) if self._source.is_dir() else ()
        return _result(
            self._target, entries, left_behind=[str(self._source / entry.path) for entry in remaining]
        )

    def _remove_copies(self) -> None:
        """Remove all files of the new folder: it was empty before."""
        for entry in tuple(_entries(self._target)):
            with contextlib.suppress(OSError):
                (self._target / entry.path).unlink()
        _remove_empty_folders(self._target)

    def _matches(self, root: Path, entry: _Entry) -> bool:
        """Whether the file below ``root`` is that of ``entry``: a copy gets its name only once verified."""
        path = root / entry.path
        try:
            status = path.lstat()
        except OSError:
            return False
        if entry.is_link or path.is_symlink():
            return entry.is_link and path.is_symlink()
        # Some file systems store times with a resolution of two seconds.
        near = abs(status.st_mtime_ns - entry.mtime_ns) <= 2_000_000_000
        return status.st_size == entry.size_bytes and near

    def _write_journal(self, stage: _Stage, *, copied: tuple[_Entry, ...] = ()) -> None:
        journal = MoveJournal(
            source=str(self._source),
            target=str(self._target),
            stage=stage,
            folder_number=self._source.stat().st_ino,
            copied=copied,
        )
        _journal_file(self._journal_path).write(journal)

    def _remove_journal(self) -> None:
        self._journal_path.unlink(missing_ok=True)
        sync_folder(self._journal_path.parent)


class _Progress:
    """Counts files and bytes, each byte once as copied and once as verified."""

    def __init__(self, entries: Sequence[_Entry], report: OnProgress) -> None:
        self._report = report
        self._n_files = len(entries)
        self._n_bytes = 2 * sum(entry.size_bytes for entry in entries)
        self._n_files_done = 0
        self._n_bytes_done = 0

    def advance(self, phase: MovePhase, entry: _Entry, n_bytes: int) -> None:
        """Add ``n_bytes`` of the file that were copied, or verified."""
        before = entry.size_bytes if phase is MovePhase.CHECKING else 0
        self._report(
            MoveProgress(
                phase=phase,
                file_name=entry.path.rpartition("/")[2],
                n_files_done=self._n_files_done,
                n_files=self._n_files,
                n_bytes_done=self._n_bytes_done + before + n_bytes,
                n_bytes=self._n_bytes,
            )
        )

    def done(self, entry: _Entry) -> None:
        self._n_files_done += 1
        self._n_bytes_done += 2 * entry.size_bytes
        self.advance(MovePhase.COPYING, entry, 0)


def _entries(root: Path) -> Iterator[_Entry]:
    """Return every file below ``root``, sorted by path; links are not followed."""
    entries: list[_Entry] = []
    for folder, folders, names in os.walk(root, onerror=_raise):
        links = [name for name in folders if (Path(folder) / name).is_symlink()]
        for name in (*names, *links):
            path = Path(folder) / name
            status = path.lstat()
            entries.append(
                _Entry(
                    path=path.relative_to(root).as_posix(),
                    size_bytes=0 if path.is_symlink() else status.st_size,
                    mtime_ns=status.st_mtime_ns,
                    is_link=path.is_symlink(),
                )
            )
    yield from sorted(entries, key=lambda entry: entry.path)


def _raise(error: OSError) -> None:
    raise error


def _result(target: Path, entries: Sequence[_Entry], *, left_behind: Sequence[str] = ()) -> MoveResult:
    return MoveResult(
        folder=str(target),
        n_files=len(entries),
        n_bytes=sum(entry.size_bytes for entry in entries),
        left_behind=tuple(left_behind),
    )


def _remove_empty_folders(root: Path) -> None:
    for folder, _, _ in os.walk(root, topdown=False):
        with contextlib.suppress(OSError):
            Path(folder).rmdir()


def _reason(exc: OSError | CopyDamaged) -> str:
    if isinstance(exc, CopyDamaged):
        return tr("the copy of {name} differs. The disk may be damaged.").format(name=exc.name)
    if exc.errno == errno.ENOSPC:
        return tr_noop("the disk is full.")
    name = Path(os.fsdecode(exc.filename)).name if exc.filename else ""
    text = render_os_error(exc)
    return f"{name}: {text}." if name else f"{text}."


class CopyDamaged(Exception):
    """What was read back differs from what was written."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def copy_verified(
    source: Path, target: Path, *, on_copied: Callable[[int], None], on_checked: Callable[[int], None]
) -> None:
    """Copy ``source`` to ``target``, with its modification time.

    ``target`` exists only once its content was synced, read back and found equal. A partial copy of an
    earlier attempt is resumed. The callbacks receive the bytes so far after each 8 MiB, and may raise to
    cancel. Raises ``OSError`` or ``CopyDamaged``.
    """
    partial = target.with_name(target.name + COPYING_SUFFIX)
    n_resumed = partial.stat().st_size // BLOCK_BYTES * BLOCK_BYTES if partial.exists() else 0
    digest = _copy(source, partial, n_resumed=n_resumed, on_copied=on_copied)
    if n_resumed and _digest_on_disk(partial, on_checked) != digest:
        # The partial copy of an earlier attempt was damaged.
        n_resumed = 0
        digest = _copy(source, partial, n_resumed=0, on_copied=on_copied)
    if not n_resumed and _digest_on_disk(partial, on_checked) != digest:
        partial.unlink()
        raise CopyDamaged(target.name)
    status = source.stat()
    os.utime(partial, ns=(status.st_atime_ns, status.st_mtime_ns))
    sync_file(partial)
    rename_over(partial, target)


def copy_link(source: Path, target: Path, *, root: Path) -> None:
    """Copy a link: with the same target text within ``root``, otherwise as an absolute path.

    Raises ``OSError``.
    """
    link_text = source.readlink()
    destination = source.parent / link_text
    is_inside = Path(os.path.normpath(destination)).is_relative_to(root) and not link_text.is_absolute()
    if os.path.lexists(target):
        target.unlink()
    target.symlink_to(link_text if is_inside else os.path.normpath(destination), destination.is_dir())


def _copy(source: Path, partial: Path, *, n_resumed: int, on_copied: Callable[[int], None]) -> str:
    """Copy what follows the first ``n_resumed`` bytes, and return the hash of the whole."""
    digest = hashlib.sha256()
    n_read = 0
    with source.open("rb", buffering=0) as reader, partial.open("r+b" if n_resumed else "wb") as writer:
        writer.truncate(n_resumed)
        writer.seek(n_resumed)
        while block := reader.read(BLOCK_BYTES):
            digest.update(block)
            n_read += len(block)
            if n_read > n_resumed:
                writer.write(block[max(0, n_resumed - n_read + len(block)) :])
            on_copied(n_read)
        writer.flush()
        flush(writer.fileno())
    return digest.hexdigest()


def _digest_on_disk(path: Path, on_checked: Callable[[int], None]) -> str:
    with path.open("rb", buffering=0) as reader:
        _drop_page_cache(reader.fileno())
        return digest_of_content(reader, on_progress=on_checked)


def _drop_page_cache(descriptor: int) -> None:
    """Drop the file from the page cache where the system can, so that it is read from the disk."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
