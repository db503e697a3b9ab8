"""Restore the conversations of a backup into a database that is in use."""

from __future__ import annotations

import threading
from pathlib import Path

import apsw

from fireside.core.errors import FiresideError, StorageDamaged, StorageTooNew
from fireside.core.i18n import tr_noop
from fireside.files.private_files import make_private_file
from fireside.storage.backup import check_copy, copy_database
from fireside.storage.database import Database
from fireside.storage.database_opening import open_database
from fireside.storage.encryption import DatabaseKey, connect, copy_encrypted, key_of_copy
from fireside.storage.errors import from_sqlite, from_system
from fireside.storage.migrations import inspect, load_migrations
from fireside.storage.recovery import recover_interrupted


def prepare_backup(
    backup: Path, prepared: Path, *, key: DatabaseKey | None = None, other: DatabaseKey | None = None
) -> None:
    """Create ``prepared`` as a checked copy of ``backup``, migrated to the newest version; the backup stays.

    It is under ``key``, that of the database; the backup may be plain, under it or under ``other``.
    Answers that were streaming at the time of the backup are marked as interrupted.

    Raises:
        backup_unusable: it is not an intact database of this program.
        backup_passphrase: it is under a key that is neither of the two.
        StorageError: the copy could not be written.
    """
    remove_prepared(prepared)
    try:
        _copy_checked(backup, prepared, key=key, other=other)
        database = open_database(prepared, migrations=load_migrations(), give_up=threading.Event(), key=key)
        try:
            with database.typed_errors():
                recover_interrupted(database)
        finally:
            database.close()
    except (StorageDamaged, StorageTooNew) as exc:
        remove_prepared(prepared)
        reason = (
            tr_noop("it is from a newer version of Fireside")
            if isinstance(exc, StorageTooNew)
            else exc.reason
        )
        raise FiresideError.of("backup_unusable", path=str(backup), reason=reason) from exc
    except apsw.Error as exc:
        remove_prepared(prepared)
        raise from_sqlite(exc, path=str(prepared)) or exc from exc
    except OSError as exc:
        remove_prepared(prepared)
        raise from_system(exc, path=str(prepared)) from exc
    except BaseException:
        remove_prepared(prepared)
        raise


def replace_contents(database: Database, prepared: Path) -> None:
    """Replace the contents of ``database`` by those of ``prepared``, all or none.

    The id sequences continue from the higher of the two, so that no id is ever used twice.
    """
    _continue_ids(database, prepared)
    source = connect(prepared, key=database.key, flags=apsw.SQLITE_OPEN_READONLY)
    try:
        with database.connection.backup("main", source, "main") as backup:
            while not backup.done:
                backup.step(-1)
    finally:
        source.close()
    newest = database.row("SELECT max(id) FROM message")
    database.last_earlier_message = newest[0] if newest is not None and isinstance(newest[0], int) else 0
    database.reopened.clear()


def _copy_checked(
    backup: Path, prepared: Path, *, key: DatabaseKey | None, other: DatabaseKey | None
) -> None:
    if not backup.is_file():
        raise FiresideError.of("backup_unusable", path=str(backup), reason=tr_noop("it is no longer there"))
    try:
        own = key_of_copy(backup, own=key, other=other)
        # The target of a copy under another key is a URI.
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        source = connect(backup.absolute(), key=own, flags=flags)
        try:
            if inspect(source, path=str(backup), migrations=load_migrations()) == 0:
                # SQLite accepts an empty file as an empty database.
                raise FiresideError.of(
                    "backup_unusable", path=str(backup), reason=tr_noop("there is nothing in it")
                )
            make_private_file(prepared)
            if own is key:
                copy_database(source, path=str(backup), target=prepared, key=key)
            else:
                copy_encrypted(source, prepared, key=key)
                check_copy(prepared, key, path=str(backup))
        finally:
            source.close()
    except (apsw.NotADBError, apsw.CorruptError, apsw.CantOpenError, UnicodeDecodeError) as exc:
        raise FiresideError.of(
            "backup_unusable", path=str(backup), reason=tr_noop("its contents do not fit together")
        ) from exc


def _continue_ids(database: Database, prepared: Path) -> None:
    newest = database.rows("SELECT name, seq FROM sqlite_sequence")
    target = connect(prepared, key=database.key)
    try:
        for name, seq in newest:
            target.execute("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", (seq, name))
            if not target.changes():
                target.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (name, seq))
    finally:
        target.close()


def remove_prepared(prepared: Path) -> None:
    """Remove the files of ``prepare_backup``."""
    for ending in ("", "-wal", "-shm"):
        prepared.with_name(prepared.name + ending).unlink(missing_ok=True)
