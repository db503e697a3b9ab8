"""RPC devices are for development only: no user can reach them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from fireside.core.status import Device
from fireside.engine.clock import LoopClock
from fireside.engine.devices.device_listing import probe_devices
from fireside.main.machine import build_spawner
from fireside.main.startup_context import load_context
from fireside.settings.definitions import DEFINITIONS
from llama.rpc_devices import rpc_devices


def devices_of_the_program(home: Path) -> tuple[Device, ...]:
    """Return the devices of runners that are started as the program starts them."""
    context = load_context({"FIRESIDE_HOME": str(home)}, command_line={})
    return asyncio.run(probe_devices(spawn=build_spawner(context.paths), clock=LoopClock()))


@pytest.mark.parametrize(("switch", "is_found"), [("1", True), ("", False), ("true", False)])
def test_rpc_server_is_used_only_with_the_development_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, switch: str, is_found: bool
) -> None:
    monkeypatch.setenv("FIRESIDE_DEVELOPMENT", switch)
    with rpc_devices(1) as variables:
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        names = {device.name for device in devices_of_the_program(tmp_path)}
    assert ("RPC0" in names) is is_found


def test_no_setting_mentions_rpc() -> None:
    text = " ".join(
        f"{definition.key} {definition.label} {definition.help} {definition.environment}"
        for definition in DEFINITIONS
    )
    assert "rpc" not in text.lower().split()
