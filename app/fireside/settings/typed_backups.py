"""Turn the settings of backups into values. Pure; any thread."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from fireside.settings.values import ResolvedSetting


class BackupOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Whether backups are made by themselves, and where; an empty folder is the usual one."""

    is_automatic: bool
    folder: str


def backup_options(resolved: Iterable[ResolvedSetting]) -> BackupOptions:
    """Return the settings of backups."""
    values = {setting.definition.key: setting.value for setting in resolved}
    return BackupOptions(
        is_automatic=msgspec.convert(values["backups.automatic"], bool),
        folder=str(values["backups.folder"]),
    )
