"""Extract a runtime's files from an untrusted folder or archive."""

from __future__ import annotations

import contextlib
import lzma
import shutil
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO, Final

import msgspec

from fireside.core.errors import RuntimeNotAdded, format_bytes
from fireside.core.i18n import tr, tr_noop
from fireside.core.runtime import RUNTIME_ARCHIVES
from fireside.engine.runtimes.libraries import is_licence, library_name
from fireside.engine.runtimes.manifest import MANIFEST_NAME

MAX_BYTES: Final = 6 << 30
"""Limit of the unpacked size. The largest known runtimes, with CUDA's own libraries, have 1.5 GB."""
MAX_MEMBERS: Final = 4096
RESERVED_BYTES: Final = 256 << 20
"""Disk space that must stay free."""
_BLOCK_BYTES: Final = 1 << 20
_SHADER_SUFFIXES: Final = (".metal", ".metallib", ".spv")
"""Files that backends read at run time."""

OnProgress = Callable[[int, int], None]
"""Called with the bytes written so far and in total. An exception that it raises ends the extraction."""


class _Member(msgspec.Struct, frozen=True, kw_only=True):
    """One file of an archive or folder."""

    path: PurePosixPath
    n_bytes: int
    link: str | None
    """For a link, the name of its target, which is in the same folder."""
    open: Callable[[], IO[bytes]]


def is_archive(name: str) -> bool:
    """Whether a file name has the suffix of a supported archive."""
    return name.lower().endswith(RUNTIME_ARCHIVES)


def unpack(source: Path, *, target: Path, on_progress: OnProgress, max_bytes: int = MAX_BYTES) -> None:
    """Copy the files of the runtime in ``source`` into the empty folder ``target``, without subfolders.

    Copied are the libraries, licences and manifest of the folder that holds ``libllama``. A link may only
    refer to a file in its own folder; it becomes a hard link to that file.

    Raises:
        RuntimeNotAdded: ``source`` is rejected; with the reason.
        OSError: ``target`` cannot be written.
    """
    with _members(source) as members:
        selected = _select(members, source=source)
        total = sum(member.n_bytes for member in selected)
        if total > max_bytes:
            raise RuntimeNotAdded(
                source=source.name,
                reason=tr("it holds more than {most}.").format(most=format_bytes(max_bytes)),
            )
        free = shutil.disk_usage(target).free
        if total + RESERVED_BYTES > free:
            raise RuntimeNotAdded(
                source=source.name,
                reason=tr("it needs {total} of disk space; {free} free.").format(
                    total=format_bytes(total), free=format_bytes(free)
                ),
            )
        n_done = 0
        for member in selected:
            if member.link is None:
                for n_bytes in _copy(member, target / member.path.name, source=source):
                    n_done += n_bytes
                    on_progress(n_done, total)
    _resolve_links([member for member in selected if member.link is not None], target=target, source=source)


@contextlib.contextmanager
def _members(source: Path) -> Iterator[list[_Member]]:
    """Open ``source`` and yield its members. Errors in reading it become ``RuntimeNotAdded``."""
    try:
        with contextlib.ExitStack() as stack:
            if source.is_dir():
                yield _folder_members(source)
            elif source.name.lower().endswith(".zip"):
                yield _zip_members(stack.enter_context(zipfile.ZipFile(source)), source=source)
            elif is_archive(source.name):
                yield _tar_members(stack.enter_context(tarfile.open(source, "r:*")), source=source)
            else:
                raise _refusal(
                    source, tr_noop("it is neither a folder nor an archive (tar.gz, tar.xz or zip).")
                )
    except (tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError) as exc:
        raise _refusal(source, tr_noop("the archive is damaged.")) from exc
    except FileNotFoundError as exc:
        raise _refusal(source, tr_noop("it is not there.")) from exc
    except (RuntimeError, NotImplementedError) as exc:  # encrypted, or an unknown compression
        raise _refusal(source, tr_noop("the archive’s compression is not supported.")) from exc


def _folder_members(source: Path) -> list[_Member]:
    members = []
    for file in sorted(source.iterdir()):
        if not file.is_file() or not _is_needed(file.name):
            continue
        link = None
        if file.is_symlink():
            link = file.resolve().name
            if file.resolve().parent != source.resolve():
                raise _refusal(
                    source, tr("“{name}” is a link to a file outside of it.").format(name=file.name)
                )
            if link == file.name:
                link = None
        members.append(
            _Member(
                path=PurePosixPath(file.name),
                n_bytes=file.stat().st_size,
                link=link,
                open=lambda file=file: file.open("rb"),  # type: ignore[misc]  # bound per member
            )
        )
    return members


