"""How a model would run on this computer: devices, memory and speed."""

from __future__ import annotations

import math
from enum import StrEnum
from typing import Final

import msgspec

from fireside.core.i18n import number, tr, tr_noop

_FAST: Final = 20.0
"""Tokens a second: faster than users read."""
USABLE: Final = 5.0
"""Tokens a second: about as fast as users read."""
_FAST_TEXT: Final = tr_noop("Fast (about {speed} tokens/s)")
_USABLE_TEXT: Final = tr_noop("Fast enough (about {speed} tokens/s)")
_SLOW_TEXT: Final = tr_noop("Slow (about {speed} tokens/s)")


class Placement(StrEnum):
    """Where a model would run."""

    GPU = "gpu"
    PARTLY_GPU = "partly_gpu"
    PROCESSOR = "processor"
    NOT_NOW = "not_now"
    """There is enough memory, but not enough of it is free."""
    NOWHERE = "nowhere"
    """This computer has not enough memory."""

    @property
    def runs(self) -> bool:
        """Whether the model would run now."""
        return self not in (Placement.NOT_NOW, Placement.NOWHERE)


class SpeedRange(msgspec.Struct, frozen=True, kw_only=True):
    """The expected speed of generation, in tokens a second."""

    low: float
    high: float

    @property
    def likely(self) -> float:
        """The speed to count on."""
        return math.sqrt(self.low * self.high)


class Rating(StrEnum):
    """How well a model suits this computer, best first."""

    GOOD = "good"
    SLOW = "slow"
    """It runs, but slower than users read."""
    NOT_NOW = "not_now"
    NEVER = "never"


def rate(where: Placement, speed: SpeedRange | None) -> Rating:
    """Return how well a model suits this computer; one whose speed is not known counts as fast enough."""
    match where:
        case Placement.NOWHERE:
            return Rating.NEVER
        case Placement.NOT_NOW:
            return Rating.NOT_NOW
        case _:
            return Rating.SLOW if speed is not None and _shown(speed) < USABLE else Rating.GOOD


def speed_text(speed: SpeedRange) -> str:
    """Return a speed for the user: ``Fast (about 30 tokens/s)``."""
    likely = _shown(speed)
    if likely < 1:
        return tr("Very slow (under 1 token/s)")
    text = _FAST_TEXT if likely >= _FAST else _USABLE_TEXT if likely >= USABLE else _SLOW_TEXT
    return tr(text).format(speed=number(likely))


def _shown(speed: SpeedRange) -> float:
    return float(f"{speed.likely:.1g}")


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

    @property
    def rating(self) -> Rating:
        """How well it suits this computer."""
        return rate(self.where, self.speed)
