"""Build the measurement of this computer."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence

from fireside.core.status import Device, MemoryReport
from fireside.engine.cache_budget import cache_options, probe_capacity
from fireside.engine.clock import LoopClock
from fireside.engine.devices.card_sources import DeviceMemory, card_sources
from fireside.engine.devices.device_listing import probe_devices
from fireside.engine.host_info import probe_host
from fireside.engine.processes.link import Spawn
from fireside.main.startup_context import StartupContext
from fireside.services.machine.host_measurement import HostMeasurement
from fireside.services.machine.read_speeds import ReadSpeeds
from fireside.settings.conversions import cache_disk_bytes, cache_memory_bytes, load_options
from fireside.settings.paths import Paths
from fireside.wire.messages import CacheOptions


def build_speeds(paths: Paths) -> ReadSpeeds:
    """Return the measured speeds at which this computer reads weights."""
    return ReadSpeeds(paths.data_folder / "speeds.json")


def cache_options_of(context: StartupContext) -> CacheOptions:
    """Return the limits of the prompt cache for a runner that starts now."""
    folder = context.paths.states_folder
    resolved = context.settings.resolved()
    return cache_options(
        folder,
        capacity=probe_capacity(folder),
        memory_bytes=cache_memory_bytes(resolved),
        disk_bytes=cache_disk_bytes(resolved),
    )


def build_computer(
    context: StartupContext,
    *,
    spawner: Spawn,
    speeds: ReadSpeeds,
    loaded_memory: Callable[[], Sequence[MemoryReport]] = tuple,
) -> HostMeasurement:
    """Return the measurement of this computer, for loads with the settings in force.

    ``loaded_memory`` returns the memory of loaded models.
    """
    settings = context.settings
    memory = DeviceMemory(card_sources(os.environ))

    async def devices() -> tuple[Device, ...]:
        runtime = load_options(settings.resolved()).runtime
        listed = await probe_devices(spawn=spawner, clock=LoopClock(), runtime=runtime)
        return await asyncio.to_thread(memory.measured, listed)

    return HostMeasurement(
        devices=devices,
        host=probe_host,
        options=lambda: load_options(settings.resolved()),
        loaded_memory=loaded_memory,
        speeds=speeds.speeds,
        display=lambda: memory.display_device,
        cache=lambda: cache_options_of(context),
    )
