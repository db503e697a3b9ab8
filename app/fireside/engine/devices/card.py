"""A graphics card as reported by a driver's library or the operating system, not by llama.cpp."""

from __future__ import annotations

import re
from typing import Final, Protocol

import msgspec

from fireside.core.hardware import MemorySource

_PCI_ADDRESS: Final = re.compile(r"(?:([0-9a-f]{4,8}):)?([0-9a-f]{2}):([0-9a-f]{2})\.([0-9a-f])")


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """One card and its current state. ``None`` or an empty text means unknown. Sizes are in bytes."""

    source: MemorySource
    pci_address: str = ""
    """See ``normalized_pci_address``."""
    name: str = ""
    free_bytes: int | None = None
    total_bytes: int | None = None
    temperature_c: float | None = None
    load: float | None = None
    """Utilization, 0 to 1."""
    drives_display: bool | None = None
    driver: str = ""


class CardSource(Protocol):
    """Reports graphics cards. Callable from any thread, one call at a time."""

    def cards(self) -> tuple[Card, ...]:
        """Return all cards as measured now, in a few milliseconds. Never raises; empty if unavailable."""

    def problem(self) -> str:
        """Return, as a sentence, why a source that should work does not; usually empty."""


def normalized_pci_address(text: str) -> str:
    """Return a PCI address in the form ``0000:01:00.0``; empty if ``text`` is not one.

    NVML writes the domain with eight digits, others with four or none, in upper or lower case.
    """
    match = _PCI_ADDRESS.fullmatch(text.strip().lower())
    if match is None:
        return ""
    domain = (match[1] or "").zfill(4)[-4:]
    return f"{domain}:{match[2]}:{match[3]}.{match[4]}"
