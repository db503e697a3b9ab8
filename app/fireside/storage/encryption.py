"""Encrypted database files: how they are opened, copied and told apart from plain ones.

The cipher is SQLite3 Multiple Ciphers' ChaCha20-Poly1305: each page has its own nonce and a tag, so a changed
page is an error, and it is as fast and as constant in time on processors without AES instructions. The key is
raw: no key derivation but ours. Journals are encrypted with the file.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import quote

import apsw
import msgspec

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import StorageError
from fireside.files.atomic_replace import rename_over
from fireside.files.data_key import DataKey, KeyUse, WrappedKey
from fireside.files.fsync import sync_file, sync_folder
from fireside.files.private_files import make_private_file

_PLAIN: Final = b"SQLite format 3\0"
_CIPHER: Final = "chacha20"
_TRAILER: Final = b"FIRESIDE KEY 1\n"
_LENGTH_BYTES: Final = 4
_MAX_RECORD_BYTES: Final = 4000
"""Less than a page, so that the record after the last page is never one."""
CONVERTING: Final = ".converting"
_BUSY_MS: Final = 5_000
_CACHE_KIB: Final = 32 * 1024
"""Pages in memory are plain: with SQLite's own 2 MiB, most would be decrypted at each read."""
_STEPS: Final = 50_000
"""Instructions of SQLite between two looks at the progress: some milliseconds."""


class DatabaseKey:
    """The key of all databases of a data folder, and its record, which copies carry."""

    def __init__(self, key: DataKey, record: WrappedKey) -> None:
        self._raw = key.derive(KeyUse.DATABASES).hex()
        self.record = record
        """The key under the passphrase in force; replaced when that is changed."""

    def apply(self, connection: apsw.Connection) -> None:
        """Make ``connection`` read and write with this key. Raises nothing if it is the wrong one."""
        # Not into the cache of statements, whose texts can be listed.
        connection.execute(f"PRAGMA cipher = '{_CIPHER}'", can_cache=False).fetchall()
        connection.execute(f"PRAGMA key = 'raw:{self._raw}'", can_cache=False).fetchall()
        connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")

    def address(self, path: Path) -> str:
        """Return the URI of a file that is written with this key."""
        return f"{_uri(path)}?cipher={_CIPHER}&key=raw:{self._raw}"

    def wipe(self) -> None:
        """Forget the key. Connections that are open keep theirs."""
        self._raw = ""

    def __repr__(self) -> str:
        return f"DatabaseKey({self.record.key_id})"


def connect(
    path: Path | str,
    *,
    key: DatabaseKey | None,
    flags: int = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE,
    vfs: str = "",
) -> apsw.Connection:
    """Return a connection; with a key, to an encrypted file. Raises ``apsw.Error``."""
    connection = apsw.Connection(str(path), flags=flags, vfs=vfs or None)
    if key is not None:
        try:
            key.apply(connection)
        except BaseException:
            connection.close(force=True)
            raise
    return connection


def is_plain(path: Path) -> bool:
    """Return whether anybody can read the database; false for a missing one. Raises ``OSError``."""
    try:
        with path.open("rb") as file:
            return file.read(len(_PLAIN)) == _PLAIN
    except FileNotFoundError:
        return False


def copy_encrypted(
    connection: apsw.Connection,
    target: Path,
    *,
    key: DatabaseKey | None,
    on_progress: Callable[[float], bool] = lambda _: True,
) -> None:
    """Write the database of ``connection`` to ``target``, under another key or none. Not durable yet.

    ``on_progress`` takes the fraction that is done; if it returns false, ``apsw.InterruptError`` is raised.
    """
    # VACUUM counts in pages of the source, which are more than those that it writes.
    size = connection.execute("PRAGMA page_count").get * connection.execute("PRAGMA page_size").get
    make_private_file(target)

    def look() -> bool:
        return not on_progress(min(1.0, target.stat().st_size / max(1, size)))

    # Without an empty key, a copy would be under that of the source.
    address = f"{_uri(target)}?key=" if key is None else key.address(target)
    connection.set_progress_handler(look, _STEPS)
    try:
        connection.execute("VACUUM INTO ?", (address,), can_cache=False)
    finally:
        connection.set_progress_handler(None)


def convert_database(
    path: Path,
    *,
    source: DatabaseKey | None,
    target: DatabaseKey | None,
    check: Callable[[Path, DatabaseKey | None], None],
    has_record: bool = False,
    on_progress: Callable[[float], bool] = lambda _: True,
) -> None:
    """Replace the file by one under ``target``. At every moment the old or the new one is there, whole.

    Args:
        check: raises if the copy is not an intact database; called before it replaces anything.
        has_record: whether the file carries its key's record, as a backup does.
        on_progress: as in ``copy_encrypted``.

    Raises:
        apsw.Error: another program has the file open, or it cannot be read or written.
        OSError: the disk is full, or the file cannot be replaced.
    """
    partial = path.with_name(path.name + CONVERTING)
    partial.unlink(missing_ok=True)
    # Open files with a URI as target need the flag at the source.
    flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_URI
    connection = connect(str(path), key=source, flags=flags)
    try:
        connection.set_busy_timeout(_BUSY_MS)
        # The journal has to be part of the file before that is replaced; then nobody else may write.
        connection.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
        if connection.execute("PRAGMA journal_mode = DELETE").get != "delete":
            raise apsw.BusyError("another program has the database open")
        connection.execute("BEGIN EXCLUSIVE; COMMIT")
        copy_encrypted(connection, partial, key=target, on_progress=on_progress)
        check(partial, target)
        if has_record and target is not None:
            append_record(partial, target.record)
        sync_file(partial)
    except BaseException:
        connection.close(force=True)
        with suppress(OSError):
            partial.unlink(missing_ok=True)
        raise
    connection.close()
    rename_over(partial, path)
    sync_folder(path.parent)


def append_record(path: Path, record: WrappedKey) -> None:
    """Append the key's record to a finished copy, which can then be opened wherever the passphrase is known.

    SQLite reads as many pages as the header says and ignores the rest.
    """
    content = msgspec.json.encode(record)
    with path.open("ab") as file:
        file.write(content + len(content).to_bytes(_LENGTH_BYTES, "little") + _TRAILER)


def read_record(path: Path) -> WrappedKey | None:
    """Return the record of an encrypted copy; ``None`` if it has none. Raises ``OSError``."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        n_end = _LENGTH_BYTES + len(_TRAILER)
        file.seek(max(0, size - _MAX_RECORD_BYTES))
        content = file.read()
    if not content.endswith(_TRAILER):
        return None
    n_record = int.from_bytes(content[-n_end : -len(_TRAILER)], "little")
    try:
        return decode_json(content[-n_end - n_record : -n_end], kind=WrappedKey)
    except JsonInvalid:
        return None


def key_of_copy(
    path: Path, *, own: DatabaseKey | None, other: DatabaseKey | None = None
) -> DatabaseKey | None:
    """Return the key of a copy among the two; ``None`` for a plain one. Raises ``backup_passphrase``."""
    if is_plain(path):
        return None
    record = read_record(path)
    for key in (own, other):
        if key is not None and (record is None or record.key_id == key.record.key_id):
            return key
    if record is not None:
        raise StorageError.of("backup_passphrase")
    return None


def _uri(path: Path) -> str:
    return f"file:{quote(str(path.absolute()).replace(chr(92), '/'))}"
