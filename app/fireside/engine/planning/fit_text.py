"""The text of a load plan: where the model would run, and what was reduced to fit. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fireside.core.errors import format_bytes
from fireside.core.i18n import number, tr
from fireside.core.load_sizes import context_stretch
from fireside.core.model import ModelSpec
from fireside.core.options import GPU_LAYERS_AUTO, AutoAdjustable, LoadOptions, Speculation
from fireside.core.plan import DeviceBudget, Verdict
from fireside.engine.planning.auto_fit import SMALLEST_CONTEXT, FitResult, can_draft_itself
from fireside.engine.planning.buffer_usage import bytes_by_device
from fireside.engine.planning.memory_estimate import layout_of, n_ctx_for


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
