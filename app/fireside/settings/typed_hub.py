"""Convert the settings of the hub and of backups to values. Pure; any thread."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

import msgspec

from fireside.core.errors import SettingInvalid
from fireside.core.i18n import tr
from fireside.settings.definitions import BY_KEY
from fireside.settings.values import ResolvedSetting, by_key

_KB: Final = 1000
_SCHEMES: Final = ("http", "https")


class HubOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Options of the hub and of downloads. Empty texts mean the defaults."""

    endpoint: str
    is_offline: bool
    proxy: str
    ca_file: str
    n_at_once: int
    bytes_per_s: float | None
    """The limit of all downloads together; ``None`` for none."""


def hub_options(resolved: Iterable[ResolvedSetting]) -> HubOptions:
    """Return the options of the hub. The addresses are not validated: see ``check_addresses``."""
    values = by_key(resolved)
    limit_kb = msgspec.convert(values["hub.speed_limit_kb"], int)
    return HubOptions(
        endpoint=str(values["hub.endpoint"]).rstrip("/"),
        is_offline=msgspec.convert(values["hub.offline"], bool),
        proxy=str(values["hub.proxy"]),
        ca_file=str(values["hub.ca_file"]),
        n_at_once=msgspec.convert(values["hub.downloads_at_once"], int),
        bytes_per_s=limit_kb * _KB or None,
    )


def check_addresses(options: HubOptions) -> None:
    """Raise ``SettingInvalid`` if an address is invalid."""
    check_address("hub.endpoint", options.endpoint)
    check_address("hub.proxy", options.proxy)


def check_address(key: str, text: str) -> None:
    """Raise ``SettingInvalid`` of the setting ``key`` unless ``text`` is empty or a valid address."""
    if not text:
        return
    try:
        address = urlsplit(text)
        is_valid = address.scheme in _SCHEMES and bool(address.hostname) and (address.port or 1) > 0
    except ValueError:
        is_valid = False
    if not is_valid:
        reason = tr("“{text}” is not a URL. It must start with “https://”.").format(text=text)
        raise SettingInvalid(key=BY_KEY[key].label, reason=reason)


class BackupOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Whether backups are automatic, and their folder; empty for the default."""

    is_automatic: bool
    folder: str


def backup_options(resolved: Iterable[ResolvedSetting]) -> BackupOptions:
    """Return the options of backups."""
    values = by_key(resolved)
    return BackupOptions(
        is_automatic=msgspec.convert(values["backups.automatic"], bool),
        folder=str(values["backups.folder"]),
    )
