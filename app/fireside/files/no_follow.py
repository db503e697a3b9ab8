"""Change files below a folder without following links, so that a planted link cannot redirect a write.

Where the system supports it, each folder is opened relative to its parent and held open, so that none can be
replaced by a link meanwhile. Windows renames no folder while a file in it is open, so there it is enough to
check each folder before and after the file is opened.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from fireside.core.i18n import tr_noop
from fireside.files.atomic_replace import rename_over

LINK_IN_THE_WAY: Final = tr_noop("A link in its place points somewhere else")
_HAS_DIR_FD: Final = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
_FOLDER: Final = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_NO_FOLLOW: Final = getattr(os, "O_NOFOLLOW", 0)


def open_file(path: Path, flags: int, *, root: Path) -> int:
    """Open a file below ``root`` for writing and return its descriptor. Raises ``OSError``."""
    flags |= _NO_FOLLOW | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    with _open_parent(path, root=root) as folder, _links_refused(path):
        descriptor = os.open(path if folder is None else path.name, flags, 0o666, dir_fd=folder)
    try:
        if folder is None:
            _refuse_links(path, root=root)
        if os.fstat(descriptor).st_nlink > 1:
            raise _link_in_the_way(path)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def make_folder(folder: Path, *, root: Path) -> None:
    """Create a folder below ``root``, with missing parents. Raises ``OSError``."""
    root.mkdir(parents=True, exist_ok=True)
    path = root
    for part in folder.relative_to(root).parts:
        path /= part
        with _open_parent(path, root=root) as parent:
            try:
                os.mkdir(path if parent is None else part, dir_fd=parent)
            except FileExistsError:
                mode = _status(path, parent).st_mode
                if stat.S_ISLNK(mode):
                    raise _link_in_the_way(path) from None
                if not stat.S_ISDIR(mode):
                    raise
    _refuse_links(folder, root=root)


def replace_file(source: Path, target: Path, *, root: Path) -> None:
    """Rename ``source`` to ``target`` in the same folder below ``root``. Raises ``OSError``."""
    with _open_parent(source, root=root) as folder:
        if stat.S_ISLNK(_status(source, folder).st_mode):
            raise _link_in_the_way(source)
        if folder is None:
            rename_over(source, target)
        else:
            os.replace(source.name, target.name, src_dir_fd=folder, dst_dir_fd=folder)


def remove_file(path: Path, *, root: Path) -> None:
    """Remove a file below ``root``, if it exists. Raises ``OSError``."""
    try:
        with _open_parent(path, root=root) as folder:
            os.unlink(path if folder is None else path.name, dir_fd=folder)
    except FileNotFoundError:
        pass


def remove_folder(folder: Path, *, root: Path) -> None:
    """Remove an empty folder below ``root``. Raises ``OSError``, also if it is a link."""
    with _open_parent(folder, root=root) as parent:
        os.rmdir(folder if parent is None else folder.name, dir_fd=parent)


@contextmanager
def _open_parent(path: Path, *, root: Path) -> Iterator[int | None]:
    """Yield the open parent folder of ``path``; ``None`` if the system has no descriptors of folders."""
    if not _HAS_DIR_FD:
        _refuse_links(path.parent, root=root)
        yield None
        return
    handle = os.open(root, _FOLDER)
    try:
        current = root
        for part in path.parent.relative_to(root).parts:
            current /= part
            with _links_refused(current):
                inner = os.open(part, _FOLDER | _NO_FOLLOW, dir_fd=handle)
            os.close(handle)
            handle = inner
        yield handle
    finally:
        os.close(handle)


@contextmanager
def _links_refused(path: Path) -> Iterator[None]:
    """Raise one error for links, which systems report in different ways."""
    try:
        yield
    except OSError as exc:
        if path.is_symlink():
            raise _link_in_the_way(path) from exc
        raise OSError(exc.errno, exc.strerror, str(path)) from exc


def _refuse_links(path: Path, *, root: Path) -> None:
    current = root
    for part in path.relative_to(root).parts:
        current /= part
        status = current.lstat()
        attributes = getattr(status, "st_file_attributes", 0)
        # A junction of Windows is no symbolic link, but points elsewhere too.
        if stat.S_ISLNK(status.st_mode) or attributes & stat.FILE_ATTRIBUTE_REPARSE_POINT:
            raise _link_in_the_way(current)


def _status(path: Path, folder: int | None) -> os.stat_result:
    return os.stat(path if folder is None else path.name, dir_fd=folder, follow_symlinks=False)


def _link_in_the_way(path: Path) -> OSError:
    return OSError(errno.ELOOP, LINK_IN_THE_WAY, str(path))
