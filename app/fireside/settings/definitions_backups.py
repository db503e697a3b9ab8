"""Declare the settings of backups."""

from __future__ import annotations

from typing import Final

from fireside.core.i18n import tr_noop
from fireside.settings.values import Group, Kind, SettingDefinition

BACKUPS: Final = (
    SettingDefinition(
        key="backups.automatic",
        group=Group.BACKUPS,
        label=tr_noop("Back up every day"),
        help=tr_noop("Keeps a checked copy of all conversations: of the last seven days, and of four weeks."),
        kind=Kind.SWITCH,
        default=True,
    ),
    SettingDefinition(
        key="backups.folder",
        group=Group.BACKUPS,
        label=tr_noop("Backup folder"),
        help=tr_noop(
            "Where backups are kept; empty means beside the conversations, and another disk is safer."
        ),
        kind=Kind.FOLDER,
        default="",
    ),
)
