"""Copy the whole database into one file, which is checked before it gets its name."""

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
from fireside.storage.encryption import DatabaseKey, append_record, connect

_INDEX_FINDING: Final = re.compile(r"fts5\b.*\bsearch_(text|title)\b", re.IGNORECASE)

BUSY_LIMIT_MS = 5_000


def copy_database(connection: apsw.Connection, *, path: str, target: Path, key: DatabaseKey | None) -> None:
    """Copy the database of ``connection`` to ``target``; an older copy is replaced only by an intact one.

    ``key`` is that of the database; the copy is under the same, and carries its record.

    Raises:
        StorageDamaged: the database is damaged; ``path`` is its path for the message.
        apsw.Error, OSError: the copy could not be written.
    """
    partial = target.with_name(target.name + ".part")
    partial.unlink(missing_ok=True)
    make_private_file(partial)
    try:
        _copy(connection, partial, key=key)
        check_copy(partial, key, path=path)
        if key is not None:
            append_record(partial, key.record)
        sync_file(partial)
        rename_over(partial, target)
    finally:
        partial.unlink(missing_ok=True)
    sync_folder(target.parent)


def copy_file(source: Path, target: Path, *, key: DatabaseKey | None) -> None:
    """Copy the database file ``source`` as ``copy_database`` does, also while other programs use it."""
    connection = connect(source, key=key, flags=apsw.SQLITE_OPEN_READONLY)
    try:
        connection.set_busy_timeout(BUSY_LIMIT_MS)
        copy_database(connection, path=str(source), target=target, key=key)
    finally:
        connection.close(force=True)


def _copy(connection: apsw.Connection, partial: Path, *, key: DatabaseKey | None) -> None:
    copy = connect(partial, key=key, vfs=connection.open_vfs)
    try:
        # No other program knows the file, and it is synchronised as a whole once it has been checked.
        copy.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
        copy.execute("PRAGMA synchronous = OFF")
        with copy.backup("main", connection, "main") as backup:
            while not backup.done:
                backup.step(-1)
        # The copied header selects WAL, which needs a second file; the copy has to be one file.
        copy.execute("PRAGMA journal_mode = DELETE").fetchall()
    finally:
        copy.close(force=True)


def check_copy(partial: Path, key: DatabaseKey | None, *, path: str) -> None:
    """Raise ``StorageDamaged``, which names ``path``, if a copy is not an intact database."""
    copy = connect(partial, key=key, flags=apsw.SQLITE_OPEN_READONLY)
    try:
        copy.execute("PRAGMA cell_size_check = ON")
        is_intact = all(map(_is_repairable, copy.execute("PRAGMA integrity_check").fetchall()))
        has_orphans = bool(copy.execute("PRAGMA foreign_key_check").fetchall())
    except UnicodeDecodeError:
        is_intact, has_orphans = False, True
    finally:
        copy.close(force=True)
    if not is_intact or has_orphans:
        raise StorageDamaged(path=path, reason=tr_noop("its contents do not fit together"))


def _is_repairable(finding: tuple[object, ...]) -> bool:
    """Return whether a result of the check is “ok” or concerns the search index, which can be rebuilt."""
    (text,) = finding
    return text == "ok" or (isinstance(text, str) and _INDEX_FINDING.search(text) is not None)
