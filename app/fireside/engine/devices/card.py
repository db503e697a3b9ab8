"""A graphics card as reported by a driver's library or the operating system, not by llama.cpp."""

from __future__ import annotations

import re
from typing import Final, Protocol

import msgspec

from fireside.core.hardware import MemorySource

_BUS_PLACE: Final = re.compile(r"(?:([0-9a-f]{4,8}):)?([0-9a-f]{2}):([0-9a-f]{2})\.([0-9a-f])")


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """One card and how it is doing now. ``None`` and an empty text are not known. Bytes."""

    source: MemorySource
    place: str = ""
    """Where it is on its bus, see ``bus_place``."""
    name: str = ""
    free_bytes: int | None = None
    total_bytes: int | None = None
    temperature_c: float | None = None
    load: float | None = None
    """0 to 1."""
    drives_display: bool | None = None
    driver: str = ""


class CardSource(Protocol):
    """A source of facts about cards. Any thread, one call at a time."""

    def cards(self) -> tuple[Card, ...]:
        """Measure all of them now, in a few milliseconds. Never raises; none where nothing can be asked."""

    def problem(self) -> str:
        """Return why the source is of no use though it should be, as a sentence; usually empty."""


def bus_place(text: str) -> str:
    """Return where a card is on its bus as ``0000:01:00.0``; empty for what is no such place.

    NVML writes the domain with eight digits, others with four or none, in capitals or not.
    """
    match = _BUS_PLACE.fullmatch(text.strip().lower())
    if match is None:
        return ""
    domain = (match[1] or "").zfill(4)[-4:]
    return f"{domain}:{match[2]}:{match[3]}.{match[4]}"
