"""Load state of the models, with devices and memory."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

import msgspec

from fireside.core.errors import ErrorInfo
from fireside.core.generation import WaitReason
from fireside.core.ids import ModelId
from fireside.core.options import LoadOptions, Purpose, Speculation
from fireside.core.plan import MemoryUse, needed_bytes


class DeviceKind(StrEnum):
    """The kind of a device, as llama.cpp reports it."""

    CPU = "cpu"
    GPU = "gpu"
    IGPU = "igpu"
    ACCELERATOR = "accelerator"


class Device(msgspec.Struct, frozen=True, kw_only=True):
    """A device of llama.cpp. Memory in bytes."""

    name: str
    description: str
    kind: DeviceKind
    free_bytes: int
    total_bytes: int
    backend: str
    device_id: str = ""
    """The bus address, ``0000:01:00.0``; empty if the backend does not report it."""


class MemoryReport(msgspec.Struct, frozen=True, kw_only=True):
    """Bytes that llama.cpp allocated in one buffer type."""

    buffer: str
    weights_bytes: int
    kv_bytes: int
    compute_bytes: int


class LoadedModel(msgspec.Struct, frozen=True, kw_only=True):
    """The actual values of a load, as reported by llama.cpp."""

    n_ctx: int
    """Context of one sequence, in tokens."""
    n_seq_max: int
    n_batch: int
    n_layers: int
    n_gpu_layers: int
    n_threads: int
    devices: tuple[str, ...]
    memory: tuple[MemoryReport, ...]
    uses: tuple[MemoryUse, ...] = ()
    """The same by device and kind, with the runner process; filled in by the engine."""
    rss_bytes: int
    load_s: float
    chat_template: str = ""
    """Name of the template that replaces a missing one; empty for the model's own."""
    speculation: Speculation = Speculation.OFF
    """``OFF`` also if the model cannot roll back rejected drafts."""

    @property
    def n_bytes(self) -> int:
        """The memory on all devices, comparable with ``LoadPlan.n_bytes``."""
        return needed_bytes(self.uses)

    def n_bytes_on(self, device: str) -> int:
        """Return the memory on a device."""
        return needed_bytes(use for use in self.uses if use.device == device)


class Unloaded(msgspec.Struct, frozen=True, kw_only=True, tag="unloaded"):
    """Not loaded, without an error."""

    note: str = ""
    """Why Fireside unloaded it, if the user should know."""


class LoadStage(StrEnum):
    """Stage of a load, in this order; reported by the runner except the first two."""

    PREPARING = "preparing"
    """Set-up still compiles llama.cpp, after which this load starts."""
    STARTING = "starting"
    """The runner process starts, and the load is planned."""
    READING = "reading"
    """The file is read."""
    ALLOCATING = "making_room"
    """Memory for the context and compute buffers is allocated."""
    WARMING_UP = "warming_up"
    """Projector and draft model are loaded, and the model is warmed up."""


class LoadingModel(msgspec.Struct, frozen=True, kw_only=True, tag="loading"):
    """A load is running or waiting."""

    fraction: float
    """The part of the file that was read, 0 to 1; while preparing, how far set-up is."""
    stage: LoadStage = LoadStage.READING
    left_s: float | None = None
    """While preparing, about how long it still takes, in seconds; ``None`` if that is not known."""
    is_silent: bool = False
    """Whether the runner process was inactive for a while."""
    waits_for: WaitReason | None = None
    """What the load waits for; ``None`` once it has started."""
    waits_for_model: str = ""
    """Name of the other model that it waits for, if any."""


class Ready(msgspec.Struct, frozen=True, kw_only=True, tag="ready"):
    """Loaded, and ready for requests."""

    loaded: LoadedModel
    options: LoadOptions
    """The requested options."""
    n_active: int
    """Running requests."""
    note: str = ""
    """How it differs from the request, for the user; empty if it does not."""
    placed: LoadOptions | None = None
    """The resolved options, without automatic values."""
    is_memory_short: bool = msgspec.field(name="is_short", default=False)
    """Whether ``note`` is about a lack of memory, for which a reload with less memory helps."""


class Unloading(msgspec.Struct, frozen=True, kw_only=True, tag="unloading"):
    """Its runner is ending, and its memory is not free yet."""


class Broken(msgspec.Struct, frozen=True, kw_only=True, tag="broken"):
    """The load failed or the runner ended; the next request or a retry loads it if ``error.retryable``."""

    error: ErrorInfo


class OnRemoteEngine(msgspec.Struct, frozen=True, kw_only=True, tag="elsewhere"):
    """A model of a remote engine, which is never loaded locally."""

    host: str
    is_unreachable: bool = False
    """Whether the last request could not reach it."""


ModelState = Unloaded | LoadingModel | Ready | Unloading | Broken | OnRemoteEngine


class RunningModel(msgspec.Struct, frozen=True, kw_only=True):
    """A model instance with a runner process, for a list of them."""

    model_id: ModelId
    name: str
    state: ModelState
    purpose: Purpose = Purpose.GENERATE
    """What it is loaded for; a model used for answers and vectors has two instances."""
    pid: int | None = None
    """``None`` while the process is being started."""
    expires_in_s: float | None = None
    """Seconds until it is unloaded if it remains unused; ``None`` while it is in use, loading or unloading,
    and if it remains loaded until its memory is needed."""
    clients: tuple[str, ...] = ()
    """The clients of the running requests."""


class ModelStatus(msgspec.Struct, frozen=True, kw_only=True):
    """A model of the library and its state."""

    model_id: ModelId
    state: ModelState


def ready_state(statuses: Iterable[ModelStatus], model_id: ModelId) -> Ready | None:
    """Return the state of a model that is loaded; ``None`` if it is not."""
    for status in statuses:
        if status.model_id == model_id and isinstance(status.state, Ready):
            return status.state
    return None
