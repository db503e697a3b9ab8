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
    """What kind of processor a device is, in llama.cpp's words."""

    CPU = "cpu"
    GPU = "gpu"
    IGPU = "igpu"
    ACCELERATOR = "accelerator"


class Device(msgspec.Struct, frozen=True, kw_only=True):
    """A place where layers can live, as llama.cpp lists it. Memory in bytes."""

    name: str
    description: str
    kind: DeviceKind
    free_bytes: int
    total_bytes: int
    backend: str
    device_id: str = ""
    """Where it is on its bus, ``0000:01:00.0``; empty where the backend does not say."""


class MemoryReport(msgspec.Struct, frozen=True, kw_only=True):
    """Bytes that llama.cpp allocated in one buffer type."""

    buffer: str
    weights_bytes: int
    kv_bytes: int
    compute_bytes: int


class LoadedModel(msgspec.Struct, frozen=True, kw_only=True):
    """What was really allocated, read back from llama.cpp after the load."""

    n_ctx: int
    """Of one sequence, in tokens."""
    n_seq_max: int
    n_batch: int
    n_layers: int
    n_gpu_layers: int
    n_threads: int
    devices: tuple[str, ...]
    memory: tuple[MemoryReport, ...]
    uses: tuple[MemoryUse, ...] = ()
    """The same by device and kind, with the runner's own process; the engine fills it in."""
    rss_bytes: int
    load_s: float
    chat_template: str = ""
    """Name of the chat template that stands in for a missing one; empty for the model's own."""
    speculation: Speculation = Speculation.OFF
    """What guesses ahead; ``OFF`` also if the options ask for it and the model cannot take guesses back."""

    @property
    def n_bytes(self) -> int:
        """What it takes, all devices together, reckoned like the ``n_bytes`` of its plan."""
        return needed_bytes(self.uses)

    def n_bytes_on(self, device: str) -> int:
        """What it takes on a device, by the device's name."""
        return needed_bytes(use for use in self.uses if use.device == device)


class Unloaded(msgspec.Struct, frozen=True, kw_only=True, tag="unloaded"):
    """Not in memory, and nothing went wrong."""

    note: str = ""
    """Why Fireside unloaded it, where the user should know."""


class LoadStage(StrEnum):
    """What a load is at, in this order; the runner says so, but for the first."""

    STARTING = "starting"
    """The runner's process starts, and what the load takes is worked out."""
    READING = "reading"
    """The file is read."""
    ALLOCATING = "making_room"
    """Memory for the context and for computing is made."""
    WARMING_UP = "warming_up"
    """What lies beside the model is opened, and the first answer is made ready for."""


class LoadingModel(msgspec.Struct, frozen=True, kw_only=True, tag="loading"):
    """A load is under way or waits to begin."""

    fraction: float
    """Of the file, 0 to 1."""
    stage: LoadStage = LoadStage.READING
    is_silent: bool = False
    """Its process has neither said nor done anything for a while."""
    waits_for: WaitReason | None = None
    """What has to happen before the load begins; ``None`` once it has begun."""
    waits_for_model: str = ""
    """Name of the model that it waits for, where that is another one."""


class Ready(msgspec.Struct, frozen=True, kw_only=True, tag="ready"):
    """In memory; requests are answered."""

    loaded: LoadedModel
    options: LoadOptions
    """What the load was made for."""
    n_active: int
    """Requests being answered now."""
    note: str = ""
    """What the user should know of how it is loaded; empty where all is as asked."""
    placed: LoadOptions | None = None
    """What was decided of ``options``, all numbers settled."""
    is_memory_short: bool = msgspec.field(name="is_short", default=False)
    """``note`` says that memory ran short: loaded smaller, it would be better."""


class Unloading(msgspec.Struct, frozen=True, kw_only=True, tag="unloading"):
    """Its runner is ending; its memory is not free yet."""


class Broken(msgspec.Struct, frozen=True, kw_only=True, tag="broken"):
    """The load failed or the runner died; the next request or Retry loads again if ``error.retryable``."""

    error: ErrorInfo


class OnRemoteEngine(msgspec.Struct, frozen=True, kw_only=True, tag="elsewhere"):
    """Another engine has it: nothing of it is loaded here."""

    host: str
    unreachable_hosts: tuple[str, ...] = msgspec.field(name="down", default=())
    """Hosts that could not be reached the last time."""


ModelState = Unloaded | LoadingModel | Ready | Unloading | Broken | OnRemoteEngine


class RunningModel(msgspec.Struct, frozen=True, kw_only=True):
    """A model that has a process now, for a list of them."""

    model_id: ModelId
    name: str
    state: ModelState
    purpose: Purpose = Purpose.GENERATE
    """What it is loaded for; one that is asked for both has a process for answers and one for vectors."""
    pid: int | None = None
    """Of its process; ``None`` while that is being started."""
    expires_in_s: float | None = None
    """Seconds until it is unloaded while unused; ``None`` while it is used, loads or goes, and where it
    stays until its place is needed."""
    clients: tuple[str, ...] = ()
    """Who uses it now: a name for each answer that is being written."""


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
