"""Detect loads that took more memory than predicted, memory taken by other programs, and slowdowns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from fireside.core.errors import format_bytes
from fireside.core.i18n import number, tr
from fireside.core.plan import DeviceBudget, LoadRecord, MemoryKind, MemoryUse

NOTICEABLE_BYTES: Final = 16 << 20
"""Less than this is no shortfall: a driver rounds up."""
_NOT_ALLOCATED: Final = (MemoryKind.PROGRAM, MemoryKind.STATES)
_HOST: Final = "CPU"


MIN_TOKENS: Final = 32
"""An answer shorter than this says little of the pace."""
_MIN_ANSWERS: Final = 3
_SLOWER: Final = 4.0


class Pace(msgspec.Struct, frozen=True, kw_only=True):
    """How fast an answer was written, and with how long a context."""

    tokens_per_s: float
    n_context: int


class Shortfall(msgspec.Struct, frozen=True, kw_only=True):
    """Memory that is missing on one device, in a sentence for the user."""

    device: str
    n_bytes: int
    text: str


def shortfalls(record: LoadRecord) -> tuple[Shortfall, ...]:
    """Return where a load took more than was predicted; nowhere if nothing was."""
    if not record.predicted:
        return ()
    predicted, measured = _sums(record.predicted, record), _sums(record.measured, record)
    return tuple(
        Shortfall(
            device=device,
            n_bytes=excess,
            text=_more_words(device).format(size=format_bytes(excess), device=device),
        )
        for device in measured
        if (excess := measured[device] - predicted.get(device, 0)) > NOTICEABLE_BYTES
    )


def memory_taken_by_others(
    before: Iterable[DeviceBudget], now: Iterable[DeviceBudget], *, own_bytes: Mapping[str, int]
) -> tuple[Shortfall, ...]:
    """Return where other programs have taken so much that less is left than is to be left alone.

    Args:
        before: the rooms of the plan by which a model was loaded.
        now: free memory as it is with the model loaded.
        own_bytes: what the model takes of each device.
    """
    earlier = {room.device: room for room in before}
    found = []
    for room in now:
        was = earlier.get(room.device)
        if was is None:
            continue
        by_others = was.free_bytes - own_bytes.get(room.device, 0) - room.free_bytes
        if by_others > NOTICEABLE_BYTES and room.free_bytes < room.margin_bytes:
            text = _others_words(room.device).format(size=format_bytes(by_others), device=room.device)
            found.append(Shortfall(device=room.device, n_bytes=by_others, text=text))
    return tuple(found)


def slowdown_message(pace: Pace, *, usual: Sequence[Pace]) -> str:
    """Return a sentence where an answer came far slower than the ones before it; empty where it did not.

    Only those count that had half of its context at least: the longer, the slower.
    """
    from statistics import median  # with fractions and decimals

    alike = [each.tokens_per_s for each in usual if 2 * each.n_context >= pace.n_context]
    if len(alike) < _MIN_ANSWERS or pace.tokens_per_s * _SLOWER >= median(alike):
        return ""
    return tr(
        "The last answer ran at {pace} tokens/s instead of {usual}. Other programs may need "
        "memory or CPU; reloading with less memory helps."
    ).format(pace=number(pace.tokens_per_s, decimals=1), usual=number(median(alike), decimals=1))


def _sums(uses: Iterable[MemoryUse], record: LoadRecord) -> dict[str, int]:
    sums: dict[str, int] = {}
    for use in uses:
        # Pages of the file are no shortage: the system takes them back when memory is short.
        is_mapped = (
            record.options.use_mmap
            and not record.options.use_mlock
            and use.device == _HOST
            and use.kind is MemoryKind.WEIGHTS
        )
        if use.kind not in _NOT_ALLOCATED and not is_mapped:
            sums[use.device] = sums.get(use.device, 0) + use.n_bytes
    return sums


def _more_words(device: str) -> str:
    if device == _HOST:
        return tr("The model uses {size} more RAM than predicted. Reloading with less memory helps.")
    return tr("The model uses {size} more of {device} than predicted. Reloading with less memory helps.")


def _others_words(device: str) -> str:
    if device == _HOST:
        return tr(
            "Other programs took {size} of RAM since the model was loaded. It may slow down; "
            "reloading with less memory helps."
        )
    return tr(
        "Other programs took {size} of {device} since the model was loaded. It may slow down; "
        "reloading with less memory helps."
    )
