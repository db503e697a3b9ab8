"""A copy of the whole database in one file, checked before it takes its name."""

from __future__ import annotations

from pathlib import Path

import apsw

from fireside.core.errors import StorageDamaged
from fireside.storage.files import make_private_file, sync_file, sync_folder


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
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
    sync_folder(target.parent)


def _copy(connection: apsw.Connection, partial: Path) -> None:
    copy = apsw.Connection(str(partial), vfs=connection.open_vfs)
    try:
        # Nobody else knows of it, and it is synchronised as a whole when it is known to be sound.
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
        is_sound = copy.execute("PRAGMA integrity_check(1)").fetchall() == [("ok",)]
        has_strays = bool(copy.execute("PRAGMA foreign_key_check").fetchall())
    except UnicodeDecodeError:
        is_sound, has_strays = False, True
    finally:
        copy.close(force=True)
    if not is_sound or has_strays:
        raise StorageDamaged(path=path, reason="its contents do not fit together")
