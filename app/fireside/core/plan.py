"""Load plans: placement and memory of a model, predicted before the load and measured after it."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

import msgspec

from fireside.core.errors import ErrorInfo
from fireside.core.ids import ModelId
from fireside.core.options import LoadOptions


class MemoryKind(StrEnum):
    """What memory is taken for."""

    WEIGHTS = "weights"
    CACHE = "cache"
    """Keys and values of the context, and running states."""
    COMPUTE = "compute"
    """What one step holds at once, outputs included."""
    PROJECTOR = "projector"
    DRAFT = "draft"
    ADAPTERS = "adapters"
    STATES = "states"
    """Conversations kept in memory beyond the context."""
    PROGRAM = "program"
    """The runner's process itself."""


class MemoryUse(msgspec.Struct, frozen=True, kw_only=True):
    """Bytes of one kind on one device."""

    device: str
    """As llama.cpp names it; ``CPU`` is the computer's own memory."""
    kind: MemoryKind
    n_bytes: int


def needed_bytes(uses: Iterable[MemoryUse]) -> int:
    """Return what a load takes: the one figure for it. The prompt cache, which gives way, is apart."""
    return sum(use.n_bytes for use in uses if use.kind is not MemoryKind.STATES)


class DeviceBudget(msgspec.Struct, frozen=True, kw_only=True):
    """The memory of one device when a plan was made. Bytes."""

    device: str
    """As llama.cpp names it; ``CPU`` is the computer's own memory."""
    description: str
    total_bytes: int
    free_bytes: int
    """Free now, plus what would come back from this model's own runner if it is loaded already."""
    margin_bytes: int = 0
    """Of what is free, to be left alone: the desktop, the driver."""
    shares_memory: bool = False
    """What it takes is the computer's own memory: an integrated GPU."""

    @property
    def usable_bytes(self) -> int:
        """What a load may take of it."""
        return max(0, self.free_bytes - self.margin_bytes)


class Verdict(StrEnum):
    """Whether a plan fits into the free memory."""

    FITS = "fits"
    PARTLY = "partly"
    """It runs, with layers or experts left to the processor for want of room on the GPU."""
    TOO_LARGE = "too_large"


class LoadPlan(msgspec.Struct, frozen=True, kw_only=True):
    """How a model would be loaded. The numbers of ``options`` are all decided.

    ``fireside plan --json`` prints it: names in ``field`` are those of that output.
    """

    model_id: ModelId
    options: LoadOptions
    verdict: Verdict
    text: str = msgspec.field(name="words")
    """One sentence for the user: where it runs, and what was given up for it."""
    notes: tuple[str, ...] = ()
    """What of ``words`` is about options that were not given as requested."""
    uses: tuple[MemoryUse, ...]
    budgets: tuple[DeviceBudget, ...] = msgspec.field(name="rooms")
    """The computer's own memory first, then the devices that may take layers."""
    is_exact: bool
    """From a dry run of llama.cpp, to the byte; else estimated from the header."""
    load_error: ErrorInfo | None = msgspec.field(name="unloadable", default=None)
    """Why no placement helps: llama.cpp does not know this kind of model, or cannot use its file."""

    def n_bytes_on(self, device: str) -> int:
        """Return what the load takes on a device, by the device's name; the prompt cache apart."""
        return needed_bytes(use for use in self.uses if use.device == device)

    @property
    def n_bytes(self) -> int:
        """What the load takes, all devices together; the prompt cache apart."""
        return needed_bytes(self.uses)

    @property
    def prompt_cache_bytes(self) -> int:
        """Room that is left for the prompt cache."""
        return sum(use.n_bytes for use in self.uses if use.kind is MemoryKind.STATES)


class LoadRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One load of the past: what was predicted, and what llama.cpp then said that it took."""

    model_id: ModelId
    loaded_at: float
    """Seconds since 1970."""
    options: LoadOptions
    predicted: tuple[MemoryUse, ...]
    measured: tuple[MemoryUse, ...]
    rss_bytes: int
    load_s: float
