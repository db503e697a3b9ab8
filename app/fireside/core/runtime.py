"""Builds of llama.cpp that models can run with, side by side."""

from __future__ import annotations

import platform
import sys
from enum import StrEnum
from typing import Final

import msgspec

BUILT_IN: Final = "built-in"
"""The name of the build that set-up made for this computer. It is always there."""

RUNTIME_KEY: Final = "load.runtime"
"""The setting that says which one a model runs with."""


RUNTIME_ARCHIVES: Final = (".tar.xz", ".txz", ".tar.gz", ".tgz", ".zip")
"""How the names of archives end that can be added."""


_SYSTEMS: Final = {"win32": "windows", "darwin": "macos"}
_MACHINES: Final = {"amd64": "x86_64", "arm64": "aarch64"}


def this_platform() -> str:
    """Return the system and processor of this computer, such as ``linux-x86_64``."""
    machine = platform.machine().lower()
    return f"{_SYSTEMS.get(sys.platform, sys.platform)}-{_MACHINES.get(machine, machine)}"


class RuntimeState(StrEnum):
    """Whether a runtime may be used."""

    UNTESTED = "untested"
    WORKS = "works"
    """It answered a question with the starter model, here."""
    FAILED = "failed"


class RuntimeTest(msgspec.Struct, frozen=True, kw_only=True):
    """How a runtime did when it was tried out on this computer."""

    works: bool
    reason: str = ""
    """A sentence, where it does not work."""
    tested_at_s: float
    """Seconds since 1970."""
    devices: tuple[str, ...] = ()
    """What it can compute on, in words for the user."""
    tokens_per_s: float | None = None
    """Of the short answer that it gave: a hint, no measurement."""


class Runtime(msgspec.Struct, frozen=True, kw_only=True):
    """One build of llama.cpp's libraries."""

    name: str
    llama_cpp: str
    """Version of llama.cpp; empty where that is not known."""
    backends: tuple[str, ...]
    """What it can compute with, as it is usually called: ``CPU``, ``Vulkan``."""
    platform: str
    """``linux-x86_64``"""
    folder: str
    n_bytes: int
    licence: str = ""
    state: RuntimeState
    test: RuntimeTest | None = None

    @property
    def is_built_in(self) -> bool:
        """Whether it came with the program."""
        return self.name == BUILT_IN


class RuntimeOffer(msgspec.Struct, frozen=True, kw_only=True):
    """A runtime that Fireside's releases have for this computer, not yet downloaded."""

    name: str
    llama_cpp: str
    backends: tuple[str, ...]
    n_bytes: int
    """To download."""
    fits: bool
    """Whether it is made for this version of the program."""


class RuntimeChoice(msgspec.Struct, frozen=True, kw_only=True):
    """Every runtime, and which of them is used."""

    runtimes: tuple[Runtime, ...]
    """The built-in one first."""
    in_use: str
    """Name of the one that models run with unless they have one of their own."""
    previous: str | None = None
    """Name of the one that was used before, to go back to."""
    note: str = ""
    """A sentence, where the chosen one is not used after all."""
    is_published: bool = False
    """Whether this copy knows an address where more runtimes are."""
    offers: tuple[RuntimeOffer, ...] | None = None
    """What was found there last; ``None`` where it was not looked in this session."""


class RuntimeStep(StrEnum):
    """What is done with a runtime at the moment."""

    DOWNLOADING = "downloading"
    UNPACKING = "unpacking"
    CHECKING = "checking"
    TESTING = "testing"


class RuntimeProgressed(msgspec.Struct, frozen=True, kw_only=True, tag="runtime_progressed"):
    """A runtime that is added or tested is at this step."""

    name: str
    step: RuntimeStep
    fraction: float | None = None
    """0 to 1, where it is known."""


class RuntimesChanged(msgspec.Struct, frozen=True, kw_only=True, tag="runtimes_changed"):
    """A runtime was added, tested, chosen or removed, or proved to be of no use."""

    note: str = ""
    """A sentence, where something happened unasked."""
