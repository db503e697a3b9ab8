"""A copy of the whole database in one file, checked before it takes its name."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import apsw

from fireside.core.errors import StorageDamaged
from fireside.core.i18n import tr_noop
from fireside.files.atomic_replace import rename_over
from fireside.files.fsync import sync_file, sync_folder
from fireside.files.private_files import make_private_file

_OF_THE_INDEX: Final = re.compile(r"fts5\b.*\bsearch_(text|title)\b", re.IGNORECASE)

BUSY_LIMIT_MS = 5_000


def copy_database(connection: apsw.Connection, *, path: str, target: Path) -> None:
    """Copy the database of ``connection`` to ``target``; an older copy there is replaced only by a sound one.

    Raises:
        StorageDamaged: the database is not sound; ``path`` names it in the message.
        apsw.Error, OSError: the copy could not be written.
    """
    partial = target.with_name(target.name + ".part")
    partial.unlink(missing_ok=True)
    make_private_file(partial)
    try:
        _copy(connection, partial)
        _check(partial, path=path)
        sync_file(partial)
        rename_over(partial, target)
    finally:
        partial.unlink(missing_ok=True)
    sync_folder(target.parent)


def copy_file(source: Path, target: Path) -> None:
    """Copy the database file ``source`` to ``target`` while others use it, as ``copy_database`` does."""
    connection = apsw.Connection(str(source), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        connection.set_busy_timeout(BUSY_LIMIT_MS)
        copy_database(connection, path=str(source), target=target)
    finally:
        connection.close(force=True)


def _copy(connection: apsw.Connection, partial: Path) -> None:
    copy = apsw.Connection(str(partial), vfs=connection.open_vfs)
    try:
        # No other program knows of it, and it is synchronised as a whole when it is known to be sound.
        copy.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
        copy.execute("PRAGMA synchronous = OFF")
        with copy.backup("main", connection, "main") as backup:
            while not backup.done:
                backup.step(-1)
        # The header was copied too and asks for a journal beside the file; one file is all there shall be.
        copy.execute("PRAGMA journal_mode = DELETE").fetchall()
    finally:
        copy.close(force=True)


def _check(partial: Path, *, path: str) -> None:
    copy = apsw.Connection(str(partial), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        copy.execute("PRAGMA cell_size_check = ON")
        is_sound = all(map(_can_be_mended, copy.execute("PRAGMA integrity_check").fetchall()))
        has_strays = bool(copy.execute("PRAGMA foreign_key_check").fetchall())
    except UnicodeDecodeError:
        is_sound, has_strays = False, True
    finally:
        copy.close(force=True)
    if not is_sound or has_strays:
        raise StorageDamaged(path=path, reason=tr_noop("its contents do not fit together"))


def _can_be_mended(finding: tuple[object, ...]) -> bool:
    """Return whether a finding is none, or of the search index, which is built anew from what is sound."""
    (words,) = finding
    return words == "ok" or (isinstance(words, str) and _OF_THE_INDEX.search(words) is not None)
