"""Unpack bundles of MCP servers, which are not trusted, and remove unused ones."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Final

from fireside.core.errors import ToolServerInvalid
from fireside.core.i18n import Phrase, Translatable, tr_noop
from fireside.core.os_errors import render_os_error
from fireside.files.digest import digest_of

MANIFEST: Final = "manifest.json"
MAX_BYTES: Final = 1 << 30
"""Unpacked."""
MAX_MEMBERS: Final = 50_000
_MAX_MANIFEST: Final = 1 << 20
_BLOCK: Final = 1 << 20
_NAME_DIGITS: Final = 32


def unpack_bundle(source: Path, *, below: Path) -> Path:
    """Unpack a bundle and return its folder below ``below``, named after the content.

    Starts nothing. Raises ``ToolServerInvalid``.
    """
    try:
        name = digest_of(source)[:_NAME_DIGITS]
        target = below / name
        if not target.is_dir():
            below.mkdir(parents=True, exist_ok=True, mode=0o700)
            unfinished = below / f"{name}.{os.getpid()}"
            try:
                _unpack(source, unfinished)
                unfinished.replace(target)
            finally:
                shutil.rmtree(unfinished, ignore_errors=True)
    except (zipfile.BadZipFile, zlib.error, EOFError) as exc:
        raise _refused(tr_noop("the archive is damaged.")) from exc
    except (RuntimeError, NotImplementedError) as exc:  # a password, or an unknown compression
        raise _refused(tr_noop("the archive’s compression is not supported.")) from exc
    except OSError as exc:
        raise _refused(f"{render_os_error(exc)}.") from exc
    return target


def manifest_of(folder: Path) -> bytes:
    """Return the manifest of an unpacked bundle. Raises ``ToolServerInvalid``."""
    try:
        with (folder / MANIFEST).open("rb") as file:
            return file.read(_MAX_MANIFEST)
    except OSError as exc:
        raise _refused(tr_noop("it has no manifest.")) from exc


def remove_unused_bundles(below: Path, *, used: Iterable[str]) -> None:
    """Remove the bundles below ``below`` except the folders ``used``. Never raises."""
    kept = {Path(folder) for folder in used if folder}
    with contextlib.suppress(OSError):
        for folder in below.iterdir():
            if folder not in kept:
                shutil.rmtree(folder, ignore_errors=True)


def _unpack(source: Path, target: Path) -> None:
    with zipfile.ZipFile(source) as archive:
        members = [info for info in archive.infolist() if not info.is_dir()]
        if len(members) > MAX_MEMBERS or sum(info.file_size for info in members) > MAX_BYTES:
            raise _refused(tr_noop("it holds too much."))
        seen: set[str] = set()
        for info in members:
            path = _checked(info)
            if str(path).casefold() in seen:
                raise _refused(Phrase(tr_noop("“{name}” is in it twice."), {"name": path.name}))
            seen.add(str(path).casefold())
            member_path = target.joinpath(*path.parts)
            member_path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            _copy(archive, info, member_path)


def _checked(info: zipfile.ZipInfo) -> PurePosixPath:
    """Return a member's path. Refuses one that leads out of the archive on any system, or is not a file."""
    name = info.filename
    path = PurePosixPath(name.replace("\\", "/"))
    parts = path.parts
    if (
        path.is_absolute()
        or not parts
        or ".." in parts
        or PureWindowsPath(name).drive
        or ":" in name
        or "\0" in name
    ):
        raise _refused(tr_noop("it contains names that point outside its folder."))
    if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
        raise _refused(Phrase(tr_noop("“{name}” in it is neither a file nor a folder."), {"name": path.name}))
    return path


def _copy(archive: zipfile.ZipFile, info: zipfile.ZipInfo, target: Path) -> None:
    with archive.open(info) as file, target.open("xb") as copy:
        shutil.copyfileobj(file, copy, _BLOCK)  # no more than the size that the member states
    if (info.external_attr >> 16) & stat.S_IXUSR:
        target.chmod(0o700)


def _refused(reason: Translatable) -> ToolServerInvalid:
    return ToolServerInvalid(reason=reason)
