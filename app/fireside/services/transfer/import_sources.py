"""Open what the user imports: files, folders and ZIP archives, all with limits."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Final, Protocol

import msgspec

from fireside.core.errors import format_bytes
from fireside.core.i18n import number, tr, tr_noop
from fireside.core.os_errors import render_os_error
from fireside.services.transfer.import_refusal import ImportRefused

MAX_DOCUMENT_BYTES: Final = 1 << 30
"""Of one JSON document."""
MAX_ENTRIES: Final = 200_000
MAX_COMPRESSION_RATIO: Final = 200
"""Largest compression ratio of a file in an archive; text compresses to a twentieth at best."""
UNCHECKED_BYTES: Final = 16 << 20
"""Files up to this size may have any compression ratio."""
_MAX_DEPTH: Final = 6


class ImportSource(Protocol):
    """Named files, wherever they are. Names have slashes."""

    def names(self) -> tuple[str, ...]:
        """Return the names of all files."""

    def read(self, name: str) -> bytes:
        """Return a file's content. Raises ``ImportRefused``."""


class FolderSource(msgspec.Struct, frozen=True):
    """The files of a folder, or a single file."""

    root: Path
    single: bool = False

    def names(self) -> tuple[str, ...]:
        if self.single:
            return (self.root.name,)
        return tuple(islice(_files_below(self.root), MAX_ENTRIES))

    def read(self, name: str) -> bytes:
        # Files that belong to a single selected file are in its folder.
        return _read_bounded((self.root.parent if self.single else self.root) / name)


class ZipSource:
    """The files of a ZIP archive. To be closed."""

    def __init__(self, path: Path) -> None:
        """Raises ``ImportRefused``."""
        try:
            self._archive = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as exc:
            raise ImportRefused(tr_noop("it is no ZIP archive that can be read.")) from exc
        if len(self._archive.infolist()) > MAX_ENTRIES:
            self._archive.close()
            raise ImportRefused(tr("it has more than {most} files in it.").format(most=number(MAX_ENTRIES)))
        self._known = {info.filename: info for info in self._archive.infolist() if not info.is_dir()}

    def names(self) -> tuple[str, ...]:
        return tuple(self._known)

    def read(self, name: str) -> bytes:
        info = self._known.get(name)
        if info is None:
            raise ImportRefused(tr("“{name}” is missing in it.").format(name=PurePosixPath(name).name))
        is_suspicious = (
            info.file_size > UNCHECKED_BYTES and info.file_size > MAX_COMPRESSION_RATIO * info.compress_size
        )
        if info.file_size > MAX_DOCUMENT_BYTES or is_suspicious:
            raise ImportRefused(
                tr("“{name}” in it would be {file_size} large.").format(
                    name=PurePosixPath(name).name, file_size=format_bytes(info.file_size)
                )
            )
        try:
            with self._archive.open(info) as file:
                # The size that the archive states need not be true.
                content = file.read(info.file_size + 1)
        except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError, EOFError, ValueError) as exc:
            raise ImportRefused(
                tr("“{name}” in it cannot be unpacked.").format(name=PurePosixPath(name).name)
            ) from exc
        if len(content) > info.file_size:
            raise ImportRefused(
                tr("“{name}” in it is larger than it says.").format(name=PurePosixPath(name).name)
            )
        return content

    def close(self) -> None:
        self._archive.close()


def _read_bounded(path: Path) -> bytes:
    """Return a file's content. Raises ``ImportRefused``."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_DOCUMENT_BYTES + 1)
    except OSError as exc:
        raise ImportRefused(tr("it cannot be read ({reason}).").format(reason=render_os_error(exc))) from exc
    if len(content) > MAX_DOCUMENT_BYTES:
        raise ImportRefused(tr("it is larger than {most}.").format(most=format_bytes(MAX_DOCUMENT_BYTES)))
    return content


def _files_below(root: Path, depth: int = 0) -> Iterator[str]:
    """Yield the files below a folder; links are not followed."""
    try:
        entries = sorted(root.iterdir())
    except OSError:
        return
    for entry in entries:
        if entry.is_symlink():
            continue
        if entry.is_dir() and depth < _MAX_DEPTH:
            yield from (f"{entry.name}/{name}" for name in _files_below(entry, depth + 1))
        elif entry.is_file():
            yield entry.name


@contextmanager
def open_source(path: Path) -> Iterator[ImportSource]:
    """Open a folder, a ZIP archive (detected by its content) or a file. Raises ``ImportRefused``."""
    if path.is_dir():
        yield FolderSource(root=path)
    elif zipfile.is_zipfile(path):
        archive = ZipSource(path)
        try:
            yield archive
        finally:
            archive.close()
    else:
        yield FolderSource(root=path, single=True)
