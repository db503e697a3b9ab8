"""The card sources of this system, and device memory measured with all of them combined."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Mapping, Sequence

from fireside.core.hardware import DeviceReading, MemorySource
from fireside.core.status import Device
from fireside.engine.devices.card import Card, CardSource
from fireside.engine.devices.device_matching import read_devices, usable_devices
from fireside.engine.devices.dxgi import Dxgi, dxgi_library
from fireside.engine.devices.metal import METAL, OBJECTIVE_C, Metal
from fireside.engine.devices.nvml import Nvml, nvml_libraries
from fireside.engine.devices.sysfs import DrmFolder
from fireside.wire.memory_limits import read_memory


def available_bytes() -> int:
    """Return how many bytes of system memory programs can allocate without swapping."""
    return read_memory().available_bytes


def card_sources(environ: Mapping[str, str]) -> tuple[CardSource, ...]:
    """Return the sources available on this system, the most reliable first."""
    match sys.platform:
        case "darwin":
            return (Metal(metal=METAL, objective_c=OBJECTIVE_C, available_bytes=available_bytes),)
        case "win32":
            return (Nvml(nvml_libraries(environ)), Dxgi(dxgi_library(environ)))
        case _:
            return (Nvml(nvml_libraries(environ)), DrmFolder())


class DeviceMemory:
    """Measures the memory of devices that llama.cpp listed, by the most reliable source of each.

    Callable from any thread. A sleeping driver may take 1 s at the first call, later milliseconds.
    """

    def __init__(
        self, sources: Sequence[CardSource], *, available_bytes: Callable[[], int] = available_bytes
    ) -> None:
        """``available_bytes`` returns the available system memory."""
        self._sources = tuple(sources)
        self._available_bytes = available_bytes
        self._lock = threading.Lock()
        self._display_device: str | None = None

    @property
    def display_device(self) -> str | None:
        """Name of the device that drew the desktop at the last reading.

        Empty if none of them did; ``None`` if unknown.
        """
        return self._display_device

    def measured(self, devices: Sequence[Device]) -> tuple[Device, ...]:
        """Return ``devices`` with their current memory, without devices that are listed twice."""
        return usable_devices(devices, self.read(devices))

    def read(self, devices: Sequence[Device]) -> tuple[DeviceReading, ...]:
        """Return the current state of the devices that can take layers."""
        readings = read_devices(devices, self.cards(), available_bytes=self._available_bytes())
        known = [each for each in readings if each.drives_display is not None and not each.same_as]
        driving = (each.device.name for each in known if each.drives_display)
        self._display_device = next(driving, "") if known else None
        return readings

    def free_memory(self, devices: Sequence[Device]) -> dict[str, int]:
        """Return the free bytes, by device name, of devices whose memory a driver or the system reports."""
        readings = (each for each in self.read(devices) if each.source is not MemorySource.BACKEND)
        return {each.device.name: each.device.free_bytes for each in readings}

    def cards(self) -> tuple[Card, ...]:
        """Return the cards that all sources report, the most reliable source first."""
        with self._lock:
            return tuple(card for source in self._sources for card in source.cards())

    def problems(self) -> tuple[str, ...]:
        """Return the problems with drivers, one sentence each."""
        with self._lock:
            return tuple(problem for source in self._sources if (problem := source.problem()))
