"""Detection of loads that used more memory than predicted, of memory taken by others, and of slowdowns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from fireside.core.errors import format_bytes
from fireside.core.i18n import number, tr
from fireside.core.plan import DeviceBudget, LoadRecord, MemoryKind, MemoryUse

NOTICEABLE_BYTES: Final = 16 << 20
"""Smaller differences are ignored, since drivers round up."""
_NOT_ALLOCATED: Final = (MemoryKind.PROGRAM, MemoryKind.STATES)
_HOST: Final = "CPU"


MIN_TOKENS: Final = 32
"""Shorter answers are not used for the speed."""
_MIN_ANSWERS: Final = 3
_SLOWER: Final = 4.0


class Pace(msgspec.Struct, frozen=True, kw_only=True):
    """The speed of an answer, and the length of its context."""

    tokens_per_s: float
    n_context: int


class Shortfall(msgspec.Struct, frozen=True, kw_only=True):
    """Memory that is missing on one device, with a sentence for the user."""

    device: str
    n_bytes: int
    text: str


def shortfalls(record: LoadRecord) -> tuple[Shortfall, ...]:
    """Return the devices on which a load used more memory than predicted; none without a prediction."""
    if not record.predicted:
        return ()
    predicted, measured = _sums(record.predicted, record), _sums(record.measured, record)
    return tuple(
        Shortfall(
            device=device,
            n_bytes=excess,
            text=_excess_text(device).format(size=format_bytes(excess), device=device),
        )
        for device in measured
        if (excess := measured[device] - predicted.get(device, 0)) > NOTICEABLE_BYTES
    )


def memory_taken_by_others(
    before: Iterable[DeviceBudget], now: Iterable[DeviceBudget], *, own_bytes: Mapping[str, int]
) -> tuple[Shortfall, ...]:
    """Return the devices on which other programs use so much memory that less than the margin is free.

    Args:
        before: the budgets of the plan by which the model was loaded.
        now: the current budgets, with the model loaded.
        own_bytes: the model's memory on each device.
    """
    earlier = {budget.device: budget for budget in before}
    result = []
    for budget in now:
        planned = earlier.get(budget.device)
        if planned is None:
            continue
        by_others = planned.free_bytes - own_bytes.get(budget.device, 0) - budget.free_bytes
        if by_others > NOTICEABLE_BYTES and budget.free_bytes < budget.margin_bytes:
            text = _others_text(budget.device).format(size=format_bytes(by_others), device=budget.device)
            result.append(Shortfall(device=budget.device, n_bytes=by_others, text=text))
    return tuple(result)


def slowdown_message(pace: Pace, *, usual: Sequence[Pace]) -> str:
    """Return a sentence if an answer was far slower than the ones before it; otherwise an empty text.

    It is compared with answers of at least half its context, since long contexts are slower.
    """
    from statistics import median  # imports fractions and decimal

    comparable = [each.tokens_per_s for each in usual if 2 * each.n_context >= pace.n_context]
    if len(comparable) < _MIN_ANSWERS or pace.tokens_per_s * _SLOWER >= median(comparable):
        return ""
    return tr(
        "The last answer ran at {pace} tokens/s instead of {usual}. Other programs may need "
        "memory or CPU; reloading with less memory helps."
    ).format(pace=number(pace.tokens_per_s, decimals=1), usual=number(median(comparable), decimals=1))


def _sums(uses: Iterable[MemoryUse], record: LoadRecord) -> dict[str, int]:
    sums: dict[str, int] = {}
    for use in uses:
        # Mapped pages of the file are not counted: the system drops them when memory is short.
        is_mapped = (
            record.options.use_mmap
            and not record.options.use_mlock
            and use.device == _HOST
            and use.kind is MemoryKind.WEIGHTS
        )
        if use.kind not in _NOT_ALLOCATED and not is_mapped:
            sums[use.device] = sums.get(use.device, 0) + use.n_bytes
    return sums


def _excess_text(device: str) -> str:
    if device == _HOST:
        return tr("The model uses {size} more RAM than predicted. Reloading with less memory helps.")
    return tr("The model uses {size} more of {device} than predicted. Reloading with less memory helps.")


def _others_text(device: str) -> str:
    if device == _HOST:
        return tr(
            "Other programs took {size} of RAM since the model was loaded. It may slow down; "
            "reloading with less memory helps."
        )
    return tr(
        "Other programs took {size} of {device} since the model was loaded. It may slow down; "
        "reloading with less memory helps."
    )
