"""Find GGUF files below a folder, bounded in depth and number, safe against link cycles."""

from __future__ import annotations

import os
import stat
import sys

import msgspec

from fireside.core.i18n import number, tr
from fireside.core.model import LibraryFailure
from fireside.core.os_errors import render_os_error

MODEL_SUFFIX = ".gguf"
MAX_DEPTH = 12
"""Levels below the given folder. Enough for the layouts of all known applications."""
MAX_ENTRIES = 200_000
"""Files and folders examined in one walk."""

FileIdentity = tuple[int, int] | str
"""Device and inode, or the real path where the file system has no inodes."""


class WalkedFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file on the disk. Equal ``identity`` means the same file, reached by another path."""

    path: str
    size_bytes: int
    mtime_ns: int
    identity: FileIdentity


class Walk(msgspec.Struct, frozen=True, kw_only=True):
    """The files of a walk, and what could not be read, with reasons for the user."""

    files: tuple[WalkedFile, ...]
    failures: tuple[LibraryFailure, ...]


class NotAFile(Exception):
    """The path is something else than a file: a folder, a pipe, a device."""


def stat_file(path: str) -> WalkedFile:
    """Return the file at ``path``, links followed.

    Raises ``NotAFile``, an ``OSError``, or ``ValueError`` for an invalid path, or one that is no Unicode.
    """
    path.encode()
    status = os.stat(path)  # noqa: PTH116, Path would normalise what the user chose
    if not stat.S_ISREG(status.st_mode):
        raise NotAFile(path)
    return WalkedFile(
        path=path, size_bytes=status.st_size, mtime_ns=status.st_mtime_ns, identity=_identity(path, status)
    )


def walk(folder: str, *, max_depth: int = MAX_DEPTH, max_entries: int = MAX_ENTRIES) -> Walk:
    """Return every file named ``*.gguf`` below ``folder``, sorted by path.

    Hidden files and folders are skipped, links are followed once. Never raises. Blocks on the disk.
    """
    return _Walker(max_depth=max_depth, max_entries=max_entries).walk(folder)


def describe_os_error(exc: OSError) -> str:
    """Return an operating system error as a sentence for the user."""
    match exc:
        case FileNotFoundError():
            return tr("Not found. If it is on another drive, connect it.")
        case PermissionError():
            return tr("It cannot be opened: permission denied.")
        case _:
            return tr("It cannot be opened: {reason}.").format(reason=render_os_error(exc))


def readable_path(path: str) -> str:
    """Return ``path`` as valid Unicode: undecodable bytes become replacement characters."""
    return "".join("\ufffd" if "\ud800" <= character <= "\udfff" else character for character in path)


class _Walker:
    """One walk. Pending folders are on a stack, so that depth needs no recursion."""

    def __init__(self, *, max_depth: int, max_entries: int) -> None:
        self._max_depth = max_depth
        self._n_left = max_entries
        self._max_entries = max_entries
        self._files: list[WalkedFile] = []
        self._failures: list[LibraryFailure] = []
        self._visited: set[FileIdentity] = set()

    def walk(self, folder: str) -> Walk:
        pending = [(folder, 0)]
        while pending:
            current, depth = pending.pop()
            folders = self._read_folder(current)
            if depth < self._max_depth:
                pending.extend((path, depth + 1) for path in folders)
            elif folders:
                self._fail(
                    current,
                    tr("Folders more than {most} levels deep are skipped.").format(most=self._max_depth),
                )
            if self._n_left < 0:
                self._fail(
                    folder,
                    tr("More than {most} files; the rest was skipped.").format(
                        most=number(self._max_entries)
                    ),
                )
                break
        self._files.sort(key=lambda file: file.path)
        return Walk(files=tuple(self._files), failures=tuple(self._failures))

    def _read_folder(self, folder: str) -> list[str]:
        """Collect the model files in ``folder`` and return its subfolders."""
        folders: list[str] = []
        try:
            identity = _identity(folder, os.stat(folder))  # noqa: PTH116, as above
            if identity in self._visited:
                return []
            self._visited.add(identity)
            with os.scandir(folder) as entries:
                for entry in entries:
                    self._n_left -= 1
                    if self._n_left < 0:
                        break
                    if _is_hidden(entry):
                        continue
                    if _is_folder(entry):
                        folders.append(entry.path)
                    elif entry.name.lower().endswith(MODEL_SUFFIX):
                        self._add_file(entry.path)
        except OSError as exc:
            self._fail(folder, describe_os_error(exc), is_missing=isinstance(exc, FileNotFoundError))
        return folders

    def _add_file(self, path: str) -> None:
        try:
            path.encode()
            self._files.append(stat_file(path))
        except UnicodeEncodeError:
            self._fail(path, tr("Its name is not valid text. Rename it to use it."))
        except NotAFile:
            pass
        except FileNotFoundError:
            self._fail(path, tr("The file that this link points to is not there."))
        except OSError as exc:
            self._fail(path, describe_os_error(exc))

    def _fail(self, path: str, reason: str, *, is_missing: bool = False) -> None:
        failure = LibraryFailure(path=readable_path(path), reason=reason, is_missing=is_missing)
        self._failures.append(failure)


def _identity(path: str, status: os.stat_result) -> FileIdentity:
    return (status.st_dev, status.st_ino) if status.st_ino else os.path.normcase(os.path.realpath(path))


def _is_hidden(entry: os.DirEntry[str]) -> bool:
    if sys.platform == "win32":
        attributes = entry.stat(follow_symlinks=False).st_file_attributes
        return entry.name.startswith(".") or bool(attributes & stat.FILE_ATTRIBUTE_HIDDEN)
    return entry.name.startswith(".")


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # A link cycle.
        return False
