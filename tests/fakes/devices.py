"""Devices, cards and device listings for tests."""

from __future__ import annotations

from fireside.core.hardware import MemorySource
from fireside.core.status import Device, DeviceKind
from fireside.engine.devices.card import Card
from fireside.engine.devices.card_sources import DeviceMemory
from fireside.wire.runner_modes import DeviceListing, ListedBackend

GIB = 1 << 30


def device(
    name: str = "CUDA0",
    description: str = "NVIDIA GeForce RTX 3060",
    *,
    kind: DeviceKind = DeviceKind.GPU,
    free_bytes: int = 10 * GIB,
    total_bytes: int = 12 * GIB,
    device_id: str = "",
) -> Device:
    """Return a device as a runner lists it; its backend is its name without the number."""
    return Device(
        name=name,
        description=description,
        kind=kind,
        free_bytes=free_bytes,
        total_bytes=total_bytes,
        backend=name.rstrip("0123456789"),
        device_id=device_id,
    )


def processor(*, total_bytes: int = 16 * GIB) -> Device:
    return device("CPU", "AMD Ryzen 5 5600", kind=DeviceKind.CPU, total_bytes=total_bytes)


def card(
    pci_address: str = "0000:01:00.0",
    name: str = "NVIDIA GeForce RTX 3060",
    *,
    source: MemorySource = MemorySource.NVML,
    free_bytes: int | None = 9 * GIB,
    total_bytes: int | None = 12 * GIB,
    temperature_c: float | None = None,
    load: float | None = None,
    driver: str = "",
) -> Card:
    return Card(
        source=source,
        pci_address=pci_address,
        name=name,
        free_bytes=free_bytes,
        total_bytes=total_bytes,
        temperature_c=temperature_c,
        load=load,
        driver=driver,
    )


def listing(*devices: Device) -> DeviceListing:
    """Return a device listing of a runner, which always includes the CPU."""
    names = dict.fromkeys(("CPU", *(each.backend for each in devices)))
    return DeviceListing(
        llama_cpp="0.5.0 (ggml 0.25.3)",
        devices=(*devices, processor()),
        backends=tuple(
            ListedBackend(name=name, features=("AVX2",) if name == "CPU" else ()) for name in names
        ),
    )


class FakeCards:
    """A ``CardSource`` that reports the cards that a test sets."""

    def __init__(self, *cards: Card, problem: str = "") -> None:
        self.reported = cards
        self.problem_text = problem

    def cards(self) -> tuple[Card, ...]:
        return self.reported

    def problem(self) -> str:
        return self.problem_text


def device_memory(*sources: FakeCards, available_bytes: int = 8 * GIB) -> DeviceMemory:
    """Return a ``DeviceMemory`` with these sources only."""
    return DeviceMemory(sources, available_bytes=lambda: available_bytes)
