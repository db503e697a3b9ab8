"""Open the database file: look before touching, set it up for durability, bring it up to date."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import apsw

from fireside.core.errors import StorageDamaged, StorageError, StorageReadOnly, StorageTooNew
from fireside.core.i18n import tr_noop
from fireside.files.fsync import sync_folder
from fireside.files.private_files import make_private_file, make_private_folder
from fireside.storage.database import MEMORY, Database, transaction
from fireside.storage.errors import from_sqlite, from_system
from fireside.storage.migrations import Migration, has_all_of, inspect, migrate

BUSY_LIMIT_S = 5.0
BUSY_PAUSE_S = 0.01
WAL_LIMIT_BYTES = 16 * 1024 * 1024

_CONNECTION_PRAGMAS = (
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
    "PRAGMA mmap_size = 0",
    "PRAGMA temp_store = MEMORY",
    # What the user deletes is overwritten, not only forgotten.
    "PRAGMA secure_delete = ON",
)
_WRITING_PRAGMAS = (
    # WAL with FULL: with NORMAL a power cut takes back commits that were reported as done.
    "PRAGMA synchronous = FULL",
    # macOS: only this makes the drive write its own cache. Nothing elsewhere.
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
    reads_newer: bool = False,
) -> Database:
    """Open or create the database and bring it to the newest version.

    Args:
        path: the file, or ``:memory:``.
        migrations: every version from the first, in order.
        give_up: set to stop waiting for another program's lock at once.
        busy_limit_s: how long to wait for another program's lock.
        vfs: name of the SQLite file layer; "" is the system's. Another one has no shared memory, so the file
            is then held for this connection alone.
        reads_newer: whether to open what a newer version wrote, for reading alone, if it still has all that
            this version reads.

    Raises:
        StorageDamaged, StorageTooNew, StorageNotMigrated: the file was left untouched.
        StorageFull, StorageLocked, StorageUnwritable.
    """
    file = None if str(path) == MEMORY else Path(path)
    wait = _patience(give_up, limit_s=busy_limit_s)
    if not vfs:
        try:
            return _open(file, wait=wait, migrations=migrations, vfs="", exclusive=False)
        except StorageTooNew as exc:
            if file is None or not reads_newer:
                raise
            return _open_to_read(file, newer=exc, wait=wait, migrations=migrations)
        except StorageError as exc:
            # Connections share their view of the journal through a small file of its own. A full disk or a
            # network drive may refuse it; alone, one can do without and at least read.
            if not isinstance(exc.__cause__, apsw.IOError | apsw.CantOpenError | apsw.ReadOnlyError):
                raise
    return _open(file, wait=wait, migrations=migrations, vfs=vfs, exclusive=True)


def _open(
    file: Path | None,
    *,
    wait: Callable[[int], bool],
    migrations: Sequence[Migration],
    vfs: str,
    exclusive: bool,
) -> Database:
    path = str(file) if file is not None else MEMORY
    connection = _connect(file, path=path, vfs=vfs)
    database = Database(connection, path=path, file=file)
    try:
        with database.typed_errors():
            connection.set_busy_handler(wait)
            _prepare(connection, path=path, migrations=migrations, exclusive=exclusive)
    except BaseException:
        database.close()
        raise
    return database


def _open_to_read(
    file: Path, *, newer: StorageTooNew, wait: Callable[[int], bool], migrations: Sequence[Migration]
) -> Database:
    """Open the file so that SQLite itself cannot write to it. Raises ``newer`` if something is missing."""
    path = str(file)
    connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
    why = StorageReadOnly(path=path, version=newer.version, supported=newer.supported)
    database = Database(connection, path=path, file=file, read_only=why)
    try:
        with database.typed_errors():
            connection.set_busy_handler(wait)
            _restrict(connection)
            if not has_all_of(connection, migrations):
                raise newer
    except BaseException:
        database.close()
        raise
    return database


def _connect(file: Path | None, *, path: str, vfs: str) -> apsw.Connection:
    try:
        if file is not None:
            make_private_folder(file.parent)
            # SQLite gives its journal files the mode of the database, so this one is enough.
            make_private_file(file)
            sync_folder(file.parent)
        return apsw.Connection(path, vfs=vfs or None)
    except apsw.Error as exc:
        error = from_sqlite(exc, path=path)
        raise (error or StorageDamaged(path=path, reason=tr_noop("it cannot be opened"))) from exc
    except OSError as exc:
        raise from_system(exc, path=path) from exc


def _prepare(
    connection: apsw.Connection, *, path: str, migrations: Sequence[Migration], exclusive: bool
) -> None:
    """Look at the file first, change it only once it is known to be ours and sound."""
    _restrict(connection)
    if exclusive:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    version = inspect(connection, path=path, migrations=migrations)
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
    connection.execute("PRAGMA journal_mode = WAL").fetchall()
    for pragma in _WRITING_PRAGMAS:
        connection.execute(pragma).fetchall()
    migrate(connection, path=path, version=version, migrations=migrations)
    _check_writable(connection)


def _restrict(connection: apsw.Connection) -> None:
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DDL, 0)
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    for pragma in _CONNECTION_PRAGMAS:
        connection.execute(pragma)


def _check_writable(connection: apsw.Connection) -> None:
    """Find out now, and not with the first message, that nothing can be written here."""
    try:
        with transaction(connection):
            pass
    except apsw.BusyError:
        # Another program is writing, so it is possible.
        return


def _patience(give_up: threading.Event, *, limit_s: float) -> Callable[[int], bool]:
    """Return SQLite's busy handler: wait for a lock, but neither forever nor while closing."""
    until = 0.0

    def wait(n_earlier_calls: int) -> bool:
        nonlocal until
        if n_earlier_calls == 0:
            until = time.monotonic() + limit_s
        return time.monotonic() < until and not give_up.wait(BUSY_PAUSE_S)

    return wait
