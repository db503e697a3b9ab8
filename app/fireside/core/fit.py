"""How a model would run on this computer: where, and how much memory of which device it takes."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from fireside.core.i18n import number, tr


class Where(StrEnum):
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


def speed_words(speed: SpeedRange) -> str:
    """Return a speed for the user: ``12–20 tokens/s``."""
    if speed.high < 1:
        return tr("under 1 token/s")
    return tr("{low}–{high} tokens/s").format(low=_figure(speed.low), high=_figure(speed.high))


def _figure(value: float) -> str:
    return number(value, decimals=0 if value >= 10 else 1)


class DeviceShare(msgspec.Struct, frozen=True, kw_only=True):
    """What a load would take of one device's memory."""

    name: str
    """For the user: the card's name, or that it is the computer's own memory."""
    n_bytes: int
    free_bytes: int


class QuantFit(msgspec.Struct, frozen=True, kw_only=True):
    """How one quant of a model would run, as a value and as a sentence."""

    where: Where
    words: str
    shares: tuple[DeviceShare, ...]
    """The computer's own memory first."""
    speed: SpeedRange | None = None
    """``None`` where it would not run, or too little is known."""
