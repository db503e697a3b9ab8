"""Hardware of this computer that matters for running models."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from fireside.core.status import Device


class MemorySource(StrEnum):
    """Who said how much memory is free, the most reliable first."""

    NVML = "nvml"
    SYSFS = "sysfs"
    METAL = "metal"
    DXGI = "dxgi"
    BACKEND = "backend"
    """llama.cpp's own backend."""
    SYSTEM = "system"
    """The operating system, for the computer's own memory."""


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
    """Name of the device that is the same card under another backend; this one is not used then."""


class Processor(msgspec.Struct, frozen=True, kw_only=True):
    """The computer's processor, as the system and llama.cpp describe it."""

    name: str
    n_cores: int
    """Physical ones."""
    n_threads: int
    features: tuple[str, ...]
    """Instruction sets that this build of llama.cpp uses, in its own words: ``AVX2``."""


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
    """Those that can take layers; the processor is not among them."""
    runtime: RuntimeInUse
    problems: tuple[str, ...] = ()
    """What could not be found out or does not work, one sentence each."""
    suitable: tuple[str, ...] = ()
    """Backends of llama.cpp that may use a GPU that this runtime does not use; the fastest first."""


class MemoryHolder(msgspec.Struct, frozen=True, kw_only=True):
    """What takes memory of a device: a loaded model, this program, all the others."""

    name: str
    n_bytes: int
    is_model: bool = False


class MemoryBar(msgspec.Struct, frozen=True, kw_only=True):
    """Who takes what of one device, now. Bytes."""

    device: str
    """As llama.cpp names it; ``CPU`` is the computer's own memory."""
    description: str
    total_bytes: int
    free_bytes: int
    holders: tuple[MemoryHolder, ...]
    temperature_c: float | None = None
    """Of the device, now; ``None`` is not known."""
    load: float | None = None
    """0 to 1."""
