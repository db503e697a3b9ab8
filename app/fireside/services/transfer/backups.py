"""Back up all conversations, daily and on request, and restore a backup."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import shutil
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import apsw
import msgspec

from fireside.core.errors import ErrorInfo, FiresideError, StorageFull
from fireside.core.events import AppEvent
from fireside.core.for_window import for_window
from fireside.core.i18n import tr_noop
from fireside.core.os_errors import render_os_error
from fireside.core.transfer import (
    Backup,
    BackupKind,
    BackupsChanged,
    BackupState,
    ConversationsRestored,
    RestoreResult,
)
from fireside.files.atomic_replace import rename_over
from fireside.files.private_files import make_private_folder
from fireside.services.data_lock import DataLock
from fireside.settings.conversions import BackupOptions
from fireside.storage.backup import copy_file
from fireside.storage.backup_restore import prepare_backup
from fireside.storage.encryption import DatabaseKey, key_of_copy
from fireside.storage.store import MEMORY, Store

log = logging.getLogger(__name__)

_NAME: Final = re.compile(r"fireside-(\d{8}-\d{6})-([a-z-]{1,20})\.db")
_UPDATE_BACKUP: Final = re.compile(r".+\.version-\d{1,6}\.backup")
_STAMP: Final = "%Y%m%d-%H%M%S"
_INITIAL_DELAY_S: Final = 60.0
_INTERVAL_S: Final = 3600.0


class BackupLocation(msgspec.Struct, frozen=True, kw_only=True):
    """Where the database is, and where its backups go."""

    database: Path
    usual_folder: Path


class Backups:
    """Backups of all conversations, on the engine's loop.

    ``BackupsChanged`` carries the list after each change.
    """

    def __init__(
        self,
        *,
        store: Store,
        location: BackupLocation | None,
        options: Callable[[], BackupOptions],
        before_restore: Callable[[], Awaitable[None]],
        emit: Callable[[AppEvent], None],
        clock: Callable[[], float],
        lock: DataLock | None = None,
    ) -> None:
        """``location`` is ``None`` where nothing is stored; ``before_restore`` stops running answers;
        ``clock`` returns seconds since the epoch; ``lock`` has the keys of encrypted backups."""
        self._store = store
        self._location = location
        self._options = options
        self._before_restore = before_restore
        self._emit = emit
        self._clock = clock
        self._keys = lock
        self._lock = asyncio.Lock()
        self._problem: ErrorInfo | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Check soon, and then each hour, whether the daily backup is due."""
        if self._location is not None and self._task is None:
            self._task = asyncio.create_task(self._run(), name="backups")

    async def close(self) -> None:
        """Stop; an unfinished copy is removed."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    @for_window
    async def state(self) -> BackupState:
        """Return all backups, the newest first."""
        if self._location is None:
            return BackupState(folder="")
        folder = self._folder(self._location)
        backups = await asyncio.to_thread(list_backups, folder, self._location)
        return BackupState(folder=str(folder), backups=backups, problem=self._problem)

    @for_window
    async def back_up(self, *, kind: BackupKind = BackupKind.BY_HAND) -> Backup:
        """Create a backup now. Raises ``backup_unwritable``, ``StorageDamaged`` or another
        ``StorageError``."""
        async with self._lock:
            backup = await self._make(kind)
        self._problem = None
        await self._publish()
        return backup

    async def back_up_if_due(self) -> bool:
        """Make the daily backup if it is enabled and due, then remove outdated ones.

        Returns whether it was made. Never raises: a failure is part of the state.
        """
        is_persistent = self._store.path != MEMORY and self._store.read_only is None
        if self._location is None or not self._options().is_automatic or not is_persistent:
            return False
        try:
            async with self._lock:
                state = await self.state()
                if not is_due(state.backups, now=self._clock()) or not await self._store.conversations.all():
                    return False
                await self._make(BackupKind.AUTOMATIC)
                await self._rotate()
        except FiresideError as exc:
            log.warning("the backup of the day could not be made: %s", exc)
            self._problem = exc.info()
            await self._publish()
            return False
        self._problem = None
        await self._publish()
        return True

    @for_window
    async def restore(self, path: str, *, passphrase: str = "") -> RestoreResult:
        """Restore a backup, after a backup of the current conversations.

        ``ConversationsRestored`` means that all data is to be requested again. Where the database could not
        be opened at the start, its file is renamed, and the backup takes effect at the next start of the
        program. ``passphrase`` is that of the backup, where it was made with another one than that in force.
        Raises ``backup_unusable``, ``backup_unwritable``, ``backup_passphrase``, ``passphrase_wrong`` or
        another ``StorageError``; then nothing has changed.
        """
        if self._location is None:
            raise FiresideError.of("backup_unusable", path=path, reason=tr_noop("this session keeps nothing"))
        if self._store.read_only is not None:
            raise self._store.read_only
        async with self._lock:
            key, other = await asyncio.to_thread(self._keys_for, Path(path), passphrase)
            if self._store.path == MEMORY:
                await asyncio.to_thread(
                    _replace_damaged, Path(path), self._location.database, self._clock(), key=key, other=other
                )
                return RestoreResult(previous=None, needs_restart=True)
            await self._before_restore()
            previous = await self._make(BackupKind.BEFORE_RESTORE)
            prepared = self._location.database.with_name(self._location.database.name + ".restoring")
            await self._store.restore_backup(Path(path), prepared=prepared, other=other)
            await self._rotate()
        self._emit(ConversationsRestored())
        await self._publish()
        return RestoreResult(previous=previous)

    def _keys_for(self, path: Path, passphrase: str) -> tuple[DatabaseKey | None, DatabaseKey | None]:
        """Return the key of the database and that of a backup made with ``passphrase``. Raises if neither is
        that of the backup."""
        if self._keys is None or not path.is_file():
            return None, None
        key = self._keys.database_key()
        other = self._keys.key_of(path, passphrase) if passphrase else None
        key_of_copy(path, own=key, other=other)
        return key, other

    async def _run(self) -> None:
        await asyncio.sleep(_INITIAL_DELAY_S)
        while True:
            await self.back_up_if_due()
            await asyncio.sleep(_INTERVAL_S)

    def _folder(self, location: BackupLocation) -> Path:
        chosen = self._options().folder
        return Path(chosen) if chosen else location.usual_folder

    async def _make(self, kind: BackupKind) -> Backup:
        if self._location is None:
            raise FiresideError.of(
                "backup_unwritable", path="", reason=tr_noop("this session keeps nothing.")
            )
        folder = self._folder(self._location)
        if self._store.path == MEMORY and not await self._store.conversations.all():
            # The newest backup is the first to be restored: an empty one must not stand before the chats.
            reason = tr_noop("this temporary session has no chats. Restore a backup to see the earlier ones.")
            raise FiresideError.of("backup_unwritable", path=str(folder), reason=reason)
        try:
            await asyncio.to_thread(make_private_folder, folder)
            target = await asyncio.to_thread(_unused_path, folder, kind, self._clock())
            if self._store.path == MEMORY:
                await self._store.backup(target)
            else:
                await self._copy(target)
            size = (await asyncio.to_thread(target.stat)).st_size
        except StorageFull as exc:
            raise FiresideError.of(
                "backup_unwritable", path=str(folder), reason=tr_noop("The disk is full.")
            ) from exc
        except OSError as exc:
            raise FiresideError.of(
                "backup_unwritable", path=str(folder), reason=f"{render_os_error(exc)}."
            ) from exc
        stamp = _NAME.fullmatch(target.name)
        return Backup(
            path=str(target), kind=kind, made_at=_time_of(stamp[1]) if stamp else 0.0, size_bytes=size
        )

    async def _copy(self, target: Path) -> None:
        try:
            # Not in the storage thread, so that no message waits for it.
            await asyncio.to_thread(copy_file, Path(self._store.path), target, key=self._store.key)
        except apsw.Error:
            log.info("the database is copied in its own thread")
            await self._store.backup(target)

    async def _rotate(self) -> None:
        state = await self.state()
        for backup in outdated(state.backups):
            with contextlib.suppress(OSError):
                await asyncio.to_thread(Path(backup.path).unlink)

    async def _publish(self) -> None:
        self._emit(BackupsChanged(state=await self.state()))


def list_backups(folder: Path, location: BackupLocation) -> tuple[Backup, ...]:
    """Return the backups in ``folder`` and those made before updates, newest first. Blocks."""
    backups = [_backup_from_name(path) for path in _files_in(folder)]
    prefix = f"{location.database.name}."
    for path in _files_in(location.database.parent):
        if path.name.startswith(prefix) and _UPDATE_BACKUP.fullmatch(path.name):
            backups.append(_backup(path, BackupKind.BEFORE_UPDATE, made_at=None))
    known = (backup for backup in backups if backup is not None)
    return tuple(sorted(known, key=lambda backup: (backup.made_at, backup.path), reverse=True))


def _files_in(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _backup_from_name(path: Path) -> Backup | None:
    match = _NAME.fullmatch(path.name)
    if match is None or match[2] not in set(BackupKind):
        return None
    try:
        made_at = _time_of(match[1])
    except ValueError:
        return None
    return _backup(path, BackupKind(match[2]), made_at=made_at)


def _backup(path: Path, kind: BackupKind, *, made_at: float | None) -> Backup | None:
    try:
        status = path.stat()
    except OSError:
        return None
    time = status.st_mtime if made_at is None else made_at
    return Backup(path=str(path), kind=kind, made_at=time, size_bytes=status.st_size)


def _time_of(stamp: str) -> float:
    return datetime.strptime(stamp, _STAMP).replace(tzinfo=UTC).timestamp()


def _unused_path(folder: Path, kind: BackupKind, now: float) -> Path:
    """Return an unused name for a backup made now; two in one second are named a second apart."""
    time = now
    while True:
        stamp = datetime.fromtimestamp(time, UTC).strftime(_STAMP)
        path = folder / f"fireside-{stamp}-{kind.value}.db"
        if not path.exists():
            return path
        time += 1


def _replace_damaged(
    backup: Path, database: Path, now: float, *, key: DatabaseKey | None, other: DatabaseKey | None
) -> None:
    """Replace a database that cannot be opened by a backup; it is kept under another name."""
    prepared = database.with_name(database.name + ".restoring")
    try:
        prepare_backup(backup, prepared, key=key, other=other)
        stamp = datetime.fromtimestamp(now, UTC).strftime(_STAMP)
        renamed = database.with_name(f"{database.name}.damaged-{stamp}")
        # The journals belong to the file: without them its content would differ.
        for suffix in ("-wal", "-shm", ""):
            part = database.with_name(database.name + suffix)
            if part.exists():
                shutil.move(part, renamed.with_name(renamed.name + suffix))
        rename_over(prepared, database)
    except OSError as exc:
        raise FiresideError.of(
            "backup_unwritable", path=str(database), reason=f"{render_os_error(exc)}."
        ) from exc


# Decide which backups to remove. Pure


DAYS: Final = 7
WEEKS: Final = 4
BEFORE_RESTORE: Final = 5

_Key = Callable[[Backup], str]


def is_due(backups: Sequence[Backup], *, now: float) -> bool:
    """Return whether there is no automatic backup of this day (UTC) yet."""
    return all(_day(backup) != _day_of(now) for backup in backups if backup.kind is BackupKind.AUTOMATIC)


def outdated(backups: Sequence[Backup]) -> tuple[Backup, ...]:
    """Return the backups that may be removed.

    Of automatic ones the newest of each of the last seven days with any is kept, and the newest of each of
    the last four such weeks; of those before a restore the last five. Backups by hand and before an update
    are kept. The largest of all is kept too: if a database lost its content, the copy that still has it must
    not be rotated out.
    """
    largest = max(backups, key=lambda backup: (backup.size_bytes, backup.made_at), default=None)
    automatic = _newest_first(backups, BackupKind.AUTOMATIC)
    kept = {
        backup.path
        for backup in (
            *_first_of_each(automatic, key=_day, most=DAYS),
            *_first_of_each(automatic, key=_week, most=WEEKS),
            *_newest_first(backups, BackupKind.BEFORE_RESTORE)[:BEFORE_RESTORE],
            *((largest,) if largest is not None else ()),
        )
    }
    rotating = (BackupKind.AUTOMATIC, BackupKind.BEFORE_RESTORE)
    return tuple(backup for backup in backups if backup.kind in rotating and backup.path not in kept)


def _newest_first(backups: Sequence[Backup], kind: BackupKind) -> list[Backup]:
    of_kind = (backup for backup in backups if backup.kind is kind)
    return sorted(of_kind, key=lambda backup: backup.made_at, reverse=True)


def _first_of_each(backups: Sequence[Backup], *, key: _Key, most: int) -> list[Backup]:
    first: dict[str, Backup] = {}
    for backup in backups:
        first.setdefault(key(backup), backup)
    return list(first.values())[:most]


def _day(backup: Backup) -> str:
    return _day_of(backup.made_at)


def _week(backup: Backup) -> str:
    return datetime.fromtimestamp(backup.made_at, UTC).strftime("%G-%V")


def _day_of(time: float) -> str:
    return datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%d")
