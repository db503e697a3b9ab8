"""Report this computer's hardware and memory use on request."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Sequence
from typing import Final

import msgspec
import psutil

from fireside.core.errors import RunnerError
from fireside.core.for_window import for_window
from fireside.core.hardware import DeviceReading, Hardware, MemoryBreakdown, MemoryHolder, MemorySource
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import ModelId
from fireside.core.options import PURPOSE_TEXTS, Purpose
from fireside.core.status import Device, DeviceKind, MemoryReport, Ready, RunningModel
from fireside.engine.devices.card_sources import DeviceMemory
from fireside.engine.devices.device_report import hardware_report
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


# Break down the memory of each device by model and program (no I/O)


HOST: Final = "CPU"
"""System memory, as llama.cpp names it."""
HOST_LABEL: Final = tr_noop("RAM")
THIS_PROGRAM: Final = "Fireside"
OTHERS: Final = tr_noop("Other programs")
OTHERS_IN_MEMORY: Final = tr_noop("Other programs and the system")


class HeldByModel(msgspec.Struct, frozen=True, kw_only=True):
    """The memory that a loaded model uses."""

    name: str
    process: ProcessMemory | None
    """Memory of its runner process, measured now; ``None`` if it cannot be measured."""
    reports: tuple[MemoryReport, ...]
    """What llama.cpp reported after the load."""

    def n_bytes_on(self, device: str) -> int:
        """Return how many bytes llama.cpp allocated on a device."""
        return sum(
            report.weights_bytes + report.kv_bytes + report.compute_bytes
            for report in self.reports
            if is_on(report, device)
        )


def is_on(report: MemoryReport, device: str) -> bool:
    """Return whether a buffer is on a device: ``CUDA1`` has ``CUDA1`` and ``CUDA1_Split``, not ``CUDA10``."""
    rest = report.buffer.removeprefix(device)
    return rest != report.buffer and not rest[:1].isdigit()


def memory_bars(
    *,
    total_bytes: int,
    available_bytes: int,
    this_program: ProcessMemory | None,
    models: Sequence[HeldByModel],
    readings: Sequence[DeviceReading],
) -> tuple[MemoryBreakdown, ...]:
    """Return a bar for system memory and for each device with dedicated memory.

    Args:
        total_bytes: total system memory.
        available_bytes: available system memory, as the system reports it.
    """
    unique = [reading for reading in readings if not reading.same_as]
    integrated = [reading.device.name for reading in unique if reading.device.kind is DeviceKind.IGPU]
    host = _host_bar(
        total_bytes=total_bytes,
        available_bytes=available_bytes,
        this_program=this_program,
        models=models,
        shared=integrated,
    )
    cards = [reading for reading in unique if reading.device.kind is DeviceKind.GPU]
    return (host, *(_card_bar(card, models=models) for card in cards))


def _host_bar(
    *,
    total_bytes: int,
    available_bytes: int,
    this_program: ProcessMemory | None,
    models: Sequence[HeldByModel],
    shared: Sequence[str],
) -> MemoryBreakdown:
    holders = [_host_memory(model, shared=shared) for model in models]
    if this_program is not None:
        holders.append(MemoryHolder(name=THIS_PROGRAM, n_bytes=this_program.private_bytes))
    # The system would evict a model's mapped file for other programs, and the model would crawl: not free.
    mapped = sum(model.process.mapped_bytes for model in models if model.process is not None)
    return _bar(
        device=HOST,
        description=tr(HOST_LABEL),
        total_bytes=total_bytes,
        free_bytes=available_bytes - mapped,
        holders=holders,
        others=tr(OTHERS_IN_MEMORY),
    )


def _host_memory(model: HeldByModel, *, shared: Sequence[str]) -> MemoryHolder:
    if model.process is None:
        n_bytes = model.n_bytes_on(HOST)
    else:
        n_bytes = model.process.private_bytes + model.process.mapped_bytes
    # The process's memory does not include what a driver allocated for an integrated GPU.
    n_bytes += sum(model.n_bytes_on(device) for device in shared)
    return MemoryHolder(name=model.name, n_bytes=n_bytes, is_model=True)


def _card_bar(card: DeviceReading, *, models: Sequence[HeldByModel]) -> MemoryBreakdown:
    device = card.device
    holders = [
        MemoryHolder(name=model.name, n_bytes=model.n_bytes_on(device.name), is_model=True)
        for model in models
    ]
    bar = _bar(
        device=device.name,
        description=device.description or device.name,
        total_bytes=device.total_bytes,
        free_bytes=device.free_bytes,
        holders=holders,
        others=tr(OTHERS),
    )
    return msgspec.structs.replace(bar, temperature_c=card.temperature_c, load=card.load)


def _bar(
    *,
    device: str,
    description: str,
    total_bytes: int,
    free_bytes: int,
    holders: Sequence[MemoryHolder],
    others: str,
) -> MemoryBreakdown:
    known = sum(holder.n_bytes for holder in holders)
    # The values are measured one after the other: free memory can have changed in between.
    free_bytes = max(0, min(free_bytes, total_bytes - known))
    rest = max(0, total_bytes - free_bytes - known)
    all_holders = (*holders, MemoryHolder(name=others, n_bytes=rest))
    return MemoryBreakdown(
        device=device,
        description=description,
        total_bytes=total_bytes,
        free_bytes=free_bytes,
        holders=tuple(holder for holder in all_holders if holder.n_bytes > 0),
    )


class ProcessMemory(msgspec.Struct, frozen=True, kw_only=True):
    """Resident memory of a process, in bytes."""

    private_bytes: int
    """Private memory: unavailable to other processes while this one lives."""
    mapped_bytes: int = 0
    """Pages of mapped files, mostly the model. The system counts them as available and rereads them."""


def measure_process(pid: int | None = None) -> ProcessMemory | None:
    """Return the memory of process ``pid``, by default this one; ``None`` once it has ended. Below 1 ms."""
    try:
        memory = psutil.Process(os.getpid() if pid is None else pid).memory_info()
    except psutil.Error:
        return None
    if sys.platform == "linux":
        shared = min(memory.rss, memory.shared)
        return ProcessMemory(private_bytes=memory.rss - shared, mapped_bytes=shared)
    return ProcessMemory(private_bytes=memory.rss)
