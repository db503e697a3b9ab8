"""How a model would run on this computer: on which devices, with how much memory, how fast."""

from __future__ import annotations

import math
from enum import StrEnum
from typing import Final

import msgspec

from fireside.core.i18n import number, tr, tr_noop

_WIDEST: Final = 3.2
"""By how much a range may widen: a wider one tells fast from slow no more."""
_FAST: Final = 20.0
"""Tokens a second: faster than text is read."""
_USABLE: Final = 5.0
"""About as fast as text is read."""
_FAST_WORDS: Final = tr_noop("Fast (~{speed} tokens/s)")
_USABLE_WORDS: Final = tr_noop("Usable (~{speed} tokens/s)")
_SLOW_WORDS: Final = tr_noop("Slow (~{speed} tokens/s)")


class Placement(StrEnum):
    """Where a model would run."""

    GPU = "gpu"
    PARTLY_GPU = "partly_gpu"
    PROCESSOR = "processor"
    NOWHERE = "nowhere"
    """There is not enough free memory."""


class SpeedRange(msgspec.Struct, frozen=True, kw_only=True):
    """How many tokens of an answer a model is expected to write in a second."""

    low: float
    high: float


def speed_text(speed: SpeedRange) -> str:
    """Return a speed for the user: ``12–20 tokens/s``, or where too little is known for a range that helps,
    a word for it with what is likely."""
    if speed.high < 1:
        return tr("Slow (under 1 token/s)")
    if speed.high <= _WIDEST * speed.low:
        return tr("{low}–{high} tokens/s").format(low=_figure(speed.low), high=_figure(speed.high))
    likely = float(f"{math.sqrt(speed.low * speed.high):.1g}")
    words = _FAST_WORDS if likely >= _FAST else _USABLE_WORDS if likely >= _USABLE else _SLOW_WORDS
    return tr(words).format(speed=number(likely, decimals=0 if likely >= 1 else 1))


def _figure(value: float) -> str:
    return number(value, decimals=0 if round(value, 1) >= 10 else 1)


class DeviceShare(msgspec.Struct, frozen=True, kw_only=True):
    """What a load would take of one device's memory."""

    name: str
    """For the user: the card's name, or that it is the computer's own memory."""
    n_bytes: int
    free_bytes: int


class QuantFit(msgspec.Struct, frozen=True, kw_only=True):
    """How one quant of a model would run, as a value and as a sentence."""

    where: Placement
    text: str
    shares: tuple[DeviceShare, ...]
    """The computer's own memory first."""
    speed: SpeedRange | None = None
    """``None`` where it would not run, or too little is known."""
