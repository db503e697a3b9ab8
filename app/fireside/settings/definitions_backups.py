"""Declare the settings of backups."""

from __future__ import annotations

from typing import Final

from fireside.core.wording import marked
from fireside.settings.values import Group, Kind, SettingDefinition

BACKUPS: Final = (
    SettingDefinition(
        key="backups.automatic",
        group=Group.BACKUPS,
        label=marked("Back up every day"),
        help=marked("Keeps a checked copy of all conversations: of the last seven days, and of four weeks."),
        kind=Kind.SWITCH,
        default=True,
    ),
    SettingDefinition(
        key="backups.folder",
        group=Group.BACKUPS,
        label=marked("Backup folder"),
        help=marked(
            "Where backups are kept; empty means beside the conversations, and another disk is safer."
        ),
        kind=Kind.FOLDER,
        default="",
    ),
)
