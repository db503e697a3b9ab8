"""All inputs of a load plan, for a local file and one on the hub alike, and what memory it may use: pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from fireside.core.errors import ErrorInfo
from fireside.core.i18n import tr
from fireside.core.model import ModelSpec
from fireside.core.options import BYTES_A_MB, LoadOptions, SplitMode
from fireside.core.plan import DeviceBudget, LoadPlan, MemoryKind, MemoryUse, Verdict
from fireside.core.status import Device, DeviceKind
from fireside.engine.host_info import Host
from fireside.engine.planning.auto_fit import FitResult, Measure, fit_load
from fireside.engine.planning.auxiliary_models import AuxiliaryModels
from fireside.engine.planning.buffer_usage import HOST, estimated_usage
from fireside.engine.planning.fit_text import plan_notes, plan_text, verdict_of
from fireside.engine.planning.memory_estimate import PROCESS_BYTES, gpus_among, predict

DISPLAY_MARGIN_BYTES: Final = 768 * 1024 * 1024
DISPLAY_MARGIN_FRACTION: Final = 0.1
"""Left free on the GPU that draws the desktop, whichever is more, for windows that open later."""
GPU_MARGIN_BYTES: Final = 512 * 1024 * 1024
GPU_MARGIN_FRACTION: Final = 0.05
"""Left free on another GPU, for what the driver itself allocates for a process."""
HOST_MARGIN_BYTES: Final = 512 * 1024 * 1024
"""Left free in RAM, for everything else that runs."""
_SYSTEM_SHARE: Final = 8
_SYSTEM_BYTES: Final = (1 << 30, 2 << 30)
"""What an idle system takes of its memory: an eighth, between these bounds."""


def gpus_for(options: LoadOptions, devices: Sequence[Device]) -> tuple[Device, ...]:
    """Return the GPUs that a load with ``options`` may use, in llama.cpp's order."""
    included = [device for device in devices if device.name not in options.excluded_devices]
    gpus = gpus_among(included)
    # llama.cpp takes remote devices before its own.
    gpus = tuple(sorted(gpus, key=lambda gpu: gpu.backend != "RPC"))
    if options.split_mode is SplitMode.NONE and gpus:
        return tuple(gpu for gpu in gpus if gpu.name == options.main_gpu)[:1] or gpus[:1]
    return gpus


def device_budgets(
    gpus: Sequence[Device], *, host: Host, display: str | None, limit_bytes: int = 0
) -> tuple[DeviceBudget, ...]:
    """Return the budget of RAM, and then of each of ``gpus``.

    Args:
        display: name of the GPU that draws the desktop; ``None`` assumes the first.
        limit_bytes: limit of RAM for a load; 0 is no limit.
    """
    free = _limited(host.available_bytes, limit_bytes)
    ram = DeviceBudget(
        device=HOST,
        description=tr("RAM"),
        total_bytes=max(host.total_bytes, host.available_bytes),
        free_bytes=free,
        margin_bytes=HOST_MARGIN_BYTES,
    )
    if display is None:
        display = next((gpu.name for gpu in gpus), "")
    return (ram, *(_budget(gpu, is_display=gpu.name == display) for gpu in gpus))


