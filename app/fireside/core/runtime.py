"""Runtimes: builds of llama.cpp that are installed side by side."""

from __future__ import annotations

import platform
import sys
from enum import StrEnum
from typing import Final

import msgspec

BUILT_IN: Final = "built-in"
"""The name of the build that comes with the program."""

RUNTIME_KEY: Final = "load.runtime"
"""The setting that chooses the runtime of a model."""

RUNTIME_ARCHIVES: Final = (".tar.xz", ".txz", ".tar.gz", ".tgz", ".zip")
"""File name extensions of archives that can be added."""


_SYSTEMS: Final = {"win32": "windows", "darwin": "macos"}
_MACHINES: Final = {"amd64": "x86_64", "arm64": "aarch64"}


def this_platform() -> str:
    """Return the system and processor of this computer, such as ``linux-x86_64``."""
    machine = platform.machine().lower()
    return f"{_SYSTEMS.get(sys.platform, sys.platform)}-{_MACHINES.get(machine, machine)}"


class RuntimeState(StrEnum):
    """Whether a runtime can be used."""

    UNTESTED = "untested"
    WORKS = "works"
    """It answered a question with the starter model on this computer."""
    FAILED = "failed"


class RuntimeTest(msgspec.Struct, frozen=True, kw_only=True):
    """Result of testing a runtime on this computer."""

    works: bool
    reason: str = ""
    """Why it does not work, as a sentence."""
    tested_at_s: float
    """Seconds since 1970."""
    devices: tuple[str, ...] = ()
    """The devices that it supports, for the user."""
    tokens_per_s: float | None = None
    """The speed of a short answer: an indication, not a measurement."""


class Runtime(msgspec.Struct, frozen=True, kw_only=True):
    """A build of llama.cpp's libraries."""

    name: str
    llama_cpp: str
    """Version of llama.cpp; empty if unknown."""
    backends: tuple[str, ...]
    """Names for the user: ``CPU``, ``Vulkan``."""
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
    """A runtime of Fireside's releases for this computer that is not installed."""

    name: str
    llama_cpp: str
    backends: tuple[str, ...]
    n_bytes: int
    """Size of the download."""
    fits: bool
    """Whether it is for this version of the program."""


class RuntimeChoice(msgspec.Struct, frozen=True, kw_only=True):
    """All runtimes, and the one in use."""

    runtimes: tuple[Runtime, ...]
    """The built-in one first."""
    in_use: str
    """Name of the default runtime, for models without one of their own."""
    previous: str | None = None
    """Name of the previous default, which can be restored."""
    note: str = ""
    """Why the chosen runtime is not used, as a sentence."""
    is_published: bool = False
    """Whether a release address is configured."""
    offers: tuple[RuntimeOffer, ...] | None = None
    """The runtimes that the last check found; ``None`` without one in this session."""


class RuntimeStep(StrEnum):
    """Step of adding a runtime."""

    DOWNLOADING = "downloading"
    UNPACKING = "unpacking"
    CHECKING = "checking"
    TESTING = "testing"


class RuntimeProgressed(msgspec.Struct, frozen=True, kw_only=True, tag="runtime_progressed"):
    """Progress of adding or testing a runtime."""

    name: str
    step: RuntimeStep
    fraction: float | None = None
    """0 to 1, where it is known."""


class RuntimesChanged(msgspec.Struct, frozen=True, kw_only=True, tag="runtimes_changed"):
    """A runtime was added, tested, chosen or removed, or failed."""

    note: str = ""
    """What happened without an action of the user, as a sentence."""
