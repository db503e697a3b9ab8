"""Load plans: placement and memory of a model, predicted before the load and measured after it."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

import msgspec

from fireside.core.errors import ErrorInfo
from fireside.core.ids import ModelId
from fireside.core.options import LoadOptions


class MemoryKind(StrEnum):
    """What memory is used for."""

    WEIGHTS = "weights"
    CACHE = "cache"
    """The KV cache, and recurrent states."""
    COMPUTE = "compute"
    """Compute and output buffers."""
    PROJECTOR = "projector"
    DRAFT = "draft"
    ADAPTERS = "adapters"
    STATES = "states"
    """The prompt cache in memory."""
    PROGRAM = "program"
    """The runner process itself."""


class MemoryUse(msgspec.Struct, frozen=True, kw_only=True):
    """Bytes of one kind on one device."""

    device: str
    """llama.cpp's name; ``CPU`` is RAM."""
    kind: MemoryKind
    n_bytes: int


def needed_bytes(uses: Iterable[MemoryUse]) -> int:
    """Return the memory that a load needs, without the prompt cache, which is reduced if necessary."""
    return sum(use.n_bytes for use in uses if use.kind is not MemoryKind.STATES)


class DeviceBudget(msgspec.Struct, frozen=True, kw_only=True):
    """The memory of one device when a plan was made, in bytes."""

    device: str
    """llama.cpp's name; ``CPU`` is RAM."""
    description: str
    total_bytes: int
    free_bytes: int
    """Free memory, plus the memory of this model's runner if it is loaded already."""
    margin_bytes: int = 0
    """Free memory to leave for the desktop and the driver."""
    shares_memory: bool = False
    """Whether it uses RAM: an integrated GPU."""

    @property
    def usable_bytes(self) -> int:
        """The memory that a load may use."""
        return max(0, self.free_bytes - self.margin_bytes)


class Verdict(StrEnum):
    """Whether a plan fits into the free memory."""

    FITS = "fits"
    PARTLY = "partly"
    """It runs, with layers or experts on the CPU since the GPU's memory is too small."""
    NOT_NOW = "not_now"
    """Other programs take memory that it needs."""
    TOO_LARGE = "too_large"
    """The computer has less memory than it needs."""

    @property
    def runs(self) -> bool:
        """Whether the model can be loaded now."""
        return self not in (Verdict.NOT_NOW, Verdict.TOO_LARGE)


class LoadPlan(msgspec.Struct, frozen=True, kw_only=True):
    """How a model would be loaded. All automatic values of ``options`` are resolved.

    ``fireside plan --json`` prints it under the names in ``field``.
    """

    model_id: ModelId
    options: LoadOptions
    verdict: Verdict
    text: str = msgspec.field(name="words")
    """A sentence for the user: where it runs, and which options were reduced."""
    notes: tuple[str, ...] = ()
    """The parts of ``text`` about options that differ from the requested ones."""
    uses: tuple[MemoryUse, ...]
    budgets: tuple[DeviceBudget, ...] = msgspec.field(name="rooms")
    """RAM first, then the devices that can hold layers."""
    is_exact: bool
    """Whether it is from a dry run of llama.cpp and exact, rather than estimated from the header."""
    load_error: ErrorInfo | None = msgspec.field(name="unloadable", default=None)
    """Why the model cannot be loaded at all: llama.cpp does not support its architecture or file."""

    def n_bytes_on(self, device: str) -> int:
        """Return the memory that the load needs on a device, without the prompt cache."""
        return needed_bytes(use for use in self.uses if use.device == device)

    @property
    def n_bytes(self) -> int:
        """The memory that the load needs on all devices, without the prompt cache."""
        return needed_bytes(self.uses)

    @property
    def prompt_cache_bytes(self) -> int:
        """The memory for the prompt cache."""
        return sum(use.n_bytes for use in self.uses if use.kind is MemoryKind.STATES)


class LoadRecord(msgspec.Struct, frozen=True, kw_only=True):
    """An earlier load: predicted memory, and the memory that llama.cpp reported."""

    model_id: ModelId
    loaded_at: float
    """Seconds since 1970."""
    options: LoadOptions
    predicted: tuple[MemoryUse, ...]
    measured: tuple[MemoryUse, ...]
    rss_bytes: int
    load_s: float
