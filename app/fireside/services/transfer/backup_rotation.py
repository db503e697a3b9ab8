"""Decide which backups to remove. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Final

from fireside.core.transfer import Backup, BackupKind

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
