"""Open the database file: inspect it before any change, configure durability, and migrate it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import apsw

from fireside.core.errors import StorageDamaged, StorageError, StorageTooNew, StorageUnwritable
from fireside.core.i18n import tr_noop
from fireside.core.ids import FIRST_TEMPORARY
from fireside.files.fsync import sync_folder
from fireside.files.private_files import make_private_file, make_private_folder
from fireside.storage.database import MEMORY, Database, transaction
from fireside.storage.encryption import DatabaseKey, connect
from fireside.storage.errors import from_sqlite, from_system
from fireside.storage.migrations import Migration, has_all_of, inspect, load_migrations, migrate

BUSY_LIMIT_S = 5.0
BUSY_PAUSE_S = 0.01
WAL_LIMIT_BYTES = 16 * 1024 * 1024

_UNWRITABLE = (apsw.IOError, apsw.CantOpenError, apsw.ReadOnlyError, OSError)
_CONNECTION_PRAGMAS = (
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
    "PRAGMA mmap_size = 0",
    "PRAGMA temp_store = MEMORY",
    # What the user deletes is overwritten.
    "PRAGMA secure_delete = ON",
)
_WRITING_PRAGMAS = (
    # WAL with FULL: with NORMAL a power cut undoes commits that were reported as done.
    "PRAGMA synchronous = FULL",
    # macOS: only this makes the drive flush its cache. No effect elsewhere.
    "PRAGMA fullfsync = ON",
    "PRAGMA checkpoint_fullfsync = ON",
    f"PRAGMA journal_size_limit = {WAL_LIMIT_BYTES}",
    "PRAGMA foreign_keys = ON",
)


def open_database(
    path: Path | str,
    *,
    migrations: Sequence[Migration],
    give_up: threading.Event,
    busy_limit_s: float = BUSY_LIMIT_S,
    vfs: str = "",
    key: DatabaseKey | None = None,
) -> Database:
    """Open or create the database and migrate it to the newest version.

    One of a newer version, or in a place where nothing can be written, is opened read-only if it has all
    tables and columns of this version; ``Database.read_only`` says why.

    Args:
        path: the file, or ``:memory:``.
        migrations: every version from the first, in order.
        give_up: set to stop waiting for another program's lock at once.
        busy_limit_s: how long to wait for another program's lock.
        vfs: name of the SQLite file layer; "" is the system's. Others have no shared memory, so the file is
            then locked for this connection only.
        key: with which the file is encrypted; not used in memory.

    Raises:
        StorageDamaged, StorageTooNew, storage_not_migrated: the file was left untouched.
        StorageFull, storage_locked, StorageUnwritable.
    """
    file = None if str(path) == MEMORY else Path(path)
    busy_handler = _busy_handler(give_up, limit_s=busy_limit_s)
    key = None if file is None else key
    open_it = partial(_open, file, busy_handler=busy_handler, migrations=migrations, key=key)
    open_to_read = partial(_open_to_read, busy_handler=busy_handler, migrations=migrations, key=key)
    if not vfs:
        try:
            return open_it(vfs="", exclusive=False)
        except StorageTooNew as exc:
            if file is None:
                raise
            newer = StorageError.of("storage_read_only")
            return open_to_read(file, why=newer, else_=exc)
        except StorageError as exc:
            # Connections share the index of the journal through a small file. A full disk or a network drive
            # may refuse that file; an exclusive connection does not need it and can at least read.
            if not isinstance(exc.__cause__, _UNWRITABLE):
                raise
    try:
        return open_it(vfs=vfs, exclusive=True)
    except StorageUnwritable as exc:
        if file is None or vfs:
            raise
        why = StorageError.of("storage_write_protected", path=exc.path, reason=exc.reason)
        return open_to_read(file, why=why, else_=exc)


def open_temporary(give_up: threading.Event) -> Database:
    """Return a database for temporary chats: in memory, and with ids that no other database gives."""
    database = open_database(MEMORY, migrations=load_migrations(), give_up=give_up)
    database.first_id = FIRST_TEMPORARY
    with database.transaction():
        tables = "SELECT name, ? FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'"
        database.rows(f"INSERT INTO sqlite_sequence (name, seq) {tables}", FIRST_TEMPORARY)  # above
    return database


def _open(
    file: Path | None,
    *,
    busy_handler: Callable[[int], bool],
    migrations: Sequence[Migration],
    vfs: str,
    exclusive: bool,
    key: DatabaseKey | None,
) -> Database:
    path = str(file) if file is not None else MEMORY
    connection = _connect(file, path=path, vfs=vfs, key=key)
    database = Database(connection, path=path, file=file, key=key)
    try:
        with database.typed_errors():
            connection.set_busy_handler(busy_handler)
            _prepare(connection, path=path, migrations=migrations, exclusive=exclusive, key=key)
    except BaseException:
        database.close()
        raise
    return database


def _open_to_read(
    file: Path,
    *,
    why: StorageError,
    else_: StorageError,
    busy_handler: Callable[[int], bool],
    migrations: Sequence[Migration],
    key: DatabaseKey | None,
) -> Database:
    """Open the file read-only, for the reason ``why``. Raises ``else_`` if a table or column is missing."""
    path = str(file)
    try:
        connection = _connect_to_read(file, busy_handler=busy_handler, key=key)
    except apsw.Error as exc:
        raise else_ from exc
    database = Database(connection, path=path, file=file, read_only=why, key=key)
    try:
        with database.typed_errors():
            _restrict(connection)
            if not has_all_of(connection, migrations):
                raise else_
    except BaseException:
        database.close()
        raise
    return database


def _connect_to_read(
    file: Path, *, busy_handler: Callable[[int], bool], key: DatabaseKey | None
) -> apsw.Connection:
    """Return a connection that read the file. Raises ``apsw.Error``."""
    connection = connect(file, key=key, flags=apsw.SQLITE_OPEN_READONLY)
    connection.set_busy_handler(busy_handler)
    try:
        connection.execute("SELECT 1 FROM sqlite_schema").fetchall()
    except apsw.CantOpenError:
        connection.close()
        journal = file.with_name(f"{file.name}-wal")
        if journal.exists() and journal.stat().st_size > 0:
            raise
        # No journal can be made here, and none is needed: nothing is in it, and nobody writes.
        address = f"{file.absolute().as_uri()}?immutable=1"
        connection = connect(address, key=key, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    return connection


def _connect(file: Path | None, *, path: str, vfs: str, key: DatabaseKey | None) -> apsw.Connection:
    try:
        if file is not None:
            make_private_folder(file.parent)
            # SQLite gives its journal files the mode of the database.
            make_private_file(file)
            sync_folder(file.parent)
        return connect(path, key=key, vfs=vfs)
    except apsw.Error as exc:
        error = from_sqlite(exc, path=path)
        raise (error or StorageDamaged(path=path, reason=tr_noop("it cannot be opened"))) from exc
    except OSError as exc:
        raise from_system(exc, path=path) from exc


def _prepare(
    connection: apsw.Connection,
    *,
    path: str,
    migrations: Sequence[Migration],
    exclusive: bool,
    key: DatabaseKey | None,
) -> None:
    """Inspect the file first, and change it only once it is known to be Fireside's and intact."""
    _restrict(connection)
    if exclusive:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    version = inspect(connection, path=path, migrations=migrations)
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
    connection.execute("PRAGMA journal_mode = WAL").fetchall()
    for pragma in _WRITING_PRAGMAS:
        connection.execute(pragma).fetchall()
    migrate(connection, path=path, version=version, migrations=migrations, key=key)
    _check_writable(connection)


def _restrict(connection: apsw.Connection) -> None:
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DDL, 0)
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    for pragma in _CONNECTION_PRAGMAS:
        connection.execute(pragma)


def _check_writable(connection: apsw.Connection) -> None:
    """Raise now, not with the first message, if nothing can be written."""
    try:
        with transaction(connection):
            pass
    except apsw.BusyError:
        # Another program is writing, so writing is possible.
        return


def _busy_handler(give_up: threading.Event, *, limit_s: float) -> Callable[[int], bool]:
    """Return a busy handler for SQLite: it waits for a lock, up to ``limit_s`` and not while closing."""
    until = 0.0

    def wait(n_earlier_calls: int) -> bool:
        nonlocal until
        if n_earlier_calls == 0:
            until = time.monotonic() + limit_s
        return time.monotonic() < until and not give_up.wait(BUSY_PAUSE_S)

    return wait
