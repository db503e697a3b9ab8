"""Extract a runtime's files from an untrusted folder or archive."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from io import FileIO
from pathlib import Path, PurePosixPath
from typing import Final

from fireside.core.errors import RuntimeNotAdded, format_bytes
from fireside.core.i18n import Translatable, tr, tr_noop
from fireside.core.runtime import RUNTIME_ARCHIVES
from fireside.engine.runtimes.libraries import is_licence, library_name
from fireside.engine.runtimes.manifest import MANIFEST_NAME
from fireside.files.archive import ArchiveFile, ArchiveRefused, open_archive

MAX_BYTES: Final = 6 << 30
"""Limit of the unpacked size. The largest known runtimes, with CUDA's own libraries, have 1.5 GB."""
MAX_MEMBERS: Final = 4096
RESERVED_BYTES: Final = 256 << 20
"""Disk space that must stay free."""
_SHADER_SUFFIXES: Final = (".metal", ".metallib", ".spv")
"""Files that backends read at run time."""

OnProgress = Callable[[int, int], None]
"""Called with the bytes written so far and in total. An exception that it raises ends the extraction."""


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
    with _files(source) as files:
        selected = _select(files, source=source)
        total = sum(file.n_bytes for file in selected)
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

        def report(n_bytes: int) -> None:
            nonlocal n_done
            n_done += n_bytes
            on_progress(n_done, total)

        for file in selected:
            if not file.link:
                file.copy_to(target / file.path.name, on_bytes=report)
    _resolve_links(
        {file.path.name: file.link for file in selected if file.link}, target=target, source=source
    )


@contextlib.contextmanager
def _files(source: Path) -> Iterator[list[ArchiveFile]]:
    """Open ``source`` and yield its files. Errors in reading it become ``RuntimeNotAdded``."""
    is_zip = source.name.lower().endswith(".zip")
    try:
        if source.is_dir():
            yield _folder_files(source)
        elif is_archive(source.name):
            bounds = {"max_files": MAX_MEMBERS, "max_bytes": 2 * MAX_BYTES}
            with open_archive(source, is_zip=is_zip, **bounds) as files:
                yield list(files)
        else:
            raise _refusal(source, tr_noop("it is neither a folder nor an archive (tar.gz, tar.xz or zip)."))
    except ArchiveRefused as exc:
        raise _refusal(source, exc.reason) from exc
    except FileNotFoundError as exc:
        raise _refusal(source, tr_noop("it is not there.")) from exc


def _folder_files(source: Path) -> list[ArchiveFile]:
    files = []
    for file in sorted(source.iterdir()):
        if not file.is_file() or not _is_needed(file.name):
            continue
        end = file.resolve()
        if file.is_symlink() and end.parent != source.resolve():
            raise _refusal(source, tr("“{name}” is a link to a file outside of it.").format(name=file.name))
        files.append(
            ArchiveFile(
                path=PurePosixPath(file.name),
                n_bytes=file.stat().st_size,
                link=end.name if file.is_symlink() and end.name != file.name else "",
                open=partial(FileIO, file),
            )
        )
    return files


def _select(files: list[ArchiveFile], *, source: Path) -> list[ArchiveFile]:
    """Return the files to copy: of the topmost folder that holds llama.cpp's library."""
    folders = [file.path.parent for file in files if library_name(file.path.name) == "llama"]
    if not folders:
        raise _refusal(source, tr_noop("llama.cpp's library (libllama) is not in it."))
    folder = min(folders, key=lambda path: (len(path.parts), str(path)))
    selected: dict[str, ArchiveFile] = {}
    for file in files:
        if file.path.parent == folder and _is_needed(file.path.name):
            if file.path.name.casefold() in selected:
                raise _refusal(source, tr("“{name}” is in it twice.").format(name=file.path.name))
            selected[file.path.name.casefold()] = file
    return list(selected.values())


def _is_needed(name: str) -> bool:
    return (
        library_name(name) is not None
        or is_licence(name)
        or name == MANIFEST_NAME
        or name.lower().endswith((*_SHADER_SUFFIXES, ".so", ".dll", ".dylib"))
        or ".so." in name
    )


def _resolve_links(links: dict[str, str], *, target: Path, source: Path) -> None:
    """Hard-link each link to its file, through any number of other links. Cycles are rejected."""
    for name in links:
        end = name
        for _ in range(len(links) + 1):
            end = str(PurePosixPath(links.get(end, end)))
        if PurePosixPath(end).name != end:
            raise _refusal(source, tr_noop("it contains links that point outside its folder."))
        if end in links or not (target / end).is_file():
            raise _refusal(source, tr("the link “{name}” in it leads nowhere.").format(name=name))
        (target / name).hardlink_to(target / end)


def _refusal(source: Path, reason: Translatable) -> RuntimeNotAdded:
    return RuntimeNotAdded(source=source.name, reason=reason)
