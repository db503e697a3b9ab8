"""The passphrase of a data folder: its keys while it is unlocked, and how its data is converted.

What the user wishes is in the key file before anything is converted, and each file is replaced by a checked
copy. So a kill at any moment leaves old or new files, and ``finish`` goes on with what is left: a file that
is as it should be is not touched.
"""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import threading
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec.structs import replace

from fireside.core.errors import FiresideError, StorageDamaged, StorageError, StorageUnwritable
from fireside.core.i18n import tr_noop
from fireside.files.data_key import COST, DataKey, DataState, KeyFile, KeyFiles, KeyUse, unwrap, wrap
from fireside.files.json_file import kept_files
from fireside.settings.secret import Secret
from fireside.settings.secrets import SecretName, SecretRequester
from fireside.wire.cache_files import SUFFIX, SavedStatePurge

if TYPE_CHECKING:
    from fireside.settings.secrets import Secrets
    from fireside.storage.encryption import DatabaseKey

KEYRING_NAME: Final = SecretName("data-key")
"""The entry of the data key in the system's password manager."""
_RESERVE_BYTES: Final = 64 << 20
"""Of the disk, beside the largest file, which is there twice for a while."""
_LEFTOVERS: Final = (".converting", ".part", ".restoring")
_BACKUP_PREFIX: Final = "fireside-"

log = logging.getLogger(__name__)


class DataPlaces(msgspec.Struct, frozen=True, kw_only=True):
    """Where the data is that a passphrase encrypts."""

    folder: Path
    databases: tuple[Path, ...]
    """What the program cannot do without; missing ones are made encrypted."""
    states: Path
    """The prompt cache, which is deleted instead of converted."""
    backups: Callable[[], Sequence[Path]]
    """Lists the backups. Blocks."""


class ConversionStopped(Exception):
    """The user has cancelled; ``reverse`` and ``finish`` undo what was done."""


