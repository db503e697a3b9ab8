"""Turn the settings of the hub and of backups into values. Pure; any thread."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

import msgspec

from fireside.core.errors import SettingInvalid
from fireside.core.i18n import tr
from fireside.settings.definitions import BY_KEY
from fireside.settings.values import ResolvedSetting

_BYTES_A_KB: Final = 1000
_SCHEMES: Final = ("http", "https")


class HubOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How to reach the hub, and how downloads go. Empty texts mean the usual."""

    endpoint: str
    is_offline: bool
    proxy: str
    ca_file: str
    n_at_once: int
    bytes_per_s: float | None
    """The most that all downloads take together; ``None`` is no limit."""


def hub_options(resolved: Iterable[ResolvedSetting]) -> HubOptions:
    """Return the settings of the hub; what is in them is checked by ``check_addresses``."""
    values = {setting.definition.key: setting.value for setting in resolved}
    limit_kb = msgspec.convert(values["hub.speed_limit_kb"], int)
    return HubOptions(
        endpoint=str(values["hub.endpoint"]).rstrip("/"),
        is_offline=msgspec.convert(values["hub.offline"], bool),
        proxy=str(values["hub.proxy"]),
        ca_file=str(values["hub.ca_file"]),
        n_at_once=msgspec.convert(values["hub.downloads_at_once"], int),
        bytes_per_s=limit_kb * _BYTES_A_KB or None,
    )


def check_addresses(options: HubOptions) -> None:
    """Raise ``SettingInvalid`` if an address is none."""
    check_address("hub.endpoint", options.endpoint)
    check_address("hub.proxy", options.proxy)


def check_address(key: str, text: str) -> None:
    """Raise ``SettingInvalid`` under the setting ``key`` unless ``text`` is empty or an address."""
    if not text:
        return
    try:
        address = urlsplit(text)
        is_good = address.scheme in _SCHEMES and bool(address.hostname) and (address.port or 1) > 0
    except ValueError:
        is_good = False
    if not is_good:
        reason = tr("“{text}” is not a URL. It must start with “https://”.").format(text=text)
        raise SettingInvalid(key=BY_KEY[key].label, reason=reason)


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
