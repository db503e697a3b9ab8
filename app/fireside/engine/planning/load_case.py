"""All inputs of a load plan, for a local file and one on the hub alike, and what memory it may use: pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from fireside.core.errors import ErrorInfo, format_bytes
from fireside.core.i18n import number, tr
from fireside.core.load_sizes import context_stretch
from fireside.core.model import ModelSpec
from fireside.core.options import (
    BYTES_A_MB,
    GPU_LAYERS_AUTO,
    AutoAdjustable,
    LoadOptions,
    Speculation,
    SplitMode,
)
from fireside.core.plan import DeviceBudget, LoadPlan, MemoryKind, MemoryUse, Verdict
from fireside.core.status import Device, DeviceKind
from fireside.engine.host_info import Host
from fireside.engine.planning.auto_fit import SMALLEST_CONTEXT, FitResult, Measure, can_draft_itself, fit_load
from fireside.engine.planning.auxiliary_models import AuxiliaryModels
from fireside.engine.planning.buffer_usage import HOST, bytes_by_device, estimated_usage
from fireside.engine.planning.memory_estimate import PROCESS_BYTES, gpus_among, layout_of, n_ctx_for, predict

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


# The text of a load plan: where the model would run, and what was reduced to fit. Pure


def verdict_of(
    spec: ModelSpec,
    result: FitResult,
    *,
    budgets: Sequence[DeviceBudget],
    fits_idle: Callable[[], bool] = lambda: False,
) -> Verdict:
    """Return whether it fits; partly means that something stays on the CPU though there is a GPU.

    ``fits_idle`` tells whether it would fit if no other program took memory.
    """
    if not result.fits:
        return Verdict.NOT_NOW if fits_idle() else Verdict.TOO_LARGE
    n_all = len(layout_of(spec).layers) + 1
    is_whole = result.options.n_gpu_layers >= n_all and not _n_cpu_experts(spec, result.options)
    return Verdict.FITS if len(budgets) == 1 or is_whole else Verdict.PARTLY


def plan_text(
    spec: ModelSpec,
    requested: LoadOptions,
    result: FitResult,
    *,
    verdict: Verdict,
    budgets: Sequence[DeviceBudget],
) -> str:
    """Return the plan as one sentence. ``budgets`` are those of an idle computer if it is too small."""
    if not verdict.runs:
        return _shortage_text(requested, result, verdict=verdict, budgets=budgets)
    parts = [
        _placement_text(spec, requested, result.options, budgets=budgets),
        *plan_notes(spec, requested, result),
    ]
    return f"{'; '.join(parts)}."


def _placement_text(
    spec: ModelSpec, requested: LoadOptions, options: LoadOptions, *, budgets: Sequence[DeviceBudget]
) -> str:
    gpus = budgets[1:]
    if not gpus:
        return tr("Runs on the CPU")
    is_single = len(gpus) == 1
    name = _name(gpus[0]) if is_single else tr("%n GPU|%n GPUs", "", len(gpus))
    n_all = len(layout_of(spec).layers) + 1
    n_cpu_experts = _n_cpu_experts(spec, options)
    if options.n_gpu_layers <= 0:
        text = _cpu_text(is_single=is_single, is_chosen=requested.n_gpu_layers == 0)
    elif options.n_gpu_layers < n_all:
        text = _partial_text(is_single=is_single, is_automatic=requested.n_gpu_layers == GPU_LAYERS_AUTO)
    elif n_cpu_experts:
        is_automatic = requested.n_gpu_layers == GPU_LAYERS_AUTO and requested.n_cpu_moe < 0
        text, n_all = _experts_text(is_single=is_single, is_automatic=is_automatic), n_all - 1
    else:
        text = tr("Runs fully on {gpu}")
    return text.format(gpu=name, n=n_cpu_experts or options.n_gpu_layers, n_all=n_all)


def _cpu_text(*, is_single: bool, is_chosen: bool) -> str:
    if is_chosen:
        return tr("Runs on the CPU, as chosen")
    if is_single:
        return tr("Runs on the CPU; {gpu} is too full")
    return tr("Runs on the CPU; {gpu} are too full")


def _partial_text(*, is_single: bool, is_automatic: bool) -> str:
    if not is_automatic:
        return tr("{n} of {n_all} layers run on {gpu}, the rest on the CPU")
    if is_single:
        return tr("{n} of {n_all} layers run on {gpu}, the rest on the CPU; {gpu} is full")
    return tr("{n} of {n_all} layers run on {gpu}, the rest on the CPU; {gpu} are full")


def _experts_text(*, is_single: bool, is_automatic: bool) -> str:
    if not is_automatic:
        return tr("Runs on {gpu}, with the experts of {n} of {n_all} layers on the CPU")
    if is_single:
        return tr("Runs on {gpu}, with the experts of {n} of {n_all} layers on the CPU; {gpu} is full")
    return tr("Runs on {gpu}, with the experts of {n} of {n_all} layers on the CPU; {gpu} are full")


def plan_notes(spec: ModelSpec, requested: LoadOptions, result: FitResult) -> tuple[str, ...]:
    """Return the options that differ from the request, as clauses; none if the model does not fit."""
    if not result.fits:
        return ()
    options, notes = result.options, []
    n_requested = n_ctx_for(spec, requested)
    if n_requested < requested.n_ctx and AutoAdjustable.CONTEXT not in requested.auto_adjustable:
        notes.append(
            tr("the context length is at most {n}, as the model was trained, not {n_wanted}").format(
                n=number(n_requested), n_wanted=number(requested.n_ctx)
            )
        )
    times = context_stretch(options, n_ctx_train=spec.n_ctx_train)
    if times > 1:
        notes.append(
            tr("the context is {times}× the trained length, so quality may drop").format(
                times=number(times, decimals=1)
            )
        )
    without_drafts = requested.speculation is Speculation.AUTO and options.speculation is Speculation.OFF
    if without_drafts and can_draft_itself(spec, requested):
        notes.append(tr("to fit, it answers without its draft heads"))
    if options.n_seq_max < requested.n_seq_max:
        notes.append(tr("to fit, it handles one request at a time"))
    if options.cache_type_k != requested.cache_type_k or options.cache_type_v != requested.cache_type_v:
        notes.append(tr("to fit, the KV cache is 8-bit"))
    if options.n_ctx < n_requested:
        notes.append(
            tr("to fit, the context length is {n} instead of {n_wanted}").format(
                n=number(options.n_ctx), n_wanted=number(n_requested)
            )
        )
    return tuple(notes)


def _shortage_text(
    requested: LoadOptions, result: FitResult, *, verdict: Verdict, budgets: Sequence[DeviceBudget]
) -> str:
    sums = bytes_by_device(result.uses)
    gpus = budgets[1:]
    short = next((budget for budget in gpus if sums.get(budget.device, 0) > budget.usable_bytes), budgets[0])
    n_bytes = sums.get(short.device, 0)
    if short in gpus:
        need = tr("needs {size} on {gpu}")
    else:
        n_bytes += sum(sums.get(budget.device, 0) for budget in gpus if budget.shares_memory)
        is_least = requested.auto_adjustable and result.options.n_ctx == SMALLEST_CONTEXT
        need = tr("needs {size} even with a context length of {n_ctx}") if is_least else tr("needs {size}")
    need = need.format(size=format_bytes(n_bytes), gpu=_name(short), n_ctx=number(SMALLEST_CONTEXT))
    if verdict is Verdict.NOT_NOW:
        text = tr("Does not fit right now: {need}, {usable} free.")
    else:
        text = tr("Does not fit this computer: {need}, at most {usable} can be used.")
    return text.format(need=need, usable=format_bytes(short.usable_bytes))


def _name(budget: DeviceBudget) -> str:
    return budget.description or budget.device


def _n_cpu_experts(spec: ModelSpec, options: LoadOptions) -> int:
    layers = layout_of(spec).layers
    return sum(1 for layer in layers[: max(0, options.n_cpu_moe)] if layer.expert_bytes)