class DataLock:
    """The keys of one data folder. Any thread; methods block unless they say otherwise.

    Locked, everything raises ``passphrase_needed``, so that nothing is opened or stored without a key where
    there is a passphrase.
    """

    def __init__(self, places: DataPlaces, *, cost: int = COST) -> None:
        self._places = places
        self._cost = cost
        self._files = KeyFiles(places.folder)
        self._lock = threading.RLock()
        self._key: DataKey | None = None
        self._database_key: DatabaseKey | None = None

    # What is

    def read(self) -> KeyFile | None:
        """Return the key file; ``None`` without a passphrase. Raises ``passphrase_file_unusable``."""
        return self._files.read()

    @property
    def has_passphrase(self) -> bool:
        """Whether there is a passphrase."""
        return self._files.exist()

    @property
    def is_locked(self) -> bool:
        """Whether there is a passphrase that has not been entered."""
        return self._key is None and self.has_passphrase

    def database_key(self) -> DatabaseKey | None:
        """Return the key of databases; ``None`` without a passphrase. Raises ``passphrase_needed``."""
        self._check()
        return self._database_key

    def states_key(self) -> bytes:
        """Return the key of saved states; empty without a passphrase. Raises ``passphrase_needed``."""
        self._check()
        with self._lock:
            return b"" if self._key is None else self._key.derive(KeyUse.SAVED_STATES)

    def needs_work(self) -> bool:
        """Return whether ``finish`` has something to do: after a kill, or with files from elsewhere."""
        content = self.read()
        if content is None:
            return False
        return content.state is not DataState.READY or any(map(_is_plain, self._places.databases))

    def check_ready(self) -> None:
        """Raise ``passphrase_unfinished`` where the data is half encrypted, or ``passphrase_needed``."""
        if self.has_passphrase and self.needs_work():
            raise StorageError.of("passphrase_unfinished")
        self._check()

    def _check(self) -> None:
        if self.is_locked:
            raise StorageError.of("passphrase_needed")

    # Unlocking

    def unlock(self, passphrase: str) -> None:
        """Take the keys into memory; about a second. Raises ``passphrase_wrong`` or
        ``passphrase_file_unusable``."""
        content = self._content()
        self._use(unwrap(content.key, passphrase), content)

    def unlock_with(self, secret: bytes) -> bool:
        """Take a data key from the keyring; false if it is not that of this folder."""
        content = self._content()
        try:
            key = DataKey(secret)
        except ValueError:
            return False
        if key.id != content.key.key_id:
            return False
        self._use(key, content)
        return True

    def key_of(self, backup: Path, passphrase: str) -> DatabaseKey | None:
        """Return the key of a backup by the passphrase that it was made with; ``None`` for a plain one.

        Raises ``passphrase_wrong``, ``OSError``.
        """
        from fireside.storage.encryption import DatabaseKey, read_record

        record = read_record(backup)
        if record is None:
            return None
        key = unwrap(record, passphrase)
        try:
            return DatabaseKey(key, record)
        finally:
            key.wipe()

    def lock(self) -> None:
        """Overwrite the keys in memory. What is open stays open: close it first."""
        with self._lock:
            for key in (self._key, self._database_key):
                if key is not None:
                    key.wipe()
            self._key = self._database_key = None

    def _use(self, key: DataKey, content: KeyFile) -> None:
        from fireside.storage.encryption import DatabaseKey

        with self._lock:
            self._key = key
            self._database_key = DatabaseKey(key, content.key)
        with contextlib.suppress(OSError):  # the copy may be damaged, or of an earlier passphrase
            self._files.repair(content)

    def _content(self) -> KeyFile:
        content = self.read()
        if content is None:
            raise StorageError.of("passphrase_wrong")
        return content

    # What the user wishes

    def set_up(self, passphrase: str) -> None:
        """Note that the data is to be encrypted under ``passphrase``; ``finish`` does it.

        Raises ``passphrase_no_space`` or ``StorageUnwritable``; nothing has changed then.
        """
        with self._lock:
            if self.has_passphrase:
                raise StorageError.of("passphrase_needed")
            self._check_space()
            key = DataKey.new()
            content = KeyFile(state=DataState.ENCRYPTING, key=wrap(key, passphrase, cost=self._cost))
            try:
                self._write(content)
            except StorageError:
                with contextlib.suppress(OSError):
                    self._files.remove()
                raise
            self._use(key, content)

    def change(self, old: str, new: str) -> None:
        """Wrap the data key with another passphrase; no data is rewritten. Raises ``passphrase_wrong``."""
        with self._lock:
            content = self._content()
            key = unwrap(content.key, old)
            content = replace(content, key=wrap(key, new, cost=self._cost))
            self._write(content)
            if self._database_key is not None:
                self._database_key.record = content.key
            key.wipe()

    def begin_removal(self, passphrase: str) -> None:
        """Note that the data is to be decrypted; ``finish`` does it. Raises as ``set_up``, and
        ``passphrase_wrong``."""
        with self._lock:
            content = self._content()
            unwrap(content.key, passphrase).wipe()
            self._check_space()
            self._write(replace(content, state=DataState.DECRYPTING))

    def give_up(self) -> None:
        """Take ``set_up`` back before ``finish``: nothing is encrypted yet."""
        with contextlib.suppress(OSError):
            self._files.remove()
        self.lock()

    def n_damaged(self) -> int:
        """Return how many databases were set aside as damaged; they stay as they are."""
        stems = tuple(path.name for path in self._places.databases)
        return sum(path.name.startswith(stems) for path in kept_files(self._places.folder))

    def reverse(self) -> None:
        """Note the opposite wish, after ``ConversionStopped``."""
        with self._lock:
            content = self._content()
            is_back = content.state is DataState.DECRYPTING
            self._write(replace(content, state=DataState.ENCRYPTING if is_back else DataState.DECRYPTING))

    def _set_in_keyring(self, *, is_in: bool) -> None:
        with self._lock:
            self._write(replace(self._content(), in_keyring=is_in))

    def _write(self, content: KeyFile) -> None:
        try:
            self._files.write(content)
        except OSError as exc:
            from fireside.storage.errors import from_system

            raise from_system(exc, path=str(self._places.folder)) from exc

    def _check_space(self) -> None:
        for folder, files in _by_folder(self._everything()).items():
            needed = max(path.stat().st_size for path in files) + _RESERVE_BYTES
            free = shutil.disk_usage(folder).free
            if free < needed:
                raise StorageError.of("passphrase_no_space", needed_bytes=needed, free_bytes=free)

    # Doing it

    def finish(self, on_progress: Callable[[float], bool] = lambda _: True) -> tuple[Path, ...]:
        """Make all data what the key file says, and return the backups for which that failed.

        Nothing else may use the data. Call it again after any error, and after a kill.

        Args:
            on_progress: takes the fraction that is done; false raises ``ConversionStopped``.

        Raises ``StorageError``: some files are old, some new, each is whole.
        """
        self._check()
        content = self.read()
        if content is None:
            return ()
        is_removal = content.state is DataState.DECRYPTING
        self._remove_leftovers()
        failed = self._convert_all(is_removal=is_removal, on_progress=on_progress)
        states = SavedStatePurge(self._places.states)
        try:
            states.mark(is_encrypted=not is_removal)
            states.delete_all()
            if is_removal:
                self._files.remove()
        except OSError as exc:
            raise StorageUnwritable(
                path=str(self._places.folder),
                reason=tr_noop("The prompt cache or the key file cannot be deleted."),
            ) from exc
        if is_removal:
            self.lock()
        elif content.state is not DataState.READY:
            self._write(replace(content, state=DataState.READY))
        return failed

    def remove_plain_states(self) -> None:
        """Delete saved states that are not encrypted, which a program without the key has left."""
        if not self.has_passphrase:
            return
        from fireside.files.sealed_file import MAGIC

        with contextlib.suppress(OSError):
            for path in self._places.states.iterdir():
                if path.suffix == SUFFIX and not _starts_with(path, MAGIC):
                    path.unlink(missing_ok=True)

    def _everything(self) -> list[Path]:
        existing = [path for path in self._places.databases if path.is_file() and path.stat().st_size]
        return [*existing, *self._places.backups()]

    def _convert_all(self, *, is_removal: bool, on_progress: Callable[[float], bool]) -> tuple[Path, ...]:
        files = self._everything()
        sizes = {path: path.stat().st_size for path in files}
        total, done, failed = max(1, sum(sizes.values())), 0, []
        for path in files:

            def report(fraction: float, path: Path = path, done: int = done) -> bool:
                return on_progress((done + fraction * sizes[path]) / total)

            is_backup = path not in self._places.databases
            try:
                if _is_plain(path) is not is_removal and self._is_own(path, is_backup=is_backup):
                    self._convert(path, is_removal=is_removal, is_backup=is_backup, on_progress=report)
            except (StorageDamaged, StorageUnwritable):
                if not is_backup:
                    raise
                log.warning("a backup is not converted", exc_info=True)
                failed.append(path)
            done += sizes[path]
            if not on_progress(done / total):
                raise ConversionStopped
        return tuple(failed)

    def _is_own(self, path: Path, *, is_backup: bool) -> bool:
        """Whether an encrypted backup is under this key, and not that of an earlier passphrase."""
        from fireside.storage.encryption import read_record

        if not is_backup or _is_plain(path):
            return True
        record = read_record(path)
        return record is not None and self._key is not None and record.key_id == self._key.id

    def _convert(
        self, path: Path, *, is_removal: bool, is_backup: bool, on_progress: Callable[[float], bool]
    ) -> None:
        import apsw

        from fireside.storage.backup import check_copy
        from fireside.storage.encryption import convert_database
        from fireside.storage.errors import from_sqlite, from_system

        key = self._database_key
        times = path.stat()
        try:
            convert_database(
                path,
                source=key if is_removal else None,
                target=None if is_removal else key,
                check=partial(check_copy, path=str(path)),
                has_record=is_backup,
                on_progress=on_progress,
            )
        except apsw.InterruptError as exc:
            raise ConversionStopped from exc
        except apsw.Error as exc:
            raise from_sqlite(exc, path=str(path)) or exc from exc
        except OSError as exc:
            raise from_system(exc, path=str(path)) from exc
        with contextlib.suppress(OSError):  # the list of backups says when they were made
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))

    def _remove_leftovers(self) -> None:
        stems = (*(path.name for path in self._places.databases), _BACKUP_PREFIX)
        for folder in {self._places.folder, *(path.parent for path in self._places.backups())}:
            for stem, ending in product(stems, _LEFTOVERS):
                for path in folder.glob(f"{stem}*{ending}*"):
                    with contextlib.suppress(OSError):
                        path.unlink()

    # The keyring

    async def unlock_from_keyring(self, secrets: Secrets) -> bool:
        """Unlock with the key that the keyring holds, if the user put it there. Does not block."""
        content = self.read()
        if content is None or not content.in_keyring:
            return False
        try:
            stored = await secrets.find(KEYRING_NAME, requester=SecretRequester.CLICK)
            return stored is not None and self.unlock_with(bytes.fromhex(stored.secret.reveal()))
        except (FiresideError, ValueError) as exc:
            log.info("the keyring does not unlock the data: %s", exc)
            return False

    async def remember(self, secrets: Secrets) -> None:
        """Put the data key into the system's keyring. Raises ``SecretsError``. Does not block."""
        from fireside.core.secret_location import SecretLocation

        self._check()
        assert self._key is not None
        await secrets.store(KEYRING_NAME, Secret(self._key.reveal().hex()), location=SecretLocation.KEYRING)
        self._set_in_keyring(is_in=True)

    async def forget(self, secrets: Secrets) -> None:
        """Take the data key out of the keyring. Raises ``SecretsError``. Does not block."""
        await secrets.forget(KEYRING_NAME)
        if self.has_passphrase:
            self._set_in_keyring(is_in=False)


def _is_plain(path: Path) -> bool:
    return _starts_with(path, b"SQLite format 3\0")


def _starts_with(path: Path, beginning: bytes) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(beginning)) == beginning
    except OSError:
        return False


def _by_folder(paths: Iterable[Path]) -> dict[Path, list[Path]]:
    folders: dict[Path, list[Path]] = {}
    for path in paths:
        folders.setdefault(path.parent, []).append(path)
    return folders
