"""One connection to the database file: how it is opened, its transactions, its errors."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from enum import StrEnum
from pathlib import Path

import apsw

from fireside.core.errors import StorageDamaged, StorageUnwritable
from fireside.storage.errors import from_sqlite, from_system
from fireside.storage.files import identity, make_private_file, make_private_folder, sync_folder
from fireside.storage.migrate import Migration, inspect, migrate
from fireside.storage.transaction import transaction

MEMORY = ":memory:"
BUSY_LIMIT_S = 5.0
BUSY_PAUSE_S = 0.01
WAL_LIMIT_BYTES = 16 * 1024 * 1024

Value = None | int | float | str | bytes
"""What a column holds."""
Row = tuple[Value, ...]


class Durability(StrEnum):
    """What a commit has to outlive."""

    PROCESS = "process"
    """The program may be killed right after. The next commit with ``POWER_CUT`` covers this one too."""
    POWER_CUT = "power_cut"
    """The machine may lose its power right after. Costs a wait for the disk."""


_SYNCHRONOUS = {Durability.PROCESS: "NORMAL", Durability.POWER_CUT: "FULL"}

_CONNECTION_PRAGMAS = (
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
    "PRAGMA mmap_size = 0",
    "PRAGMA temp_store = MEMORY",
    # What a person deletes is overwritten, not only forgotten.
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


class Database:
    """The connection and what is known of its file. For one thread at a time."""

    def __init__(self, connection: apsw.Connection, *, path: str, file: Path | None) -> None:
        self._connection = connection
        self._path = path
        self._file = file
        self._identity = identity(file) if file is not None else None
        self._durability = Durability.POWER_CUT

    @property
    def path(self) -> str:
        """Path of the file, for messages; ``:memory:`` if there is none."""
        return self._path

    @property
    def connection(self) -> apsw.Connection:
        """The connection itself, for copies of the whole database."""
        return self._connection

    def rows(self, sql: str, *bindings: Value) -> list[Row]:
        """Run one statement and return all of its rows."""
        return self._connection.execute(sql, bindings).fetchall()

    def row(self, sql: str, *bindings: Value) -> Row | None:
        """Run one statement and return its first row, or ``None``."""
        found = self.rows(sql, *bindings)
        return found[0] if found else None

    def insert(self, sql: str, *bindings: Value) -> int:
        """Run one INSERT and return the id of its row."""
        self.rows(sql, *bindings)
        return self._connection.last_insert_rowid()

    @contextmanager
    def transaction(self, durability: Durability = Durability.POWER_CUT) -> Iterator[None]:
        """Commit what the block does, all of it or nothing."""
        self._check_same_file()
        if durability is not self._durability:
            # Not allowed inside a transaction, and stays until it is changed again.
            self.rows(f"PRAGMA synchronous = {_SYNCHRONOUS[durability]}")
            self._durability = durability
        with transaction(self._connection):
            yield

    @contextmanager
    def typed_errors(self) -> Iterator[None]:
        """Raise what SQLite or the system raises in the block as a ``StorageError``.

        An error that none fits is a bug, unless the file turns out to be damaged.
        """
        try:
            yield
        except apsw.Error as exc:
            if (error := from_sqlite(exc, path=self._path)) is not None:
                raise error from exc
            if not self._is_sound():
                raise StorageDamaged(path=self._path, reason="its contents do not fit together") from exc
            raise
        except OSError as exc:
            raise from_system(exc, path=self._path) from exc

    def close(self) -> None:
        """Write the journal back into the file and let it go."""
        _close(self._connection)

    def _is_sound(self) -> bool:
        try:
            return self.rows("PRAGMA quick_check(1)") == [("ok",)]
        except (apsw.Error, UnicodeDecodeError):
            return False

    def _check_same_file(self) -> None:
        """Refuse to go on writing into a file that is no longer where a person would look for it."""
        if self._file is not None and identity(self._file) != self._identity:
            raise StorageUnwritable(
                path=self._path, reason="The file was moved or deleted while Fireside was running."
            )


def open_database(
    path: Path | str,
    *,
    migrations: Sequence[Migration],
    give_up: threading.Event,
    busy_limit_s: float = BUSY_LIMIT_S,
    vfs: str = "",
) -> Database:
    """Open or create the database and bring it to the newest version.

    Args:
        path: the file, or ``:memory:``.
        migrations: every version from the first, in order.
        give_up: set to stop waiting for another program's lock at once.
        busy_limit_s: how long to wait for another program's lock.
        vfs: name of the SQLite file layer; "" is the system's. Another one has no shared memory, so the file
            is then held for this connection alone.

    Raises:
        StorageDamaged, StorageTooNew: the file was left untouched.
        StorageFull, StorageLocked, StorageUnwritable.
    """
    file = None if str(path) == MEMORY else Path(path)
    name = str(path)
    try:
        if file is not None:
            make_private_folder(file.parent)
            make_private_file(file)
            sync_folder(file.parent)
        connection = apsw.Connection(name, vfs=vfs or None)
    except apsw.Error as exc:
        error = from_sqlite(exc, path=name)
        raise (error or StorageDamaged(path=name, reason="it cannot be opened")) from exc
    except OSError as exc:
        raise from_system(exc, path=name) from exc
    database = Database(connection, path=name, file=file)
    try:
        with database.typed_errors():
            connection.set_busy_handler(_patience(give_up, limit_s=busy_limit_s))
            _prepare(connection, path=name, migrations=migrations, exclusive=bool(vfs))
    except BaseException:
        _close(connection)
        raise
    return database


def _prepare(
    connection: apsw.Connection, *, path: str, migrations: Sequence[Migration], exclusive: bool
) -> None:
    """Look at the file first, change it only once it is known to be ours and sound."""
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DDL, 0)
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    for pragma in _CONNECTION_PRAGMAS:
        connection.execute(pragma)
    if exclusive:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    version = inspect(connection, path=path, migrations=migrations)
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
    connection.execute("PRAGMA journal_mode = WAL").fetchall()
    for pragma in _WRITING_PRAGMAS:
        connection.execute(pragma).fetchall()
    migrate(connection, path=path, version=version, migrations=migrations)


def _close(connection: apsw.Connection) -> None:
    """Close, whatever the disk says: commits are safe, and the next opening writes the journal back."""
    with suppress(apsw.Error):
        connection.close(force=True)


def _patience(give_up: threading.Event, *, limit_s: float) -> Callable[[int], bool]:
    """Return SQLite's busy handler: wait for a lock, but neither forever nor while closing."""
    until = 0.0

    def wait(n_earlier_calls: int) -> bool:
        nonlocal until
        if n_earlier_calls == 0:
            until = time.monotonic() + limit_s
        return time.monotonic() < until and not give_up.wait(BUSY_PAUSE_S)

    return wait
