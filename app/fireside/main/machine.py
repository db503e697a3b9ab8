"""Build what concerns this machine: runners, their runtimes, and what is measured of it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from fireside.core.events import AppEvent
from fireside.core.runtime import RuntimesChanged
from fireside.core.status import Device, MemoryReport
from fireside.engine.clock import LoopClock
from fireside.engine.processes.llama_setup import LlamaSetup
from fireside.engine.processes.runner_process import runner_command
from fireside.engine.runtimes.runner_spawner import RunnerSpawner
from fireside.engine.runtimes.runtime_store import RuntimeStore
from fireside.engine.runtimes.smoke_test import SmokeTest
from fireside.library.starter import starter_folder
from fireside.main.startup_context import StartupContext, base_environment
from fireside.services.machine.runtime_service import RuntimeParts
from fireside.settings.conversions import cache_disk_bytes, cache_memory_bytes, load_options
from fireside.settings.paths import Paths
from fireside.updates.runtime_downloads import RuntimeDownloads

if TYPE_CHECKING:  # commands about runtimes measure nothing
    from fireside.engine.devices.card_sources import DeviceMemory
    from fireside.engine.processes.runner_process import Spawn
    from fireside.services.machine.host_measurement import HostMeasurement
    from fireside.services.machine.read_speeds import ReadSpeeds
    from fireside.wire.messages import CacheOptions


def build_llama_setup() -> LlamaSetup:
    """Return the set-up that compiles llama.cpp, if this is a checkout where that is not done yet."""
    script = Path(__file__).resolve().parents[3] / "installer" / "bootstrap.py"
    if find_spec("llama_cpp") is not None or not script.is_file():
        return LlamaSetup()
    return LlamaSetup((sys.executable, str(script), "llama"))


def build_spawner(paths: Paths, *, emit: Callable[[AppEvent], None] = lambda _event: None) -> RunnerSpawner:
    """Return the spawner of runners, each with the runtime of its model.

    It reports when a runtime is abandoned because its runners do not start.
    """
    return RunnerSpawner(
        command=runner_command(),
        environment=base_environment(),
        store=RuntimeStore(paths.runtimes_folder),
        on_change=lambda note: emit(RuntimesChanged(note=note)),
    )


def build_runtime_parts(paths: Paths, *, downloads: RuntimeDownloads | None = None) -> RuntimeParts:
    """Return the parts of the runtime service."""
    # The bundled folder contains one model.
    model = next(iter(sorted(starter_folder().glob("*.gguf"))), starter_folder() / "starter.gguf")
    trial = SmokeTest(
        command=runner_command(), environment=base_environment(), model=model, clock=LoopClock()
    )
    return RuntimeParts(store=RuntimeStore(paths.runtimes_folder), smoke_test=trial, downloads=downloads)


def runtime_in_use(context: StartupContext) -> str:
    """Return the name of the runtime of models without a setting of their own."""
    return load_options(context.settings.resolved()).runtime


def build_speeds(paths: Paths) -> ReadSpeeds:
    """Return the measured speeds at which this computer reads weights."""
    from fireside.services.machine.read_speeds import ReadSpeeds

    return ReadSpeeds(paths.data_folder / "speeds.json")


def cache_options_of(context: StartupContext) -> CacheOptions:
    """Return the limits of the prompt cache for a runner that starts now."""
    from fireside.engine.cache_budget import cache_options, probe_capacity

    folder = context.paths.states_folder
    resolved = context.settings.resolved()
    options = cache_options(
        folder,
        capacity=probe_capacity(folder),
        memory_bytes=cache_memory_bytes(resolved),
        disk_bytes=cache_disk_bytes(resolved),
    )
    if not context.lock.has_passphrase:
        return options
    if context.lock.is_locked:  # nothing may be stored that anybody can read
        return replace(options, folder=None, disk_bytes=0)
    return replace(options, secret=context.lock.states_key())


def build_computer(
    context: StartupContext,
    *,
    spawner: Spawn,
    speeds: ReadSpeeds,
    memory: DeviceMemory,
    loaded_memory: Callable[[], Sequence[MemoryReport]] = tuple,
    setup: LlamaSetup | None = None,
) -> HostMeasurement:
    """Return the measurement of this computer, for loads with the settings in force.

    ``loaded_memory`` returns the memory of loaded models; no runner is started before ``setup`` is done.
    """
    from fireside.engine.devices.device_listing import probe_devices
    from fireside.engine.host_info import probe_host
    from fireside.services.machine.host_measurement import HostMeasurement

    settings = context.settings

    async def devices() -> tuple[Device, ...]:
        runtime = load_options(settings.resolved()).runtime
        if setup is not None:
            setup.checked({})
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
