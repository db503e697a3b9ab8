"""Measure what models run on: devices, memory, settings and speeds of this computer."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Final

import msgspec

from fireside.core.errors import RunnerError
from fireside.core.options import LoadOptions
from fireside.core.status import Device, MemoryReport, Ready, RunningModel
from fireside.engine.cache_budget import CacheProbe, no_cache, planned_bytes
from fireside.engine.host_info import Host, HostProbe
from fireside.engine.planning.memory_estimate import gpus_among
from fireside.engine.planning.speed_estimate import ReadSpeed

CACHE_S: Final = 120.0
"""How long devices and their free memory are cached: listing takes a second, and a process of its own."""
_MAPPED: Final = "_Mapped"
"""How llama.cpp names buffers that are memory-mapped pages of the model's file."""

log = logging.getLogger(__name__)

_NO_SPEEDS: Final[Mapping[str, ReadSpeed]] = {}


class Computer(msgspec.Struct, frozen=True, kw_only=True):
    """What models would run on, and how they would be loaded."""

    devices: tuple[Device, ...]
    host: Host
    options: LoadOptions
    speeds: Mapping[str, ReadSpeed] = _NO_SPEEDS
    """Read bandwidth of weights, by device."""
    display: str | None = None
    """Name of the GPU that drives the display; ``None`` if unknown."""
    prompt_cache_bytes: int = 0
    """Memory that a load leaves free for the prompt cache."""


class HostMeasurement:
    """Measures what models would run on. Lives on one event loop."""

    def __init__(
        self,
        *,
        devices: Callable[[], Awaitable[tuple[Device, ...]]],
        host: HostProbe,
        options: Callable[[], LoadOptions],
        loaded_memory: Callable[[], Sequence[MemoryReport]] = tuple,
        speeds: Callable[[], Awaitable[Mapping[str, ReadSpeed]]] | None = None,
        display: Callable[[], str | None] = lambda: None,
        cache: CacheProbe = no_cache,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``devices`` asks a runner, which is slow and cached; the other functions are called each time.

        ``loaded_memory`` returns the memory of loaded models: a load that needs it gets it, so it counts as
        free. Without ``speeds`` no speed is estimated. ``display`` and ``cache`` are those of the
        ``Planner``, so that both count alike.
        """
        self._list = devices
        self._host = host
        self._options = options
        self._loaded_memory = loaded_memory
        self._speeds = speeds
        self._display = display
        self._cache = cache
        self._clock = clock
        self._lock = asyncio.Lock()
        self._devices: tuple[Device, ...] = ()
        self._listing: asyncio.Future[tuple[Device, ...]] | None = None
        self._known_until_s: float | None = None
        self._runtime = ""
        """The build of llama.cpp that named the devices: another one may find others."""

    async def measure(self) -> Computer:
        """Return this computer as it is now, with the current settings; without a runner it has no devices.

        Raises ``SettingInvalid`` where settings contradict each other.
        """
        options = self._options()
        async with self._lock:
            is_old = self._known_until_s is None or self._clock() >= self._known_until_s
            if is_old or options.runtime != self._runtime:
                await self._list_devices()
                self._runtime = options.runtime
        host = self._host()
        gpus = gpus_among(self._devices)
        held_in_ram = sum(
            _n_bytes(report)
            for report in self._loaded_memory()
            if not any(gpu.name in report.buffer for gpu in gpus)
        )
        host = msgspec.structs.replace(host, available_bytes=host.available_bytes + held_in_ram)
        computer = Computer(
            devices=self._devices,
            host=host,
            options=options,
            display=self._display(),
            prompt_cache_bytes=planned_bytes(self._cache()),
        )
        if self._speeds is None:
            return computer
        return msgspec.structs.replace(computer, speeds=await self._speeds())

    async def close(self) -> None:
        """End a listing of devices that is under way, and the runner that it asks."""
        if self._listing is not None:
            self._listing.cancel()
            await asyncio.wait([self._listing])

    async def _list_devices(self) -> None:
        # A task of its own: a runner that was started is ended too where nobody waits for it any more.
        self._listing = asyncio.ensure_future(self._list())
        try:
            listed = await asyncio.shield(self._listing)
            self._devices = tuple(self._with_held_memory(device) for device in listed)
        except RunnerError as exc:
            log.warning("the devices could not be listed: %s", exc)
            self._devices = ()
        self._known_until_s = self._clock() + CACHE_S

    def _with_held_memory(self, device: Device) -> Device:
        held = sum(_n_bytes(held) for held in self._loaded_memory() if device.name in held.buffer)
        free_bytes = min(device.total_bytes, device.free_bytes + held)
        return msgspec.structs.replace(device, free_bytes=free_bytes)


def memory_of_loaded(running: Iterable[RunningModel]) -> tuple[MemoryReport, ...]:
    """Return the memory of the loaded models."""
    loaded = [model.state.loaded for model in running if isinstance(model.state, Ready)]
    return tuple(report for model in loaded for report in model.memory)


def _n_bytes(held: MemoryReport) -> int:
    """Return what would be free without ``held``. The system counts pages of a mapped file as free anyway."""
    weights = 0 if held.buffer.endswith(_MAPPED) else held.weights_bytes
    return weights + held.kv_bytes + held.compute_bytes
