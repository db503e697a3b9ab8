"""Break down the memory of each device by model and program (no I/O)."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Final

import msgspec
import psutil

from fireside.core.hardware import DeviceReading, MemoryBreakdown, MemoryHolder
from fireside.core.i18n import tr, tr_noop
from fireside.core.status import DeviceKind, MemoryReport

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
