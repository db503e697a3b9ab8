"""Classify llama.cpp's buffers by device and kind: pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from fireside.core.model import ModelLayout
from fireside.core.plan import MemoryKind, MemoryUse
from fireside.core.status import Device, MemoryReport
from fireside.engine.planning.auxiliary_models import AuxiliaryModels
from fireside.engine.planning.memory_estimate import PROCESS_BYTES, MemoryNeed

HOST: Final = "CPU"
"""RAM, whatever name a buffer in it has."""
AUXILIARY_PREFIXES: Final = {
    "projector ": MemoryKind.PROJECTOR,
    "draft ": MemoryKind.DRAFT,
    "adapters ": MemoryKind.ADAPTERS,
}
"""Prefixes by which a runner marks the buffers of auxiliary models."""
_ALL_DEVICES: Final = "Meta("
"""Prefix of buffers of which every device holds a part."""


def buffer_usage(reports: Iterable[MemoryReport], *, devices: Iterable[str]) -> tuple[MemoryUse, ...]:
    """Return the bytes by device and kind; ``devices`` are the names of those that take layers."""
    # The longest first: CUDA1 is the beginning of CUDA10.
    names = sorted((name for name in devices if name != HOST), key=len, reverse=True)
    n_by_use: dict[tuple[str, MemoryKind], int] = {}

    def add(device: str, kind: MemoryKind, n_bytes: int) -> None:
        if n_bytes:
            n_by_use[device, kind] = n_by_use.get((device, kind), 0) + n_bytes

    for report in reports:
        prefix = next((prefix for prefix in AUXILIARY_PREFIXES if report.buffer.startswith(prefix)), "")
        buffer = report.buffer.removeprefix(prefix)
        device = next((name for name in names if buffer.startswith(name)), HOST)
        parts = (
            (MemoryKind.WEIGHTS, report.weights_bytes),
            (MemoryKind.CACHE, report.kv_bytes),
            (MemoryKind.COMPUTE, report.compute_bytes),
        )
        # With tensor parallelism, one report for all devices states what each of them holds.
        owners = names if buffer.startswith(_ALL_DEVICES) else (device,)
        for kind, n_bytes in parts:
            for owner in owners:
                add(owner, AUXILIARY_PREFIXES[prefix] if prefix else kind, n_bytes)
    return tuple(MemoryUse(device=device, kind=kind, n_bytes=n) for (device, kind), n in n_by_use.items())


def estimated_usage(
    need: MemoryNeed, *, gpus: Sequence[Device], auxiliary: AuxiliaryModels
) -> tuple[MemoryUse, ...]:
    """Return an estimate in the same form; a draft model counts as the model's own memory."""
    uses = []
    projector = auxiliary.projector_bytes + auxiliary.projector_compute_bytes
    for number, (device, on) in enumerate(
        zip((HOST, *(gpu.name for gpu in gpus)), (need.host, *need.gpus), strict=True)
    ):
        projector = projector if number == need.projector_on else 0
        compute = on.compute_bytes - (PROCESS_BYTES if number == 0 else 0)
        compute -= auxiliary.projector_compute_bytes if projector else 0
        weights = on.weights_bytes - (auxiliary.projector_bytes if projector else 0)
        for kind, n_bytes in (
            (MemoryKind.WEIGHTS, weights),
            (MemoryKind.CACHE, on.kv_bytes),
            (MemoryKind.COMPUTE, compute),
            (MemoryKind.PROJECTOR, projector),
        ):
            if n_bytes:
                uses.append(MemoryUse(device=device, kind=kind, n_bytes=n_bytes))
    return tuple(uses)


def bytes_by_device(uses: Iterable[MemoryUse]) -> dict[str, int]:
    """Return the total of each device."""
    sums: dict[str, int] = {}
    for use in uses:
        sums[use.device] = sums.get(use.device, 0) + use.n_bytes
    return sums


MAPPED: Final = "_Mapped"
"""Suffix of buffers that llama.cpp maps from the model's file."""


def without_overlap(
    reports: Sequence[MemoryReport], *, layout: ModelLayout | None, devices: Sequence[str]
) -> tuple[MemoryReport, ...]:
    """Return ``reports`` with the size of a mapped buffer reduced to the tensors that are used in it.

    llama.cpp reports its range, from the first tensor in it to the last. Tensors in between that are also
    elsewhere, on a GPU or repacked for the CPU, would be counted twice.

    Args:
        layout: of the model; without it the reports stay as they are.
        devices: names of the devices that take layers; they take the last layers and the output.
    """
    own = [report for report in reports if not report.buffer.startswith(tuple(AUXILIARY_PREFIXES))]
    mapped = [report for report in own if report.buffer.endswith(MAPPED)]
    if layout is None or len(mapped) != 1:
        return tuple(reports)
    elsewhere = sum(report.weights_bytes for report in own if report is not mapped[0])
    used = layout.weights_bytes - elsewhere
    # A tied token embedding exists twice if the output is elsewhere. The input embedding always stays, so it
    # also exists twice if less than that would be left.
    has_output = any(report.weights_bytes and report.buffer.startswith(tuple(devices)) for report in own)
    if has_output or used < layout.input_bytes:
        used += layout.tied_bytes
    n_bytes = min(mapped[0].weights_bytes, max(used, 0))
    return tuple(
        msgspec.structs.replace(report, weights_bytes=n_bytes) if report is mapped[0] else report
        for report in reports
    )
