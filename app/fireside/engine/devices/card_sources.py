"""The sources of facts about graphics cards on this system, and all of them combined."""

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
    """Return how much of the computer's own memory programs can have without swapping."""
    return read_memory().available_bytes


def card_sources(environ: Mapping[str, str]) -> tuple[CardSource, ...]:
    """Return the sources that can be asked on this system, the most reliable first."""
    match sys.platform:
        case "darwin":
            return (Metal(metal=METAL, objective_c=OBJECTIVE_C, available_bytes=available_bytes),)
        case "win32":
            return (Nvml(nvml_libraries(environ)), Dxgi(dxgi_library(environ)))
        case _:
            return (Nvml(nvml_libraries(environ)), DrmFolder())


class DeviceMemory:
    """Measures the memory of devices that llama.cpp listed, by the most reliable source of each.

    Any thread. A driver that sleeps may take a second to answer at first; later it is milliseconds.
    """

    def __init__(
        self, sources: Sequence[CardSource], *, available_bytes: Callable[[], int] = available_bytes
    ) -> None:
        """Take ``available_bytes`` as what measures the computer's own memory."""
        self._sources = tuple(sources)
        self._available_bytes = available_bytes
        self._lock = threading.Lock()
        self._drawing: str | None = None

    @property
    def drawing(self) -> str | None:
        """Name of the device that drew the desktop when they were read last.

        Empty if none of them did; ``None`` is not known.
        """
        return self._drawing

    def measured(self, devices: Sequence[Device]) -> tuple[Device, ...]:
        """Return ``devices`` with their memory as it is now, and without those that are listed twice."""
        return usable_devices(devices, self.read(devices))

    def read(self, devices: Sequence[Device]) -> tuple[DeviceReading, ...]:
        """Return how the devices are doing that can take layers."""
        readings = read_devices(devices, self.cards(), available_bytes=self._available_bytes())
        known = [each for each in readings if each.drives_display is not None and not each.same_as]
        drawing = (each.device.name for each in known if each.drives_display)
        self._drawing = next(drawing, "") if known else None
        return readings

    def free_memory(self, devices: Sequence[Device]) -> dict[str, int]:
        """Return the free bytes of devices that a driver can tell about."""
        told = (each for each in self.read(devices) if each.source is not MemorySource.BACKEND)
        return {each.device.name: each.device.free_bytes for each in told}

    def cards(self) -> tuple[Card, ...]:
        """Return what every source says, the most reliable first."""
        with self._lock:
            return tuple(card for source in self._sources for card in source.cards())

    def problems(self) -> tuple[str, ...]:
        """Return what is wrong with drivers, a sentence each."""
        with self._lock:
            return tuple(problem for source in self._sources if (problem := source.problem()))
