"""The settings of the hub become values, and an address that is none is refused."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from fireside.core.errors import SettingInvalid
from fireside.settings.conversions import HubOptions, check_addresses, hub_options
from fireside.settings.file import SettingsFile
from fireside.settings.service import Settings
from fireside.settings.values import AppLayer


def options(tmp_path: Path, environ: Mapping[str, str]) -> HubOptions:
    return hub_options(Settings(file=SettingsFile(tmp_path / "settings.json"), environ=environ).resolved())


def test_by_default_two_downloads_run_at_full_speed_from_the_public_hub(tmp_path: Path) -> None:
    assert options(tmp_path, {}) == HubOptions(
        endpoint="",
        package_index="",
        is_offline=False,
        proxy="",
        ca_file="",
        n_at_once=2,
        bytes_per_s=None,
    )


def test_the_environment_sets_them(tmp_path: Path) -> None:
    parsed = options(
        tmp_path,
        {
            "FIRESIDE_HUB_ENDPOINT": "https://mirror.example/hub/",
            "FIRESIDE_HUB_OFFLINE": "true",
            "FIRESIDE_HUB_SPEED_LIMIT_KB": "500",
        },
    )
    assert (parsed.endpoint, parsed.is_offline, parsed.bytes_per_s) == (
        "https://mirror.example/hub",
        True,
        500_000,
    )


@pytest.mark.parametrize("key", ["ENDPOINT", "PROXY"])
@pytest.mark.parametrize("text", ["nowhere", "ftp://x", "https://", "http://x:99999", "http://[x"])
def test_an_invalid_address_is_refused(tmp_path: Path, key: str, text: str) -> None:
    with pytest.raises(SettingInvalid, match="is not a URL"):
        check_addresses(options(tmp_path, {f"FIRESIDE_HUB_{key}": text}))


@pytest.mark.parametrize("key", ["hub.endpoint", "hub.package_index", "hub.proxy"])
def test_an_invalid_address_is_refused_when_it_is_set(tmp_path: Path, key: str) -> None:
    settings = Settings(file=SettingsFile(tmp_path / "settings.json"), environ={})
    with pytest.raises(SettingInvalid, match="“foo” is not a URL"):
        settings.change(AppLayer(), key=key, value="foo")
    settings.change(AppLayer(), key=key, value="http://proxy:8080")
    settings.change(AppLayer(), key=key, value="")


def test_the_error_of_an_address_does_not_contain_its_password(tmp_path: Path) -> None:
    settings = Settings(file=SettingsFile(tmp_path / "settings.json"), environ={})
    with pytest.raises(SettingInvalid) as refused:
        settings.change(AppLayer(), key="hub.proxy", value="socks9://ada:secret@proxy")
    assert "socks9://proxy" in str(refused.value)
    assert "secret" not in str(refused.value)
