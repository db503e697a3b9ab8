"""How a model would run on this computer: devices, memory and speed."""

from __future__ import annotations

import math
from enum import StrEnum
from typing import Final

import msgspec

from fireside.core.i18n import number, tr, tr_noop

_MAX_RATIO: Final = 3.2
"""Of a range's bounds: a wider range no longer distinguishes fast from slow."""
_FAST: Final = 20.0
"""Tokens a second: faster than users read."""
_USABLE: Final = 5.0
"""Tokens a second: about as fast as users read."""
_FAST_TEXT: Final = tr_noop("Fast (~{speed} tokens/s)")
_USABLE_TEXT: Final = tr_noop("Usable (~{speed} tokens/s)")
_SLOW_TEXT: Final = tr_noop("Slow (~{speed} tokens/s)")


class Placement(StrEnum):
    """Where a model would run."""

    GPU = "gpu"
    PARTLY_GPU = "partly_gpu"
    PROCESSOR = "processor"
    NOWHERE = "nowhere"
    """There is not enough free memory."""


class SpeedRange(msgspec.Struct, frozen=True, kw_only=True):
    """The expected speed of generation, in tokens a second."""

    low: float
    high: float


def speed_text(speed: SpeedRange) -> str:
    """Return a speed for the user: ``12–20 tokens/s``, or for a wide range, ``Fast (~30 tokens/s)``."""
    if speed.high < 1:
        return tr("Slow (under 1 token/s)")
    if speed.high <= _MAX_RATIO * speed.low:
        return tr("{low}–{high} tokens/s").format(low=_rounded(speed.low), high=_rounded(speed.high))
    likely = float(f"{math.sqrt(speed.low * speed.high):.1g}")
    text = _FAST_TEXT if likely >= _FAST else _USABLE_TEXT if likely >= _USABLE else _SLOW_TEXT
    return tr(text).format(speed=number(likely, decimals=0 if likely >= 1 else 1))


def _rounded(value: float) -> str:
    return number(value, decimals=0 if round(value, 1) >= 10 else 1)


class DeviceShare(msgspec.Struct, frozen=True, kw_only=True):
    """The memory of one device that a load would use."""

    name: str
    """For the user: the name of the GPU, or that it is RAM."""
    n_bytes: int
    free_bytes: int


class QuantFit(msgspec.Struct, frozen=True, kw_only=True):
    """How a quant of a model would run, as values and as a sentence."""

    where: Placement
    text: str
    shares: tuple[DeviceShare, ...]
    """RAM first."""
    speed: SpeedRange | None = None
    """``None`` if it would not run, or too little is known."""
