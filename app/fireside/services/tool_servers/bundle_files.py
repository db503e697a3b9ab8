"""Unpack bundles of MCP servers, which are not trusted, and remove unused ones."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from fireside.core.errors import ToolServerInvalid
from fireside.core.i18n import Phrase, Translatable, tr_noop
from fireside.core.os_errors import render_os_error
from fireside.files.archive import ArchiveRefused, open_archive
from fireside.files.digest import digest_of

MANIFEST: Final = "manifest.json"
MAX_BYTES: Final = 1 << 30
"""Unpacked."""
MAX_MEMBERS: Final = 50_000
_MAX_MANIFEST: Final = 1 << 20
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
    except ArchiveRefused as exc:
        raise _refused(exc.reason) from exc
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
    seen: set[str] = set()
    with open_archive(source, is_zip=True, max_files=MAX_MEMBERS, max_bytes=MAX_BYTES) as files:
        for file in list(files):
            name = str(file.path).casefold()
            if file.link:
                sentence = tr_noop("“{name}” in it is neither a file nor a folder.")
                raise _refused(Phrase(sentence, {"name": file.path.name}))
            if name in seen:
                raise _refused(Phrase(tr_noop("“{name}” is in it twice."), {"name": file.path.name}))
            seen.add(name)
            path = target / file.path
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            file.copy_to(path)
            if file.is_program:
                path.chmod(0o700)


def _refused(reason: Translatable) -> ToolServerInvalid:
    return ToolServerInvalid(reason=reason)
