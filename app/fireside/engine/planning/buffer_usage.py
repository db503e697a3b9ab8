"""Tell llama.cpp's buffers apart by device and by what they are for: pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from fireside.core.memory_layout import ModelLayout
from fireside.core.plan import MemoryKind, MemoryUse
from fireside.core.status import Device, MemoryReport
from fireside.engine.planning.auxiliary_models import AuxiliaryModels
from fireside.engine.planning.memory_estimate import PROCESS_BYTES, MemoryNeed

HOST: Final = "CPU"
"""The computer's own memory, whatever name a buffer in it has."""
BESIDE: Final = {
    "projector ": MemoryKind.PROJECTOR,
    "draft ": MemoryKind.DRAFT,
    "adapters ": MemoryKind.ADAPTERS,
}
"""How a runner marks the buffers of what lies beside the model."""
_TOGETHER: Final = "Meta("


def buffer_usage(reports: Iterable[MemoryReport], *, devices: Iterable[str]) -> tuple[MemoryUse, ...]:
    """Return the bytes by device and kind; ``devices`` are the names of those that take layers."""
    # The longest first: CUDA1 is the beginning of CUDA10.
    names = sorted((name for name in devices if name != HOST), key=len, reverse=True)
    found: dict[tuple[str, MemoryKind], int] = {}

    def add(device: str, kind: MemoryKind, n_bytes: int) -> None:
        if n_bytes:
            found[device, kind] = found.get((device, kind), 0) + n_bytes

    for report in reports:
        mark = next((mark for mark in BESIDE if report.buffer.startswith(mark)), "")
        buffer = report.buffer.removeprefix(mark)
        device = next((name for name in names if buffer.startswith(name)), HOST)
        parts = (
            (MemoryKind.WEIGHTS, report.weights_bytes),
            (MemoryKind.CACHE, report.kv_bytes),
            (MemoryKind.COMPUTE, report.compute_bytes),
        )
        # Where all devices compute every layer together, what is told of them is what each one holds.
        owners = names if buffer.startswith(_TOGETHER) else (device,)
        for kind, n_bytes in parts:
            for owner in owners:
                add(owner, BESIDE[mark] if mark else kind, n_bytes)
    return tuple(MemoryUse(device=device, kind=kind, n_bytes=n) for (device, kind), n in found.items())


def estimated_usage(
    need: MemoryNeed, *, gpus: Sequence[Device], beside: AuxiliaryModels
) -> tuple[MemoryUse, ...]:
    """Return an estimate in the same form; a draft model is among the model's own."""
    uses = []
    projector = beside.projector_bytes + beside.projector_compute_bytes
    for number, (device, on) in enumerate(
        zip((HOST, *(gpu.name for gpu in gpus)), (need.host, *need.gpus), strict=True)
    ):
        sees = projector if number == need.sees_on else 0
        compute = on.compute_bytes - (PROCESS_BYTES if number == 0 else 0)
        compute -= beside.projector_compute_bytes if sees else 0
        weights = on.weights_bytes - (beside.projector_bytes if sees else 0)
        for kind, n_bytes in (
            (MemoryKind.WEIGHTS, weights),
            (MemoryKind.CACHE, on.kv_bytes),
            (MemoryKind.COMPUTE, compute),
            (MemoryKind.PROJECTOR, sees),
        ):
            if n_bytes:
                uses.append(MemoryUse(device=device, kind=kind, n_bytes=n_bytes))
    return tuple(uses)


def bytes_by_device(uses: Iterable[MemoryUse]) -> dict[str, int]:
    """Return the sums."""
    sums: dict[str, int] = {}
    for use in uses:
        sums[use.device] = sums.get(use.device, 0) + use.n_bytes
    return sums


MAPPED: Final = "_Mapped"
"""How the names of buffers end that llama.cpp lays over the model's file."""


def without_gaps(
    reports: Sequence[MemoryReport],
    *,
    layout: ModelLayout | None,
    devices: Sequence[str],
    beside: Sequence[str] = (),
) -> tuple[MemoryReport, ...]:
    """Return ``reports`` with a mapped buffer as large as the tensors that are used in it.

    llama.cpp tells its range, from the first tensor in it to the last. What lies between and is kept
    elsewhere, on a GPU or repacked for the processor, would be counted twice.

    Args:
        layout: of the model; without it nothing can be said.
        devices: names of those that take layers, the last of which they take with the output.
        beside: how the names of buffers begin that are not the model's own.
    """
    own = [report for report in reports if not report.buffer.startswith(tuple(beside))]
    mapped = [report for report in own if report.buffer.endswith(MAPPED)]
    if layout is None or len(mapped) != 1:
        return tuple(reports)
    elsewhere = sum(report.weights_bytes for report in own if report is not mapped[0])
    used = layout.weights_bytes - elsewhere
    # A table of tokens that is the output too is there twice where the output is elsewhere. What is looked up
    # always stays, so it is also there twice where less than that would be left.
    has_output = any(report.weights_bytes and report.buffer.startswith(tuple(devices)) for report in own)
    if has_output or used < layout.input_bytes:
        used += layout.tied_bytes
    n_bytes = min(mapped[0].weights_bytes, max(used, 0))
    return tuple(
        msgspec.structs.replace(report, weights_bytes=n_bytes) if report is mapped[0] else report
        for report in reports
    )
