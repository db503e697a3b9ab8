"""The candidate settings of each tuning step. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from fireside.core.load_sizes import UNQUANTIZED_CACHE_TYPES
from fireside.core.options import (
    GPU_LAYERS_ALL,
    CacheType,
    FlashAttention,
    LoadOptions,
    SettingValue,
    Speculation,
)
from fireside.core.tuning import TuningStep

STEPS: Final = (
    TuningStep.THREADS,
    TuningStep.ATTENTION,
    TuningStep.BATCH,
    TuningStep.CACHE,
    TuningStep.PLACING,
    TuningStep.GUESSING,
    TuningStep.WAITING,
)
"""The most effective first, since the time may run out."""

QUICK_STEPS: Final = (TuningStep.THREADS, TuningStep.ATTENTION, TuningStep.BATCH, TuningStep.PLACING)

_MICRO_BATCHES: Final = (128, 256, 512, 1024)
_SPIN_COUNTS: Final = (0, 100_000)
_SPECULATION_MIN_GAIN: Final = 0.1
"""The gain of speculation depends on the text, so it must be larger than that of other settings."""


class Machine(msgspec.Struct, frozen=True, kw_only=True):
    """The computer and the model, as far as trials depend on them."""

    n_cores: int
    """Physical cores that may be used."""
    n_logical: int
    n_layers: int
    has_gpu: bool = False
    has_experts: bool = False
    has_draft: bool = False
    """Whether the user chose a draft model, used or not."""
    has_heads: bool = False
    """Whether the model has heads of its own that draft."""
    n_prompt: int = 512
    """Prompt tokens of a round: larger batches make no difference."""
    can_spin: bool = False
    """Whether the spin count of waiting threads can be set, as with GNU's OpenMP."""


class TrialCandidate(msgspec.Struct, frozen=True, kw_only=True):
    """Settings to try on top of the best so far."""

    step: TuningStep
    changes: dict[str, SettingValue]
    is_offered_only: bool = False
    """It is measured and never chosen, since answers could get worse."""
    min_gain: float | None = None
    """Overrides ``significance.MIN_GAIN``."""


def candidates(step: TuningStep, *, best: LoadOptions, machine: Machine) -> tuple[TrialCandidate, ...]:
    """Return what to try in this step; ``best`` are the best options so far, without automatic values."""
    match step:
        case TuningStep.THREADS:
            return _threads(best, machine)
        case TuningStep.ATTENTION:
            return _attention(best)
        case TuningStep.BATCH:
            return _batches(best, machine)
        case TuningStep.CACHE:
            return _caches(best)
        case TuningStep.PLACING:
            return _placements(best, machine)
        case TuningStep.GUESSING:
            return _speculations(best, machine)
        case TuningStep.WAITING:
            return _spin_counts(best, machine)
        case TuningStep.START:
            return ()


def _of(step: TuningStep, key: str, values: Iterable[SettingValue]) -> tuple[TrialCandidate, ...]:
    return tuple(TrialCandidate(step=step, changes={key: value}) for value in values)


def _threads(best: LoadOptions, machine: Machine) -> tuple[TrialCandidate, ...]:
    usual = machine.n_cores
    counts_to_try = (usual, usual - 1, usual // 2, machine.n_logical)
    now = best.n_threads or usual
    counts = dict.fromkeys(n for n in counts_to_try if n >= 1 and n != now)
    # Prefill is bound by computation, for which two threads per core, and slow cores, may still help.
    more = (machine.n_logical,) if machine.n_logical > max(now, best.n_threads_batch) else ()
    return (
        *_of(TuningStep.THREADS, "load.n_threads", counts),
        *_of(TuningStep.THREADS, "load.n_threads_batch", more),
    )


def _attention(best: LoadOptions) -> tuple[TrialCandidate, ...]:
    can_do_without = best.cache_type_v in UNQUANTIZED_CACHE_TYPES
    others = (FlashAttention.ON, FlashAttention.OFF) if can_do_without else (FlashAttention.ON,)
    values = (each.value for each in others if each is not best.flash_attn)
    return _of(TuningStep.ATTENTION, "load.flash_attn", values)


def _batches(best: LoadOptions, machine: Machine) -> tuple[TrialCandidate, ...]:
    now = best.n_ubatch
    most = _MICRO_BATCHES if machine.has_gpu else _MICRO_BATCHES[:-1]
    sizes = [n for n in most if n != now and best.n_seq_max <= n <= max(machine.n_prompt, _MICRO_BATCHES[0])]
    return tuple(
        TrialCandidate(
            step=TuningStep.BATCH, changes={"load.n_ubatch": n, "load.n_batch": max(best.n_batch, n)}
        )
        for n in sizes
    )


def _caches(best: LoadOptions) -> tuple[TrialCandidate, ...]:
    if best.cache_type_k is CacheType.Q8_0 and best.cache_type_v is CacheType.Q8_0:
        return ()
    changes: dict[str, SettingValue] = {
        "load.cache_type_k": CacheType.Q8_0.value,
        "load.cache_type_v": CacheType.Q8_0.value,
        # A quantized V cache needs it.
        "load.flash_attn": FlashAttention.ON.value,
    }
    return (TrialCandidate(step=TuningStep.CACHE, changes=changes, is_offered_only=True),)


def _placements(best: LoadOptions, machine: Machine) -> tuple[TrialCandidate, ...]:
    if not machine.has_gpu:
        return ()
    now = best.n_gpu_layers
    is_whole = now in (GPU_LAYERS_ALL, -1) or now > machine.n_layers
    layers = [0] if is_whole else [GPU_LAYERS_ALL, max(0, now - max(1, machine.n_layers // 8)), 0]
    by_layers = _of(TuningStep.PLACING, "load.n_gpu_layers", dict.fromkeys(n for n in layers if n != now))
    if not machine.has_experts or now == 0:
        return by_layers
    step = max(1, machine.n_layers // 8)
    on_cpu = max(0, best.n_cpu_moe)
    counts = (max(0, on_cpu - step), min(machine.n_layers, on_cpu + step), machine.n_layers)
    experts = dict.fromkeys(n for n in counts if n != on_cpu)
    return (*by_layers, *_of(TuningStep.PLACING, "load.n_cpu_moe", experts))


def _speculations(best: LoadOptions, machine: Machine) -> tuple[TrialCandidate, ...]:
    kinds = [Speculation.OFF, Speculation.PROMPT_LOOKUP]
    if machine.has_draft:
        kinds.append(Speculation.DRAFT_MODEL)
    if machine.has_heads:
        kinds.append(Speculation.AUTO)
    current = best.speculation
    if current in (Speculation.AUTO, Speculation.MTP):
        current = Speculation.AUTO if machine.has_heads else Speculation.OFF
    return tuple(
        TrialCandidate(
            step=TuningStep.GUESSING,
            changes={"load.speculation": kind.value},
            min_gain=_SPECULATION_MIN_GAIN if kind is not Speculation.OFF else None,
        )
        for kind in kinds
        if kind is not current
    )


def _spin_counts(best: LoadOptions, machine: Machine) -> tuple[TrialCandidate, ...]:
    counts = (n for n in _SPIN_COUNTS if n != best.spin_count) if machine.can_spin else ()
    return _of(TuningStep.WAITING, "load.spin_count", counts)
