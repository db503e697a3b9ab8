"""Report this computer's hardware and memory use on request."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from fireside.core.errors import RunnerError
from fireside.core.for_window import for_window
from fireside.core.hardware import DeviceReading, Hardware, MemoryBreakdown, MemorySource
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import ModelId
from fireside.core.options import PURPOSE_TEXTS, Purpose
from fireside.core.status import Device, Ready, RunningModel
from fireside.engine.devices.card_sources import DeviceMemory
from fireside.engine.devices.device_report import hardware_report
from fireside.engine.devices.memory_breakdown import HeldByModel, measure_process, memory_bars
from fireside.settings.time_limited_call import TimeLimitedCaller
from fireside.wire.memory_limits import read_memory
from fireside.wire.runner_modes import DeviceListing

_LISTING_TIMEOUT_S: Final = 40.0


class HardwareReporter:
    """Hardware and memory of this computer, on the engine's loop."""

    def __init__(
        self,
        *,
        list_devices: Callable[[], DeviceListing],
        memory: DeviceMemory,
        running: Callable[[], Sequence[RunningModel]],
        name_of: Callable[[ModelId], str],
        runtime: Callable[[], str],
        speech: Callable[[], int | None] = lambda: None,
        timeout_s: float = 2.0,
    ) -> None:
        """``list_devices`` blocks and may raise ``RunnerError``, see ``DeviceLister``; ``runtime`` returns
        the name of the llama.cpp build that it asks; ``speech`` the process id of the speech host.

        ``timeout_s`` is how long memory bars wait for devices that were never listed.
        """
        self._list_devices = list_devices
        self._memory = memory
        self._running = running
        self._name_of = name_of
        self._runtime = runtime
        self._speech = speech
        self._timeout_s = timeout_s
        self._caller = TimeLimitedCaller(name="device listing")
        self._listing: asyncio.Task[tuple[DeviceListing | None, str]] | None = None
        self._devices: tuple[Device, ...] | None = None
        self._held_at_listing: dict[str, int] = {}

    @for_window
    async def hardware(self) -> Hardware:
        """Return the hardware; a temporary runner lists its devices. Under a second."""
        listing, problem = await asyncio.shield(self._start_listing())
        devices = self._devices or ()
        readings, cards, problems = await asyncio.to_thread(
            lambda: (self._memory.read(devices), self._memory.cards(), self._memory.problems())
        )
        return hardware_report(
            listing,
            readings=self._adjusted(readings),
            cards=cards,
            problems=(*((problem,) if problem else ()), *problems),
            runtime=self._runtime(),
        )

    @for_window
    async def memory_bars(self) -> tuple[MemoryBreakdown, ...]:
        """Return the current usage of each memory, the computer's main memory first.

        Cheap: once a second is fine. The devices are those listed last; a driver that takes long to list them
        does not delay the figures of main memory.
        """
        if self._devices is None:
            await asyncio.wait({self._start_listing()}, timeout=self._timeout_s)
        devices = self._devices or ()
        readings = await asyncio.to_thread(self._memory.read, devices)
        memory = read_memory()
        return memory_bars(
            total_bytes=memory.total_bytes,
            available_bytes=memory.available_bytes,
            this_program=measure_process(),
            models=(*self._models(), *self._speech_models()),
            readings=self._adjusted(readings),
        )

    def _speech_models(self) -> tuple[HeldByModel, ...]:
        pid = self._speech()
        if pid is None:
            return ()
        return (HeldByModel(name=tr("Speech"), process=measure_process(pid), reports=()),)

    def _start_listing(self) -> asyncio.Task[tuple[DeviceListing | None, str]]:
        """Start listing the devices, or return the listing that is in progress."""
        if self._listing is None or self._listing.done():
            self._listing = asyncio.create_task(self._list(), name="device listing")
        return self._listing

    async def _list(self) -> tuple[DeviceListing | None, str]:
        """List the devices; keep the previous list where that fails."""
        try:
            # In a daemon thread, which does not delay the end of the program.
            listing = await self._caller.call(self._list_devices, limit_s=_LISTING_TIMEOUT_S)
        except RunnerError as exc:
            return None, exc.sentence()
        except TimeoutError:
            return None, RunnerError.of(
                "runner_start_failed", reason=tr_noop("it has not listed the devices in time.")
            ).sentence()
        self._devices = listing.devices
        models = self._models()
        self._held_at_listing = {
            device.name: sum(model.n_bytes_on(device.name) for model in models) for device in listing.devices
        }
        return listing, ""

    def _models(self) -> tuple[HeldByModel, ...]:
        return tuple(
            HeldByModel(
                name=self._name(model),
                process=measure_process(model.pid) if model.pid is not None else None,
                reports=model.state.loaded.memory,
            )
            for model in self._running()
            if isinstance(model.state, Ready)
        )

    def _name(self, model: RunningModel) -> str:
        name = self._name_of(model.model_id)
        if model.purpose is Purpose.GENERATE:
            return name
        return f"{name} ({tr(PURPOSE_TEXTS[model.purpose])})"

    def _adjusted(self, readings: Sequence[DeviceReading]) -> tuple[DeviceReading, ...]:
        """Adjust ``readings`` by what models have allocated or freed since, where no runner can be asked
        again."""
        models = self._models()
        return tuple(
            self._adjust(reading, models) if reading.source is MemorySource.BACKEND else reading
            for reading in readings
        )

    def _adjust(self, reading: DeviceReading, models: Sequence[HeldByModel]) -> DeviceReading:
        device = reading.device
        held_now = sum(model.n_bytes_on(device.name) for model in models)
        free_bytes = device.free_bytes + self._held_at_listing.get(device.name, 0) - held_now
        free_bytes = max(0, min(device.total_bytes, free_bytes))
        return msgspec.structs.replace(reading, device=msgspec.structs.replace(device, free_bytes=free_bytes))
