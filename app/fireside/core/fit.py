"""How a model would run on this computer: where, and how much memory of which device it takes."""

from __future__ import annotations

from enum import StrEnum

import msgspec


class Where(StrEnum):
    """Where a model would run."""

    GPU = "gpu"
    PARTLY_GPU = "partly_gpu"
    PROCESSOR = "processor"
    NOWHERE = "nowhere"
    """There is not enough free memory."""


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
