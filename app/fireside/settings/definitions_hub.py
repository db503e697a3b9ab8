"""Declare the settings of the hub: where it is, whether it may be asked, how downloads go."""

from __future__ import annotations

from typing import Final

from fireside.core.i18n import tr_noop
from fireside.settings.values import Group, Kind, SettingDefinition

HUB: Final = (
    SettingDefinition(
        key="hub.offline",
        group=Group.HUB,
        label=tr_noop("Stay offline"),
        help=tr_noop(
            "Nothing is asked of the hub and nothing is fetched; chatting needs no connection anyway."
        ),
        kind=Kind.SWITCH,
        default=False,
    ),
    SettingDefinition(
        key="hub.downloads_at_once",
        group=Group.HUB,
        label=tr_noop("Downloads at a time"),
        help=tr_noop("How many models are fetched at the same time; the others wait their turn."),
        kind=Kind.INTEGER,
        default=2,
        minimum=1,
        maximum=8,
        step=1,
    ),
    SettingDefinition(
        key="hub.speed_limit_kb",
        group=Group.HUB,
        label=tr_noop("Speed limit"),
        help=tr_noop("The most that all downloads together take of your connection, in kilobytes a second."),
        kind=Kind.INTEGER,
        default=0,
        minimum=0,
        maximum=100_000_000,
        step=1000,
        unit="kB/s",
        choices=((0, tr_noop("None")),),
    ),
    SettingDefinition(
        key="hub.endpoint",
        group=Group.HUB,
        label=tr_noop("Address of the hub"),
        help=tr_noop(
            "Empty means the public one; your access token is sent to this address, so it must "
            "be one you trust."
        ),
        kind=Kind.LINE,
        default="",
        advanced=True,
    ),
    SettingDefinition(
        key="hub.proxy",
        group=Group.HUB,
        label=tr_noop("Proxy"),
        help="An address such as “http://proxy:8080”; empty means that of your system.",
        kind=Kind.LINE,
        default="",
        advanced=True,
    ),
    SettingDefinition(
        key="hub.ca_file",
        group=Group.HUB,
        label=tr_noop("Certificates"),
        help=tr_noop("A file of certificates to trust besides those of your system, as some companies need."),
        kind=Kind.FILE,
        default="",
        advanced=True,
    ),
)
