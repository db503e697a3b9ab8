"""Measure what models would run on, where no engine runs."""

from __future__ import annotations

import logging

from fireside.chat.advice import Computer
from fireside.core.errors import RunnerError
from fireside.core.status import Device
from fireside.engine.clock import LoopClock
from fireside.engine.device_probe import probe_devices
from fireside.engine.host import probe_host
from fireside.main.build import Ground, build_spawner
from fireside.settings.typed import load_options

log = logging.getLogger(__name__)


async def measure_computer(ground: Ground) -> Computer:
    """Return this computer as it is now, with the settings in force; without a runner it has no devices."""
    devices: tuple[Device, ...] = ()
    try:
        devices = await probe_devices(spawn=build_spawner(), clock=LoopClock())
    except RunnerError as exc:
        log.warning("no runner says which devices there are: %s", exc)
    options = load_options(ground.settings.resolved())
    return Computer(devices=devices, host=probe_host(), options=options)
