"""Migrate a database to the newest version: numbered SQL files, in one transaction, after a checked copy."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeVar

import apsw
import msgspec

from fireside.core.errors import StorageDamaged, StorageError, StorageTooNew
from fireside.core.i18n import tr_noop
from fireside.storage.backup import copy_database
from fireside.storage.database import transaction
from fireside.storage.encryption import DatabaseKey
from fireside.storage.errors import from_sqlite

T = TypeVar("T")

APPLICATION_ID = 0x46697265
"""“Fire” in the file's header, which distinguishes Fireside's files from other databases."""

COPIES_KEPT: Final = 2
"""How many of the copies made before migrations are kept, those of the newest versions."""
_FILE_NAME = re.compile(r"(\d{4})_\w+\.sql")


class Migration(msgspec.Struct, frozen=True, kw_only=True):
    """The step from the previous version to ``version``."""

    version: int
    sql: str


def load_migrations() -> tuple[Migration, ...]:
    """Return the program's own migrations, oldest first."""
    folder = Path(__file__).with_name("migrations")
    files = sorted(
        (int(match[1]), entry.read_text("utf-8"))
        for entry in folder.iterdir()
        if (match := _FILE_NAME.fullmatch(entry.name))
    )
    return tuple(Migration(version=version, sql=sql) for version, sql in files)


def inspect(connection: apsw.Connection, *, path: str, migrations: Sequence[Migration]) -> int:
    """Return the file's version; 0 for a new file. Changes nothing.

    Raises:
        StorageTooNew: a newer Fireside wrote it.
        StorageDamaged: it is another program's database, or its schema is incomplete.
    """
    connection.execute("BEGIN")  # a consistent read, since another program may be migrating
    try:
        return _inspect(connection, path=path, migrations=migrations)
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _inspect(connection: apsw.Connection, *, path: str, migrations: Sequence[Migration]) -> int:
    application_id = _number(connection, "PRAGMA application_id")
    version = _number(connection, "PRAGMA user_version")
    if application_id == 0 and version == 0 and not _schema(connection):
        if _number(connection, "PRAGMA page_count") == 0 and _has_contents(connection):
            raise StorageDamaged(path=path, reason=tr_noop("it is cut short"))
        return 0
    if application_id != APPLICATION_ID:
        raise StorageDamaged(path=path, reason=tr_noop("it does not belong to Fireside"))
    newest = max((migration.version for migration in migrations), default=0)
    if version > newest:
        raise StorageTooNew(path=path, version=version, supported=newest)
    applied = [migration for migration in migrations if migration.version <= version]
    if version < 1 or _schema(connection) != _result_of(applied, _schema):
        raise StorageDamaged(path=path, reason=tr_noop("its tables are not those of Fireside"))
    return version


def migrate(
    connection: apsw.Connection,
    *,
    path: str,
    version: int,
    migrations: Sequence[Migration],
    key: DatabaseKey | None = None,
) -> None:
    """Migrate ``connection`` from ``version`` to the newest.

    An existing database is first copied to ``NAME.version-N.backup`` beside it, under the same ``key``, and
    the copy is checked. All migrations are applied or none, so that the previous version of the program can
    still open the database.

    Raises:
        StorageDamaged: the database, or the result of a migration, is not consistent.
        storage_not_migrated: SQLite refused a migration.
        apsw.Error, OSError: for instance, the disk is full.
    """
    if not _pending(connection, migrations):
        return
    if version > 0:
        copy_database(connection, path=path, target=Path(f"{path}.version-{version}.backup"), key=key)
    # Rebuilding a table would otherwise delete the rows that refer to it.
    connection.execute("PRAGMA foreign_keys = OFF")
    try:
        with transaction(connection):
            for migration in _pending(connection, migrations):
                connection.execute(migration.sql).fetchall()
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {migration.version}")
            if connection.execute("PRAGMA foreign_key_check").fetchall():
                raise StorageDamaged(path=path, reason=tr_noop("some rows belong to nothing"))
    except apsw.Error as exc:
        if from_sqlite(exc, path=path) is not None:
            raise
        raise StorageError.of("storage_not_migrated", path=path, reason=str(exc)) from exc
    finally:
        connection.execute("PRAGMA foreign_keys = ON")
    if version > 0:
        _remove_old_copies(Path(path))


def _pending(connection: apsw.Connection, migrations: Sequence[Migration]) -> list[Migration]:
    """Return the migrations still to apply; another program may have applied them meanwhile."""
    version = _number(connection, "PRAGMA user_version")
    return [migration for migration in migrations if migration.version > version]


def has_all_of(connection: apsw.Connection, migrations: Sequence[Migration]) -> bool:
    """Return whether the file has every table and column that ``migrations`` create."""
    return _result_of(migrations, _columns) <= _columns(connection)


def _remove_old_copies(database: Path) -> None:
    name = re.compile(re.escape(database.name) + r"\.version-(\d{1,6})\.backup")
    copies = sorted(
        (int(match[1]), path) for path in database.parent.iterdir() if (match := name.fullmatch(path.name))
    )
    for _version, path in copies[:-COPIES_KEPT]:
        with suppress(OSError):
            path.unlink()


def _result_of(migrations: Sequence[Migration], read: Callable[[apsw.Connection], set[T]]) -> set[T]:
    database = apsw.Connection(":memory:")
    try:
        for migration in migrations:
            database.execute(migration.sql).fetchall()
        return read(database)
    finally:
        database.close()


def _columns(connection: apsw.Connection) -> set[tuple[object, ...]]:
    sql = """
        SELECT CAST(tables.name AS BLOB), CAST(info.name AS BLOB)
        FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS info
        WHERE tables.type = 'table' AND tables.name NOT GLOB 'sqlite_*'
          AND tables.name NOT GLOB 'search_text_*' AND tables.name NOT GLOB 'search_title_*'
    """
    return set(connection.execute(sql).fetchall())


def _schema(connection: apsw.Connection) -> set[tuple[object, ...]]:
    # As bytes, since names in a damaged file may not be text. SQLite's statistics tables may come and go, and
    # the tables of its search index depend on the version of SQLite.
    sql = """
        SELECT CAST(type AS BLOB), CAST(name AS BLOB), CAST(tbl_name AS BLOB), CAST(sql AS BLOB)
        FROM sqlite_schema
        WHERE name NOT LIKE 'sqlite_stat%'
          AND name NOT GLOB 'search_text_*' AND name NOT GLOB 'search_title_*'
    """
    return set(connection.execute(sql).fetchall())


def _number(connection: apsw.Connection, sql: str) -> int:
    value = connection.execute(sql).get
    assert isinstance(value, int)
    return value


def _has_contents(connection: apsw.Connection) -> bool:
    file = connection.filename
    return bool(file) and Path(file).stat().st_size > 0