def _tar_members(archive: tarfile.TarFile, *, source: Path) -> list[_Member]:
    members: list[_Member] = []
    total = 0
    for info in archive:
        total = _checked_total(len(members), total + max(0, info.size), source=source)
        path = _checked_path(info.name, source=source)
        if info.isdir():
            continue
        if not (info.isreg() or info.issym() or info.islnk()):
            raise _refusal(
                source, tr("“{name}” in it is neither a file nor a folder.").format(name=path.name)
            )
        link = None
        if not info.isreg():
            # A hard link's target is relative to the archive's root, a symbolic link's to its own folder.
            linked = PurePosixPath(info.linkname)
            is_sibling = info.islnk() and linked.parent == path.parent
            link = _checked_link(linked.name if is_sibling else info.linkname, source=source)
        members.append(
            _Member(
                path=path,
                n_bytes=info.size if info.isreg() else 0,
                link=link,
                open=lambda info=info: _file_in(archive, info),  # type: ignore[misc]  # bound per member
            )
        )
    return members


def _file_in(archive: tarfile.TarFile, info: tarfile.TarInfo) -> IO[bytes]:
    file = archive.extractfile(info)
    assert file is not None, "a regular file can be read"
    return file


def _zip_members(archive: zipfile.ZipFile, *, source: Path) -> list[_Member]:
    members: list[_Member] = []
    total = 0
    for info in archive.infolist():
        total = _checked_total(len(members), total + info.file_size, source=source)
        path = _checked_path(info.filename, source=source)
        mode = info.external_attr >> 16
        if info.is_dir():
            continue
        if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFLNK):
            raise _refusal(
                source, tr("“{name}” in it is neither a file nor a folder.").format(name=path.name)
            )
        link = None
        if stat.S_ISLNK(mode):
            with archive.open(info) as file:
                link = _checked_link(file.read(256).decode("utf-8", "replace"), source=source)
        members.append(
            _Member(
                path=path,
                n_bytes=0 if link else info.file_size,
                link=link,
                open=lambda info=info: archive.open(info),  # type: ignore[misc]  # bound per member
            )
        )
    return members


def _checked_total(n_members: int, total: int, *, source: Path) -> int:
    if n_members >= MAX_MEMBERS or total > 2 * MAX_BYTES:
        raise _refusal(source, tr_noop("it contains far more than a runtime."))
    return total


def _checked_path(name: str, *, source: Path) -> PurePosixPath:
    """Return a member's path. Raises ``RuntimeNotAdded`` if it leaves the archive's root on any system."""
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or PureWindowsPath(name).drive or "\0" in name:
        raise _refusal(source, tr_noop("it contains names that point outside its folder."))
    return path


def _checked_link(name: str, *, source: Path) -> str:
    name = name.removeprefix("./")
    if not name or name in {".", ".."} or PurePosixPath(name).name != name or "\\" in name or ":" in name:
        raise _refusal(source, tr_noop("it contains links that point outside its folder."))
    return name


def _select(members: list[_Member], *, source: Path) -> list[_Member]:
    """Return the members to copy: of the topmost folder that holds llama.cpp's library."""
    folders = [member.path.parent for member in members if library_name(member.path.name) == "llama"]
    if not folders:
        raise _refusal(source, tr_noop("llama.cpp's library (libllama) is not in it."))
    folder = min(folders, key=lambda path: (len(path.parts), str(path)))
    selected = {}
    for member in members:
        if member.path.parent == folder and _is_needed(member.path.name):
            if member.path.name.casefold() in selected:
                raise _refusal(source, tr("“{name}” is in it twice.").format(name=member.path.name))
            selected[member.path.name.casefold()] = member
    return list(selected.values())


def _is_needed(name: str) -> bool:
    return (
        library_name(name) is not None
        or is_licence(name)
        or name == MANIFEST_NAME
        or name.lower().endswith((*_SHADER_SUFFIXES, ".so", ".dll", ".dylib"))
        or ".so." in name
    )


def _copy(member: _Member, path: Path, *, source: Path) -> Iterator[int]:
    """Copy a file, yielding the size of each block written."""
    n_written = 0
    with member.open() as file, path.open("xb") as copy:
        while block := file.read(_BLOCK_BYTES):
            n_written += len(block)
            if n_written > member.n_bytes:
                raise _refusal(
                    source, tr("“{name}” in it is longer than it says.").format(name=member.path.name)
                )
            copy.write(block)
            yield len(block)
    if n_written < member.n_bytes:
        raise _refusal(source, tr_noop("the archive is damaged."))


def _resolve_links(links: list[_Member], *, target: Path, source: Path) -> None:
    """Hard-link each link to its file, through any number of other links. Cycles are rejected."""
    targets = {member.path.name: member.link or "" for member in links}
    for name in targets:
        end = name
        for _ in range(len(targets) + 1):
            end = targets.get(end, end)
        if end in targets or not (target / end).is_file():
            raise _refusal(source, tr("the link “{name}” in it leads nowhere.").format(name=name))
        (target / name).hardlink_to(target / end)


def _refusal(source: Path, reason: str) -> RuntimeNotAdded:
    return RuntimeNotAdded(source=source.name, reason=reason)