def idle_budgets(budgets: Sequence[DeviceBudget], *, limit_bytes: int = 0) -> tuple[DeviceBudget, ...]:
    """Return ``budgets``, RAM first, as they would be if no other program ran."""
    ram, *gpus = budgets
    low, high = _SYSTEM_BYTES
    free = ram.total_bytes - min(high, max(low, ram.total_bytes // _SYSTEM_SHARE))
    return (
        _with_free(ram, _limited(free, limit_bytes)),
        *(_with_free(gpu, gpu.total_bytes) for gpu in gpus),
    )


def _limited(free_bytes: int, limit_bytes: int) -> int:
    return min(free_bytes, limit_bytes + HOST_MARGIN_BYTES) if limit_bytes else free_bytes


def _with_free(budget: DeviceBudget, n_bytes: int) -> DeviceBudget:
    return msgspec.structs.replace(budget, free_bytes=max(budget.free_bytes, n_bytes))


def _budget(gpu: Device, *, is_display: bool) -> DeviceBudget:
    least = DISPLAY_MARGIN_BYTES if is_display else GPU_MARGIN_BYTES
    fraction = DISPLAY_MARGIN_FRACTION if is_display else GPU_MARGIN_FRACTION
    return DeviceBudget(
        device=gpu.name,
        description=gpu.description or gpu.name,
        total_bytes=gpu.total_bytes,
        free_bytes=gpu.free_bytes,
        margin_bytes=max(least, int(gpu.total_bytes * fraction)),
        shares_memory=gpu.kind is DeviceKind.IGPU,
    )


PROGRAM = MemoryUse(device=HOST, kind=MemoryKind.PROGRAM, n_bytes=PROCESS_BYTES)
"""Memory of a runner besides llama.cpp's buffers."""


class LoadCase(msgspec.Struct, frozen=True, kw_only=True):
    """A model, the requested options, and the memory that it would be loaded into."""

    spec: ModelSpec
    requested: LoadOptions
    gpus: tuple[Device, ...]
    budgets: tuple[DeviceBudget, ...]
    n_cores: int
    auxiliary: AuxiliaryModels
    states_bytes: int
    """Memory to reserve for the prompt cache, if there is enough."""

    def fitted(self, measure: Measure | None = None) -> FitResult:
        """Return the best load options; ``measure`` returns exactly what llama.cpp would allocate."""
        states = MemoryUse(device=HOST, kind=MemoryKind.STATES, n_bytes=self.states_bytes)
        if not self.states_bytes:
            return self._fitted((PROGRAM,), measure)
        result = self._fitted((PROGRAM, states), measure)
        # The prompt cache uses only what is free: no model is rejected because of it.
        return result if result.fits else self._fitted((PROGRAM,), measure)

    def plan(self, result: FitResult, *, unloadable: ErrorInfo | None = None) -> LoadPlan:
        """Return the plan of ``result``, with its text."""
        verdict = verdict_of(self.spec, result, budgets=self.budgets, fits_idle=self._fits_idle)
        budgets = self._idle_budgets() if verdict is Verdict.TOO_LARGE else self.budgets
        return LoadPlan(
            model_id=self.spec.id,
            options=result.options,
            verdict=verdict,
            text=plan_text(self.spec, self.requested, result, verdict=verdict, budgets=budgets),
            notes=plan_notes(self.spec, self.requested, result),
            uses=result.uses,
            budgets=self.budgets,
            is_exact=result.is_exact,
            load_error=unloadable,
        )

    def _fits_idle(self) -> bool:
        """Whether it would fit if no other program took memory."""
        idle = msgspec.structs.replace(self, budgets=self._idle_budgets())
        return idle.fitted().fits

    def _idle_budgets(self) -> tuple[DeviceBudget, ...]:
        return idle_budgets(self.budgets, limit_bytes=_limit_bytes(self.requested))

    def _fitted(self, reserved: tuple[MemoryUse, ...], measure: Measure | None) -> FitResult:
        def estimate(candidate: LoadOptions) -> tuple[MemoryUse, ...]:
            need = predict(self.spec, candidate, gpus=self.gpus, auxiliary=self.auxiliary)
            return (*estimated_usage(need, gpus=self.gpus, auxiliary=self.auxiliary), *reserved)

        def measured(candidate: LoadOptions) -> tuple[MemoryUse, ...] | None:
            uses = measure(candidate) if measure is not None else None
            return None if uses is None else (*uses, *reserved)

        return fit_load(
            self.spec,
            self.requested,
            budgets=self.budgets,
            n_cores=self.n_cores,
            estimate=estimate,
            measure=None if measure is None else measured,
        )


def load_case(
    spec: ModelSpec,
    requested: LoadOptions,
    *,
    devices: Sequence[Device],
    host: Host,
    display: str | None,
    auxiliary: AuxiliaryModels,
    states_bytes: int,
) -> LoadCase:
    """Return the inputs for a plan of ``spec``; see ``device_budgets`` for the display."""
    gpus = gpus_for(requested, devices)
    return LoadCase(
        spec=spec,
        requested=requested,
        gpus=gpus,
        budgets=device_budgets(
            gpus,
            host=host,
            display=display,
            limit_bytes=_limit_bytes(requested),
        ),
        n_cores=host.n_cores,
        auxiliary=auxiliary,
        states_bytes=states_bytes,
    )


def _limit_bytes(options: LoadOptions) -> int:
    return options.memory_limit_mb * BYTES_A_MB
