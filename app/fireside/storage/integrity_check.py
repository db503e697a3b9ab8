"""Check the integrity of a database without changing it."""

from __future__ import annotations

from pathlib import Path

import apsw

from fireside.core.errors import StorageDamaged
from fireside.core.i18n import tr_noop
from fireside.storage.encryption import DatabaseKey, connect
from fireside.storage.errors import from_sqlite
from fireside.storage.migrations import inspect, load_migrations

_BUSY_MS = 2000


def check_database(path: Path, *, key: DatabaseKey | None = None) -> int | None:
    """Check the whole file and return its size in bytes; ``None`` if it does not exist.

    The database may be open in another program. Blocks for about a second a gigabyte.

    Raises:
        StorageError: the database is damaged or cannot be read.
    """
    if not path.exists():
        return None
    if not path.is_file():  # reading a pipe would wait for ever
        raise StorageDamaged(path=str(path), reason=tr_noop("it is not a file"))
    try:
        connection = connect(path, key=key, flags=apsw.SQLITE_OPEN_READONLY)
        try:
            connection.set_busy_timeout(_BUSY_MS)
            inspect(connection, path=str(path), migrations=load_migrations())
            rows = connection.execute("PRAGMA quick_check(1)").fetchall()
        finally:
            connection.close()
    except apsw.Error as exc:
        error = from_sqlite(exc, path=str(path))
        if error is None:
            raise
        raise error from exc
    if rows != [("ok",)]:
        raise StorageDamaged(path=str(path), reason=tr_noop("its contents do not fit together"))
    return path.stat().st_size
