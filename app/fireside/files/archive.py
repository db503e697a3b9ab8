"""The files of archives that are not trusted: zip and tar."""

from __future__ import annotations

import contextlib
import lzma
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO, Final

import msgspec

from fireside.core.i18n import Phrase, Translatable, tr_noop

_BLOCK_BYTES: Final = 1 << 20
_MAX_LINK_BYTES: Final = 4_096
_DAMAGED: Final = tr_noop("the archive is damaged.")


class ArchiveRefused(Exception):
    """An archive that is damaged or holds what it must not; ``reason`` ends a sentence about it."""

    def __init__(self, reason: Translatable) -> None:
        super().__init__(reason)
        self.reason = reason


class ArchiveFile(msgspec.Struct, frozen=True, kw_only=True):
    """One file or link."""

    path: PurePosixPath
    """Within the archive."""
    n_bytes: int
    """As the archive states it."""
    is_program: bool = False
    link: str = ""
    """For a link, its target as seen from its own folder; it is within the archive."""
    open: Callable[[], IO[bytes]]

    def copy_to(self, target: Path, *, on_bytes: Callable[[int], object] = lambda _: None) -> None:
        """Write the content to the new file ``target``; ``on_bytes`` receives the size of each block, and may
        raise to cancel. Raises ``ArchiveRefused`` if it is of another size than stated, or ``OSError``."""
        n_bytes = 0
        with self.open() as file, target.open("xb") as copy:
            while block := file.read(_BLOCK_BYTES):
                n_bytes += len(block)
                if n_bytes > self.n_bytes:
                    raise _refused(tr_noop("“{name}” in it is longer than it says."), self.path)
                copy.write(block)
                on_bytes(len(block))
        if n_bytes < self.n_bytes:
            raise ArchiveRefused(_DAMAGED)


@contextlib.contextmanager
def open_archive(
    source: Path, *, is_zip: bool, max_files: int, max_bytes: int
) -> Iterator[Iterator[ArchiveFile]]:
    """Open ``source`` and yield its files and links in order, without folders. They can be read in the block.

    Refused are names and links that lead out of the archive on any system or through a link, anything else
    but files, folders and links, and more than ``max_files`` members or ``max_bytes`` unpacked.

    Raises ``ArchiveRefused``, also while its files are listed and read, or ``OSError``.
    """
    try:
        with contextlib.ExitStack() as stack:
            found = (
                _zip_files(stack.enter_context(zipfile.ZipFile(source)))
                if is_zip
                else _tar_files(stack.enter_context(tarfile.open(source, "r:*")))
            )
            yield _checked(found, max_files=max_files, max_bytes=max_bytes)
    except (tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError) as exc:
        raise ArchiveRefused(_DAMAGED) from exc
    except (RuntimeError, NotImplementedError) as exc:  # a password, or an unknown compression
        raise ArchiveRefused(tr_noop("the archive’s compression is not supported.")) from exc


def _checked(found: Iterator[ArchiveFile | None], *, max_files: int, max_bytes: int) -> Iterator[ArchiveFile]:
    """Yield what is found, without the ``None`` that each folder is."""
    n_bytes = 0
    links: set[PurePosixPath] = set()
    for n, file in enumerate(found):
        n_bytes += 0 if file is None else file.n_bytes
        if n >= max_files or n_bytes > max_bytes:
            raise ArchiveRefused(tr_noop("it holds too much."))
        if file is None:
            continue
        if not links.isdisjoint(file.path.parents):
            raise ArchiveRefused(tr_noop("it contains names that point outside its folder."))
        if file.link:
            links.add(file.path)
        yield file


def _zip_files(archive: zipfile.ZipFile) -> Iterator[ArchiveFile | None]:
    for info in archive.infolist():
        mode = info.external_attr >> 16
        if info.is_dir():
            yield None
            continue
        path = _checked_path(info.filename)
        if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFLNK):
            raise _refused(tr_noop("“{name}” in it is neither a file nor a folder."), path)
        link = ""
        if stat.S_ISLNK(mode):
            with archive.open(info) as file:
                link = _checked_link(file.read(_MAX_LINK_BYTES).decode("utf-8", "replace"), path=path)
        yield ArchiveFile(
            path=path,
            n_bytes=0 if link else info.file_size,
            is_program=bool(mode & stat.S_IXUSR),
            link=link,
            open=partial(archive.open, info),
        )


def _tar_files(archive: tarfile.TarFile) -> Iterator[ArchiveFile | None]:
    for info in archive:
        if info.isdir():
            yield None
            continue
        path = _checked_path(info.name)
        if not (info.isreg() or info.issym() or info.islnk()):
            raise _refused(tr_noop("“{name}” in it is neither a file nor a folder."), path)
        link = ""
        if info.islnk():  # relative to the archive's root, where others are to their own folder
            linked = _checked_path(info.linkname)
            link = linked.name if linked.parent == path.parent else "/"
        if link or info.issym():
            link = _checked_link(link or info.linkname, path=path)
        yield ArchiveFile(
            path=path,
            n_bytes=0 if link else info.size,
            is_program=bool(info.mode & stat.S_IXUSR),
            link=link,
            open=partial(_content, archive, info),
        )


def _content(archive: tarfile.TarFile, info: tarfile.TarInfo) -> IO[bytes]:
    file = archive.extractfile(info)
    assert file is not None, "a regular file can be read"
    return file


def _checked_path(name: str) -> PurePosixPath:
    path = PurePosixPath(name.replace("\\", "/"))
    is_outside = path.is_absolute() or not path.parts or ".." in path.parts or PureWindowsPath(name).drive
    if is_outside or ":" in name or "\0" in name:
        raise ArchiveRefused(tr_noop("it contains names that point outside its folder."))
    return path


def _checked_link(target: str, *, path: PurePosixPath) -> str:
    depth = len(path.parts) - 1
    is_outside = not target or "\\" in target or ":" in target or "\0" in target
    for part in PurePosixPath(target).parts:
        depth += -1 if part == ".." else 1
        is_outside |= depth < 0 or part == "/"
    if is_outside:
        raise ArchiveRefused(tr_noop("it contains links that point outside its folder."))
    return target


def _refused(sentence: str, path: PurePosixPath) -> ArchiveRefused:
    return ArchiveRefused(Phrase(sentence, {"name": path.name}))
