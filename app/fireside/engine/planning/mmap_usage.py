"""What of a mapped file is really used from there: pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from fireside.core.memory_layout import ModelLayout
from fireside.core.status import MemoryReport

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
