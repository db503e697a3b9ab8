"""Bring a database to the newest version: numbered SQL files, one transaction each, a checked copy first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

import apsw
import msgspec

from fireside.core.errors import StorageDamaged, StorageTooNew
from fireside.core.i18n import tr_noop
from fireside.storage.backup import copy_database
from fireside.storage.database import transaction

APPLICATION_ID = 0x46697265
"""“Fire”, in the file's header: tells our files from any other database."""

_FILE_NAME = re.compile(r"(\d{4})_\w+\.sql")


class Migration(msgspec.Struct, frozen=True, kw_only=True):
    """The step from the version before to ``version``."""

    version: int
    sql: str


def load_migrations() -> tuple[Migration, ...]:
    """Return the program's own migrations, first to newest."""
    folder = resources.files("fireside.storage") / "migrations"
    found = sorted(
        (int(match[1]), entry.read_text("utf-8"))
        for entry in folder.iterdir()
        if (match := _FILE_NAME.fullmatch(entry.name))
    )
    return tuple(Migration(version=version, sql=sql) for version, sql in found)


def inspect(connection: apsw.Connection, *, path: str, migrations: Sequence[Migration]) -> int:
    """Return the file's version; 0 for a new file. Changes nothing.

    Raises:
        StorageTooNew: a newer Fireside wrote it.
        StorageDamaged: it is another program's database, or not all of ours.
    """
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
    if version < 1 or _schema(connection) != _expected_schema(applied):
        raise StorageDamaged(path=path, reason=tr_noop("its tables are not those of Fireside"))
    return version


def migrate(connection: apsw.Connection, *, path: str, version: int, migrations: Sequence[Migration]) -> None:
    """Take ``connection`` from ``version`` to the newest.

    An existing database is copied first, to ``NAME.version-N.backup`` beside it, and the copy is checked.
    Raises ``StorageDamaged`` if the database, or what a migration leaves, is not sound.
    """
    pending = [migration for migration in migrations if migration.version > version]
    if not pending:
        return
    if version > 0:
        copy_database(connection, path=path, target=Path(f"{path}.version-{version}.backup"))
    # Tables that are built anew would otherwise take the rows that point at them along.
    connection.execute("PRAGMA foreign_keys = OFF")
    try:
        for migration in pending:
            _apply(connection, migration, path=path)
    finally:
        connection.execute("PRAGMA foreign_keys = ON")


def _apply(connection: apsw.Connection, migration: Migration, *, path: str) -> None:
    with transaction(connection):
        connection.execute(migration.sql).fetchall()
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {migration.version}")
        if connection.execute("PRAGMA foreign_key_check").fetchall():
            raise StorageDamaged(path=path, reason=tr_noop("some rows belong to nothing"))


def _expected_schema(migrations: Sequence[Migration]) -> set[tuple[object, ...]]:
    fresh = apsw.Connection(":memory:")
    try:
        for migration in migrations:
            fresh.execute(migration.sql).fetchall()
        return _schema(fresh)
    finally:
        fresh.close()


def _schema(connection: apsw.Connection) -> set[tuple[object, ...]]:
    # As bytes: in a damaged file they need not be text. SQLite's own tables (statistics) may come and go, and
    # those of its search index are another SQLite's choice.
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
