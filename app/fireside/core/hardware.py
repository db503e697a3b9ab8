"""Hardware of this computer that matters for running models."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from fireside.core.status import Device


class MemorySource(StrEnum):
    """The source of a memory reading, the most reliable first."""

    NVML = "nvml"
    SYSFS = "sysfs"
    METAL = "metal"
    DXGI = "dxgi"
    BACKEND = "backend"
    """llama.cpp's own backend."""
    SYSTEM = "system"
    """The operating system, for RAM."""


class DeviceReading(msgspec.Struct, frozen=True, kw_only=True):
    """A device with its current readings. ``None`` is unknown."""

    device: Device
    source: MemorySource
    temperature_c: float | None = None
    load: float | None = None
    """0 to 1."""
    drives_display: bool | None = None
    driver: str = ""
    same_as: str = ""
    """Name of the same GPU under another backend, which is used instead of this one."""


class Processor(msgspec.Struct, frozen=True, kw_only=True):
    """The computer's processor, as described by the system and llama.cpp."""

    name: str
    n_cores: int
    """Physical cores."""
    n_threads: int
    features: tuple[str, ...]
    """Instruction sets that this build of llama.cpp uses, under its names: ``AVX2``."""


class RuntimeInUse(msgspec.Struct, frozen=True, kw_only=True):
    """The build of llama.cpp that runners use."""

    name: str
    llama_cpp: str
    backends: tuple[str, ...]


class Hardware(msgspec.Struct, frozen=True, kw_only=True):
    """Snapshot of the computer's hardware and its state."""

    system: str
    """Operating system and its version, for the user."""
    processor: Processor
    memory_total_bytes: int
    memory_available_bytes: int
    devices: tuple[DeviceReading, ...]
    """Devices that can hold layers, without the CPU."""
    runtime: RuntimeInUse
    problems: tuple[str, ...] = ()
    """What could not be determined or does not work, as sentences."""
    suitable: tuple[str, ...] = ()
    """Backends of llama.cpp that may support a GPU which this runtime does not use, the fastest first."""


class MemoryHolder(msgspec.Struct, frozen=True, kw_only=True):
    """A user of a device's memory: a loaded model, this program, or all other programs."""

    name: str
    n_bytes: int
    is_model: bool = False


class MemoryBreakdown(msgspec.Struct, frozen=True, kw_only=True):
    """The current use of one device's memory, in bytes."""

    device: str
    """llama.cpp's name; ``CPU`` is RAM."""
    description: str
    total_bytes: int
    free_bytes: int
    holders: tuple[MemoryHolder, ...]
    temperature_c: float | None = None
    """``None`` if unknown."""
    load: float | None = None
    """0 to 1."""
