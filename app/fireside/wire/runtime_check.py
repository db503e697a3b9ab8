"""What the process that looks at a runtime says of it, as JSON."""

from __future__ import annotations

from typing import Final

import msgspec

from fireside.core.i18n import Words

CHECK_RUNTIME: Final = "--check-runtime"
"""Makes the program of a runner say what libraries it was given, and end."""

MAX_FACTS_BYTES: Final = 1 << 16


class RuntimeFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What the libraries say of themselves, or why they do not fit."""

    folder: str = ""
    """Where they lie."""
    llama_cpp: str = ""
    """``0.5.0-dev``"""
    binding: str = ""
    """Version of the Python binding, whose structures they must have."""
    features: str = ""
    """What they were compiled for and with, in llama.cpp's own words."""
    n_devices: int = 0
    problem: Words = ""
    """The end of a sentence, with its full stop; empty where they fit."""
