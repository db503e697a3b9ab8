"""Declares the setting of updates."""

from __future__ import annotations

from typing import Final

from fireside.core.i18n import tr_noop
from fireside.settings.values import Group, Kind, SettingDefinition

DAILY_KEY: Final = "updates.daily"

ABOUT: Final = (
    SettingDefinition(
        key=DAILY_KEY,
        group=Group.ABOUT,
        label=tr_noop("Check for updates daily"),
        help=tr_noop("Asks the release address once a day. Nothing is installed without you."),
        kind=Kind.SWITCH,
        default=False,
    ),
)
