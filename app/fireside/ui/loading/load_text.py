"""Texts about load plans: amounts, verdicts, changes, measurements. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from fireside.core.errors import format_bytes
from fireside.core.i18n import number, tr, tr_noop
from fireside.core.options import GPU_LAYERS_ALL, CacheType, LoadOptions
from fireside.core.plan import (
    DeviceBudget,
    LoadPlan,
    LoadRecord,
    MemoryKind,
    MemoryUse,
    Verdict,
    needed_bytes,
)
from fireside.core.status import LoadingModel, LoadStage
from fireside.ui.model_text import preparing_text
from fireside.ui.waiting_text import waiting_message

COMPUTER: Final = "CPU"
"""llama.cpp's name for the computer's main memory."""
CHATS_KEPT: Final = tr_noop("Chats and their prompt cache are kept.")
CHATS_REPROCESSED: Final = tr_noop("Chats are kept; each is reprocessed when you continue it.")

_WORDS_A_TOKEN: Final = 0.75
_WORDS_A_PAGE: Final = 500
_NEGLIGIBLE: Final = 0.02
"""A difference between prediction and measurement below this fraction is not mentioned."""
_NEGLIGIBLE_BYTES: Final = 16_000_000

KIND_LABELS: Final = {
    MemoryKind.WEIGHTS: tr_noop("The model"),
    MemoryKind.CACHE: tr_noop("Context"),
    MemoryKind.COMPUTE: tr_noop("Compute buffer"),
    MemoryKind.PROJECTOR: tr_noop("Vision"),
    MemoryKind.DRAFT: tr_noop("Draft model"),
    MemoryKind.ADAPTERS: tr_noop("Adapters"),
    MemoryKind.STATES: tr_noop("Prompt cache"),
    MemoryKind.PROGRAM: tr_noop("Program"),
}
"""Labels of what memory is used for."""

CACHE_LABELS: Final = {
    CacheType.F32: tr_noop("32-bit"),
    CacheType.F16: tr_noop("16-bit"),
    CacheType.BF16: tr_noop("16-bit"),
    CacheType.Q8_0: tr_noop("8-bit"),
    CacheType.Q5_1: tr_noop("5-bit"),
    CacheType.Q5_0: tr_noop("5-bit"),
    CacheType.Q4_1: tr_noop("4-bit"),
    CacheType.Q4_0: tr_noop("4-bit"),
}

_BITS: Final = {
    CacheType.F32: 32,
    CacheType.F16: 16,
    CacheType.BF16: 16,
    CacheType.Q8_0: 8,
    CacheType.Q5_1: 5,
    CacheType.Q5_0: 5,
    CacheType.Q4_1: 4,
    CacheType.Q4_0: 4,
}

VERDICT_LABELS: Final = {
    Verdict.FITS: tr_noop("Fits"),
    Verdict.PARTLY: tr_noop("Fits partly"),
    Verdict.NOT_NOW: tr_noop("Does not fit right now"),
    Verdict.TOO_LARGE: tr_noop("Does not fit this computer"),
}
VERDICT_TINTS: Final = {
    Verdict.FITS: "ok",
    Verdict.PARTLY: "warn",
    Verdict.NOT_NOW: "warn",
    Verdict.TOO_LARGE: "danger",
}


def pages_text(n_ctx: int) -> str:
    """Return about how much text a context holds: ``about 12 pages``."""
    pages = n_ctx * _WORDS_A_TOKEN / _WORDS_A_PAGE
    if pages < 1.5:
        return tr("about 1 page")
    rounded = round(pages) if pages < 20 else round(pages / 5) * 5 if pages < 200 else round(pages / 50) * 50
    return tr("about %n page|about %n pages", "", rounded)


def context_text(n_ctx: int) -> str:
    """Return a context length as text: ``8,192 tokens, about 12 pages``."""
    return tr("%n token, {pages}|%n tokens, {pages}", "", n_ctx).format(pages=pages_text(n_ctx))


def device_text(budget: DeviceBudget) -> str:
    """Return the name of a device in the window."""
    if budget.device == COMPUTER:
        return tr("RAM")
    return budget.description or budget.device


def layers_text(n_gpu_layers: int, *, n_layers: int) -> str:
    """Return a number of layers on the GPU as text. llama.cpp counts the output as one more layer."""
    if n_gpu_layers == GPU_LAYERS_ALL or n_gpu_layers > n_layers:
        return tr("all", "layers")
    if n_gpu_layers <= 0:
        return tr("none", "layers")
    return tr("{n} of {n_all}").format(n=n_gpu_layers, n_all=n_layers)


def experts_text(n_cpu_moe: int, *, n_layers: int) -> str:
    """Return, as text, for how many layers the experts are computed on the CPU."""
    if n_cpu_moe <= 0:
        return tr("none", "layers")
    if n_cpu_moe >= n_layers:
        return tr("all", "layers")
    return tr("of {n} of {n_all} layers").format(n=n_cpu_moe, n_all=n_layers)


def part_text(n_gpu_layers: int, *, n_layers: int) -> str:
    """Return roughly how much of a model is on the GPU: ``half of the layers on the GPU``."""
    if n_gpu_layers <= 0:
        return tr("no layers on the GPU")
    if n_gpu_layers == GPU_LAYERS_ALL or n_gpu_layers >= n_layers:
        return tr("all layers on the GPU")
    fraction = n_gpu_layers / max(1, n_layers)
    for share, text in (
        (0.25, tr("25% of layers on the GPU")),
        (1 / 3, tr("33% of layers on the GPU")),
        (0.5, tr("50% of layers on the GPU")),
        (0.75, tr("75% of layers on the GPU")),
    ):
        if abs(fraction - share) < 0.03:
            return text
    return tr("{n} of {n_all} layers on the GPU").format(n=n_gpu_layers, n_all=n_layers)


def change_text(plan: LoadOptions, *, before: LoadOptions, n_layers: int) -> str:
    """Return what ``plan`` changes: ``8,192 instead of 32,768 tokens, half of the layers on the GPU``."""
    parts: list[str] = []
    if plan.n_ctx != before.n_ctx:
        parts.append(
            tr("context length {fewer} instead of {more}").format(
                fewer=number(plan.n_ctx), more=number(before.n_ctx)
            )
        )
    if plan.n_gpu_layers != before.n_gpu_layers:
        parts.append(part_text(plan.n_gpu_layers, n_layers=n_layers))
    if (plan.cache_type_k, plan.cache_type_v) != (before.cache_type_k, before.cache_type_v):
        parts.append(
            tr("{bits} instead of {more} KV cache").format(
                bits=_BITS[plan.cache_type_k], more=tr(CACHE_LABELS[before.cache_type_k])
            )
        )
    if plan.n_seq_max != before.n_seq_max:
        parts.append(
            tr("1 parallel request")
            if plan.n_seq_max == 1
            else tr("%n parallel request|%n parallel requests", "", plan.n_seq_max)
        )
    if plan.projector_path is None and before.projector_path is not None:
        parts.append(tr("without vision"))
    if plan.draft_path is None and before.draft_path is not None:
        parts.append(tr("without a draft model"))
    return ", ".join(parts)


def short_verdict(plan: LoadPlan) -> str:
    """Return the verdict with the fullest device: ``Fits: 3.1 of 8.0 GB on the GPU``."""
    verdict = tr(VERDICT_LABELS[plan.verdict])
    used = [budget for budget in plan.budgets if plan.n_bytes_on(budget.device) > 0]
    if not used:
        return f"{verdict}."
    gpus = [budget for budget in used if budget.device != COMPUTER]
    budget = max(gpus or used, key=lambda budget: plan.n_bytes_on(budget.device) / max(1, budget.total_bytes))
    if budget.device == COMPUTER:
        template = tr("{verdict}: {amount} of memory")
    elif len(gpus) == 1:
        template = tr("{verdict}: {amount} on the GPU")
    else:
        template = tr("{verdict}: {amount} on {device}")
    amount = amount_text(plan.n_bytes_on(budget.device), of=budget.total_bytes)
    return template.format(verdict=verdict, amount=amount, device=device_text(budget))


def amount_text(n_bytes: int, *, of: int) -> str:
    """Return a part of a whole: ``3.1 of 8.0 GB``, with one unit where both have the same one."""
    part, whole = format_bytes(n_bytes), format_bytes(of)
    unit = whole.rsplit(" ", 1)[-1]
    return tr("{part} of {whole}").format(part=part.removesuffix(f" {unit}"), whole=whole)


def need_text(n_bytes: int, budget: DeviceBudget, *, cache_bytes: int = 0) -> str:
    """Return the memory needed on a device, and the free memory: ``Needs 3.1 GB · 8.0 GB free``.

    ``cache_bytes`` are those of the prompt cache, which takes only what is free.
    """
    if n_bytes <= 0:
        return tr("Not used")
    if cache_bytes:
        text = tr("Needs {size}, and up to {cache} for the prompt cache · {free} free")
    else:
        text = tr("Needs {size} · {free} free")
    return text.format(
        size=format_bytes(n_bytes), cache=format_bytes(cache_bytes), free=format_bytes(budget.free_bytes)
    )


def reload_text(load_s: float | None, *, keeps_states: bool) -> str:
    """Return a note that a change needs a reload, and what that means for chats."""
    chats_note = tr(CHATS_KEPT if keeps_states else CHATS_REPROCESSED)
    if load_s is None:
        return tr("Requires reload. {chats}").format(chats=chats_note)
    seconds = number(max(1, round(load_s)))
    return tr("Requires reload, about {seconds} s. {chats}").format(seconds=seconds, chats=chats_note)


class MemoryComparison(msgspec.Struct, frozen=True, kw_only=True):
    """One row of predicted and measured memory, in bytes."""

    device: str
    kind: MemoryKind
    predicted: int
    measured: int


def memory_comparisons(record: LoadRecord) -> tuple[MemoryComparison, ...]:
    """Return predicted and measured memory by device and kind, the largest first."""
    sums_by_key: dict[tuple[str, MemoryKind], list[int]] = {}
    for column, uses in enumerate((record.predicted, record.measured)):
        for use in _comparable_uses(uses):
            sums_by_key.setdefault((use.device, use.kind), [0, 0])[column] += use.n_bytes
    comparisons = [
        MemoryComparison(device=device, kind=kind, predicted=predicted, measured=measured)
        for (device, kind), (predicted, measured) in sums_by_key.items()
    ]
    return tuple(sorted(comparisons, key=lambda comparison: -max(comparison.predicted, comparison.measured)))


def measured_text(record: LoadRecord) -> str:
    """Return measured memory against the prediction: ``Uses 1.2 GB, as predicted; loaded in 3.0 s.``"""
    predicted = needed_bytes(record.predicted)
    # The program's own memory is in the prediction but not in the measurement.
    program = sum(use.n_bytes for use in record.predicted if use.kind is MemoryKind.PROGRAM)
    measured = needed_bytes(record.measured) + program
    seconds = number(record.load_s, decimals=1)
    size = format_bytes(measured)
    if not record.predicted:
        return tr("Uses {size}; loaded in {seconds} s.").format(size=size, seconds=seconds)
    difference = measured - predicted
    if abs(difference) <= max(_NEGLIGIBLE_BYTES, _NEGLIGIBLE * predicted):
        return tr("Uses {size}, as predicted; loaded in {seconds} s.").format(size=size, seconds=seconds)
    if difference > 0:
        template = tr("Uses {size}, {difference} more than predicted; loaded in {seconds} s.")
    else:
        template = tr("Uses {size}, {difference} less than predicted; loaded in {seconds} s.")
    return template.format(size=size, difference=format_bytes(abs(difference)), seconds=seconds)


def _comparable_uses(uses: Iterable[MemoryUse]) -> list[MemoryUse]:
    """Return the uses that a load can be measured by; the others vary while the model is used."""
    return [use for use in uses if use.kind not in (MemoryKind.PROGRAM, MemoryKind.STATES)]


def missing_text(plan: LoadPlan) -> str:
    """Return how much memory is missing on which device; empty where none is."""
    parts = []
    for budget in plan.budgets:
        missing_bytes = plan.n_bytes_on(budget.device) - max(0, budget.free_bytes - budget.margin_bytes)
        if missing_bytes > 0:
            template = (
                tr("{size} of memory") if budget.device == COMPUTER else tr("{size} of memory of {device}")
            )
            parts.append(template.format(size=format_bytes(missing_bytes), device=device_text(budget)))
    return tr("Missing: {parts}.").format(parts=tr(" and ").join(parts)) if parts else ""


def loading_text(state: LoadingModel) -> str:
    """Return the step of a load, and the percentage of the file read."""
    if state.waits_for is not None:
        return waiting_message(state.waits_for, model=state.waits_for_model)
    if state.is_silent:
        return tr("No progress at the moment. Wait or cancel.")
    match state.stage:
        case LoadStage.PREPARING:
            return preparing_text(state)
        case LoadStage.STARTING:
            return tr("Starting…")
        case LoadStage.READING:
            return tr("Reading model… {percent}%").format(percent=number(round(state.fraction * 100)))
        case LoadStage.ALLOCATING:
            return tr("Allocating context…")
        case LoadStage.WARMING_UP:
            return tr("Warming up…")


SMALLEST: Final = 512


def context_steps(n_ctx_max: int) -> tuple[int, ...]:
    """Return the stops for a context length of up to ``n_most`` tokens: doubling, with one in between from
    2,048."""
    max_n_ctx = max(n_ctx_max, 256)
    steps: list[int] = []
    step = SMALLEST
    while step < max_n_ctx:
        steps.append(step)
        if step >= 2048 and step * 3 // 2 < max_n_ctx:
            steps.append(step * 3 // 2)
        step *= 2
    return (*steps, max_n_ctx)
