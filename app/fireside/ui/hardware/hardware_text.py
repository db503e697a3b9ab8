"""Texts of the hardware page, and its plain-text report. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fireside.core.errors import format_bytes
from fireside.core.hardware import DeviceReading, Hardware, MemoryBreakdown, MemorySource, Processor
from fireside.core.i18n import number, tr, tr_noop
from fireside.core.status import DeviceKind
from fireside.ui.widgets.text import one_line

NO_GPU: Final = tr_noop(
    "No usable GPU found; models run on the CPU. Small models are fast there; larger ones are limited by RAM."
)
NO_GPU_HELP: Final = tr_noop(
    "If this computer has a GPU, its driver may be missing, or the current llama.cpp build may "
    "not support it. A Vulkan build works with most GPUs."
)
UNKNOWN: Final = tr_noop("GPUs could not be detected.")
_SOURCES: Final = {
    MemorySource.NVML: tr_noop("the NVIDIA driver"),
    MemorySource.SYSFS: tr_noop("the Linux driver"),
    MemorySource.METAL: "Metal",
    MemorySource.DXGI: "Windows",
    MemorySource.BACKEND: "llama.cpp",
    MemorySource.SYSTEM: tr_noop("the system"),
}


def summary_text(hardware: Hardware) -> str:
    """Return a one-line summary of what models can run on."""
    names = [
        reading.device.description or reading.device.name
        for reading in hardware.devices
        if not reading.same_as
    ]
    devices = tr("%n GPU|%n GPUs", "", len(names))
    if len(names) <= 1:
        devices = one_line(names[0]) if names else _no_card_text(hardware)
    memory = tr("{size} of memory").format(size=format_bytes(hardware.memory_total_bytes))
    return f"{devices} · {processor_text(hardware.processor)} · {memory}"


def no_device_text(hardware: Hardware) -> tuple[str, ...]:
    """Return that no GPU was found and what would help, or that it is unknown."""
    return (tr(NO_GPU), tr(NO_GPU_HELP)) if hardware.runtime.llama_cpp else (tr(UNKNOWN),)


def processor_text(processor: Processor) -> str:
    """Return ``6 cores, 12 threads``."""
    cores = tr("%n core|%n cores", "", processor.n_cores)
    if processor.n_threads == processor.n_cores:
        return cores
    threads = tr("%n thread|%n threads", "of a processor", processor.n_threads)
    return f"{cores}, {threads}"


def processor_facts(processor: Processor) -> tuple[tuple[str, str], ...]:
    """Return the number of cores, and of threads where it differs."""
    cores = (tr("Cores"), number(processor.n_cores))
    if processor.n_threads == processor.n_cores:
        return (cores,)
    return (cores, (tr("Threads"), number(processor.n_threads)))


def kind_text(reading: DeviceReading) -> str:
    """Return the kind of a device."""
    match reading.device.kind:
        case DeviceKind.GPU:
            return tr("GPU")
        case DeviceKind.IGPU:
            return tr("Integrated GPU")
        case DeviceKind.CPU:
            return tr("CPU")
        case DeviceKind.ACCELERATOR:
            return tr("Accelerator")


def condition_text(*, temperature_c: float | None, load: float | None) -> str:
    """Return ``46 °C · 7 % busy``, or what of it is known."""
    parts = []
    if temperature_c is not None:
        parts.append(f"{number(temperature_c)} °C")
    if load is not None:
        parts.append(tr("{percent}% busy").format(percent=number(load * 100)))
    return " · ".join(parts)


def device_facts(reading: DeviceReading) -> tuple[tuple[str, str], ...]:
    """Return the facts of a device beyond its name, as pairs of title and text."""
    device = reading.device
    memory = format_bytes(device.total_bytes)
    if device.kind is DeviceKind.IGPU:
        memory = tr("{memory} shared with the system").format(memory=memory)
    facts = [
        (tr("Backend"), f"{one_line(device.backend)} ({one_line(device.name)})"),
        (tr("Memory"), memory),
    ]
    facts.append((tr("Free memory from"), tr(_SOURCES[reading.source])))
    if reading.driver:
        facts.append((tr("Driver"), one_line(reading.driver)))
    if reading.drives_display is not None:
        facts.append((tr("Drives the display"), tr("yes") if reading.drives_display else tr("no")))
    if device.device_id:
        facts.append((tr("Location"), one_line(device.device_id)))
    return tuple(facts)


def twin_devices_text(reading: DeviceReading) -> str:
    """Return that a device is listed under a second name."""
    return tr("Same GPU as {name}; used once.").format(name=one_line(reading.same_as))


def bar_text(bar: MemoryBreakdown) -> str:
    """Return ``7.0 GB free of 8.0 GB``."""
    return tr("{free} free of {size}").format(
        free=format_bytes(bar.free_bytes), size=format_bytes(bar.total_bytes)
    )


def hardware_report(hardware: Hardware, bars: Sequence[MemoryBreakdown]) -> str:
    """Return the whole page as plain text, for bug reports."""
    processor = hardware.processor
    lines = [
        tr("System: {name}").format(name=one_line(hardware.system)),
        tr("CPU: {name}, {cores}").format(name=one_line(processor.name), cores=processor_text(processor)),
        tr("CPU features in use: {names}").format(names=" ".join(processor.features) or tr("unknown")),
        tr("Memory: {free} available of {size}").format(
            free=format_bytes(hardware.memory_available_bytes),
            size=format_bytes(hardware.memory_total_bytes),
        ),
        tr("llama.cpp: {version}, runtime {name}, backends: {backends}").format(
            version=hardware.runtime.llama_cpp or tr("unknown"),
            name=hardware.runtime.name,
            backends=", ".join(hardware.runtime.backends) or tr("none"),
        ),
    ]
    for reading in hardware.devices:
        lines += ["", f"{kind_text(reading)}: {one_line(reading.device.description)}"]
        lines += [f"  {title}: {text}" for title, text in device_facts(reading)]
        if condition := condition_text(temperature_c=reading.temperature_c, load=reading.load):
            current = tr("Now: {condition}").format(condition=condition)
            lines.append(f"  {current}")
        if reading.same_as:
            lines.append(f"  {twin_devices_text(reading)}")
    if not hardware.devices:
        lines += ["", *no_device_text(hardware)[:1]]
    for bar in bars:
        lines += ["", f"{one_line(bar.description)} ({bar.device}): {bar_text(bar)}"]
        lines += [f"  {one_line(holder.name)}: {format_bytes(holder.n_bytes)}" for holder in bar.holders]
    if hardware.problems:
        lines += ["", tr("Problems:"), *(f"  {one_line(problem)}" for problem in hardware.problems)]
    return "\n".join(lines) + "\n"


def _no_card_text(hardware: Hardware) -> str:
    return tr("No GPU") if hardware.runtime.llama_cpp else tr("GPU unknown")
