"""What the process that lists devices and ends says, as JSON."""

from __future__ import annotations

from typing import Final

import msgspec

from fireside.core.status import Device

LIST_DEVICES: Final = "--list-devices"
"""Makes the program of a runner say what it can compute with, and end."""

MAX_REPLY_BYTES: Final = 1 << 20


class ListedBackend(msgspec.Struct, frozen=True, kw_only=True):
    """A backend of llama.cpp, with or without a device."""

    name: str
    """As llama.cpp calls it: ``CPU``, ``CUDA``, ``Vulkan``."""
    version: str = ""
    """Of what it stands on, where that can be asked: the Vulkan loader, the CUDA libraries."""
    features: tuple[str, ...] = ()
    """What it was built with and uses here, in its own words: ``AVX2``."""


class DeviceListing(msgspec.Struct, frozen=True, kw_only=True):
    """What one build of llama.cpp finds on this computer, now."""

    llama_cpp: str
    """Version of the library and of ggml."""
    devices: tuple[Device, ...]
    """The processor is among them."""
    backends: tuple[ListedBackend, ...]
    notes: tuple[str, ...] = ()
    """What was left out and why, a sentence each."""
