"""Declares the settings of the hub and of downloads."""

from __future__ import annotations

from functools import partial
from typing import Final

from fireside.core.i18n import tr_noop
from fireside.settings.values import Group, Kind, SettingDefinition

_setting: Final = partial(SettingDefinition, group=Group.HUB)

HUB: Final = (
    SettingDefinition(
        key="hub.offline",
        group=Group.PRIVACY,
        label=tr_noop("Offline mode"),
        help=tr_noop("Blocks all network access. Chatting works offline anyway."),
        kind=Kind.SWITCH,
        default=False,
    ),
    _setting(
        key="hub.read_ahead",
        label=tr_noop("Read headers of search results"),
        help=tr_noop("Asks Hugging Face for the headers of results in view, for exact fit and speed."),
        kind=Kind.SWITCH,
        default=True,
    ),
    _setting(
        key="hub.downloads_at_once",
        label=tr_noop("Concurrent downloads"),
        help=tr_noop("How many models download at once; others are queued."),
        kind=Kind.INTEGER,
        default=2,
        minimum=1,
        maximum=8,
        step=1,
    ),
    _setting(
        key="hub.speed_limit_kb",
        label=tr_noop("Download speed limit"),
        help=tr_noop("Limit for all downloads together."),
        kind=Kind.INTEGER,
        default=0,
        minimum=0,
        maximum=100_000_000,
        step=1000,
        unit="kB/s",
        choices=((0, tr_noop("No limit")),),
    ),
    _setting(
        key="hub.endpoint",
        label=tr_noop("Hugging Face endpoint"),
        help=tr_noop("Empty for huggingface.co. Another address needs an access token of its own."),
        kind=Kind.LINE,
        default="",
        advanced=True,
    ),
    _setting(
        key="hub.proxy",
        label=tr_noop("Proxy"),
        help=tr_noop("Such as “http://proxy:8080”. Empty for the system’s proxy."),
        kind=Kind.LINE,
        default="",
        advanced=True,
    ),
    _setting(
        key="hub.ca_file",
        label=tr_noop("Certificates"),
        help=tr_noop("Extra certificates to trust (PEM file), such as a company’s own."),
        kind=Kind.FILE,
        default="",
        advanced=True,
    ),
)
