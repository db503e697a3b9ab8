"""Build the hardware report of this computer."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import psutil

from fireside.core.hardware import DeviceReading, Hardware, MemorySource, Processor, RuntimeInUse
from fireside.core.i18n import join_alternatives, tr
from fireside.core.runtime import BUILT_IN
from fireside.core.status import DeviceKind
from fireside.engine.devices.card import Card
from fireside.engine.devices.device_matching import unused_cards
from fireside.wire.memory_limits import read_memory
from fireside.wire.runner_modes import DeviceListing

CPU_INFO: Final = Path("/proc/cpuinfo")
_USABLE_BACKENDS: Final = {
    MemorySource.NVML: frozenset({"CUDA", "Vulkan"}),
    MemorySource.SYSFS: frozenset({"ROCm", "SYCL", "Vulkan"}),
    MemorySource.DXGI: frozenset({"CUDA", "ROCm", "SYCL", "Vulkan"}),
    MemorySource.METAL: frozenset({"Metal", "MTL"}),
    MemorySource.BACKEND: frozenset[str](),
    MemorySource.SYSTEM: frozenset[str](),
}
"""For each source, the backends that could use a card it reports."""
_SUGGESTED_BACKENDS: Final = {
    MemorySource.NVML: ("CUDA", "Vulkan"),
    MemorySource.SYSFS: ("Vulkan",),
    MemorySource.DXGI: ("Vulkan",),
    MemorySource.METAL: ("Metal",),
}
"""Backends to suggest where a build has no usable one."""


def hardware_report(
    listing: DeviceListing | None,
    *,
    readings: Sequence[DeviceReading],
    cards: Sequence[Card],
    problems: Sequence[str],
    runtime: str,
) -> Hardware:
    """Return the current hardware report.

    Args:
        listing: what the runtime lists; ``None`` where listing failed, which ``problems`` then states.
        cards: reported by drivers and the system.
    """
    memory = read_memory()
    notes = listing.notes if listing is not None else ()
    unused = unused_cards(readings, cards)
    return Hardware(
        system=system_name(),
        processor=_processor(listing),
        memory_total_bytes=memory.total_bytes,
        memory_available_bytes=memory.available_bytes,
        devices=tuple(readings),
        runtime=RuntimeInUse(
            name=runtime,
            llama_cpp=listing.llama_cpp if listing is not None else "",
            backends=() if listing is None else tuple(_backend_labels(listing)),
        ),
        problems=(
            *problems,
            *notes,
            *(_unused_text(card, listing=listing, runtime=runtime) for card in unused if listing is not None),
        ),
        suitable=tuple(
            dict.fromkeys(
                backend
                for card in unused
                if listing is not None and not _usable_backends(card, listing)
                for backend in _SUGGESTED_BACKENDS[card.source]
            )
        ),
    )


def system_name() -> str:
    """Return the operating system with its version, as text for the user."""
    if sys.platform == "linux":
        try:
            name = platform.freedesktop_os_release().get("PRETTY_NAME", "Linux")
        except OSError:
            name = "Linux"
        return f"{name}, kernel {platform.release()}, {platform.machine()}"
    if sys.platform == "darwin":
        return f"macOS {platform.mac_ver()[0]}, {platform.machine()}"
    return f"{platform.system()} {platform.release()} ({platform.version()}), {platform.machine()}"


def _processor(listing: DeviceListing | None) -> Processor:
    n_threads = os.cpu_count() or 1
    name = ""
    features: tuple[str, ...] = ()
    if listing is not None:
        name = next((each.description for each in listing.devices if each.kind is DeviceKind.CPU), "")
        features = next((each.features for each in listing.backends if each.name == "CPU"), ())
    return Processor(
        name=name or processor_name(),
        n_cores=psutil.cpu_count(logical=False) or n_threads,
        n_threads=n_threads,
        features=features,
    )


def processor_name() -> str:
    """Return the name of the processor as the system reports it."""
    try:
        with CPU_INFO.open(encoding="utf-8", errors="replace") as lines:
            names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
            return next(names, "") or platform.machine()
    except OSError:
        return platform.processor() or platform.machine()


def _backend_labels(listing: DeviceListing) -> list[str]:
    return [f"{backend.name} {backend.version}".strip() for backend in listing.backends]


def _usable_backends(card: Card, listing: DeviceListing) -> frozenset[str]:
    return _USABLE_BACKENDS[card.source] & {backend.name for backend in listing.backends}


def _unused_text(card: Card, *, listing: DeviceListing, runtime: str) -> str:
    name = card.name or tr("GPU ({driver})").format(driver=card.driver or card.pci_address)
    if usable := _usable_backends(card, listing):
        return tr(
            "{name} is not used: {builds} did not find it. Its driver may be outdated or "
            "incomplete, or an environment variable hides it."
        ).format(name=name, builds=join_alternatives(sorted(usable)))
    suggested = join_alternatives(_SUGGESTED_BACKENDS[card.source])
    if runtime == BUILT_IN:
        text = tr(
            "{name} is not used: the current llama.cpp build does not support it. A runtime with {helps} may."
        )
    else:
        text = tr(
            "{name} is not used: the runtime “{runtime}” does not support it. A runtime with {helps} may."
        )
    return text.format(name=name, runtime=runtime, helps=suggested)
