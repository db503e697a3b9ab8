"""Say in one sentence how a model would be loaded, and what was given up for it: pure."""

from __future__ import annotations

from collections.abc import Sequence

from fireside.core.errors import format_bytes
from fireside.core.model import ModelSpec
from fireside.core.options import GPU_LAYERS_AUTO, LoadOptions
from fireside.core.plan import DeviceRoom, Verdict
from fireside.engine.fitting import SMALLEST_CONTEXT, Fitted
from fireside.engine.memory import layout_of, n_ctx_for
from fireside.engine.uses import HOST, bytes_by_device


def verdict_of(spec: ModelSpec, found: Fitted, *, rooms: Sequence[DeviceRoom]) -> Verdict:
    """Return whether it fits; partly is what leaves something to the processor though there is a GPU."""
    if not found.fits:
        return Verdict.TOO_LARGE
    n_all = len(layout_of(spec).layers) + 1
    is_whole = found.options.n_gpu_layers >= n_all and not _n_left_behind(spec, found.options)
    return Verdict.FITS if len(rooms) == 1 or is_whole else Verdict.PARTLY


def plan_words(spec: ModelSpec, wanted: LoadOptions, found: Fitted, *, rooms: Sequence[DeviceRoom]) -> str:
    """Return the sentence."""
    if not found.fits:
        return _too_large(wanted, found, rooms=rooms)
    parts = [_where(spec, wanted, found.options, rooms=rooms), *_given_up(spec, wanted, found.options)]
    return f"{'; '.join(parts)}."


def _where(spec: ModelSpec, wanted: LoadOptions, options: LoadOptions, *, rooms: Sequence[DeviceRoom]) -> str:
    gpus = rooms[1:]
    if not gpus:
        return "Runs on the processor, in the memory that is free"
    name = gpus[0].description or gpus[0].device if len(gpus) == 1 else f"{len(gpus)} graphics cards"
    verb = "has" if len(gpus) == 1 else "have"
    n_all = len(layout_of(spec).layers) + 1
    why = f", since {name} {verb} no room for more" if wanted.n_gpu_layers == GPU_LAYERS_AUTO else ""
    if options.n_gpu_layers <= 0:
        if wanted.n_gpu_layers == 0:
            return "Runs on the processor, as was chosen"
        return f"Runs on the processor, since {name} {verb} no room for a layer of it"
    if options.n_gpu_layers < n_all:
        return f"{options.n_gpu_layers} of {n_all} layers run on {name}, the others on the processor{why}"
    n_behind = _n_left_behind(spec, options)
    if n_behind:
        return (
            f"Runs on {name}, with the experts of {n_behind} of {n_all - 1} layers on the processor"
            f"{why if wanted.n_cpu_moe < 0 else ''}"
        )
    return f"Runs wholly on {name}"


def _given_up(spec: ModelSpec, wanted: LoadOptions, options: LoadOptions) -> list[str]:
    given_up = []
    if options.cache_type_k != wanted.cache_type_k or options.cache_type_v != wanted.cache_type_v:
        given_up.append("to fit, its context is kept in 8-bit numbers")
    n_wanted = n_ctx_for(spec, wanted)
    if options.n_ctx < n_wanted:
        given_up.append(f"to fit, its context has {options.n_ctx:,} tokens and not {n_wanted:,}")
    return given_up


def _too_large(wanted: LoadOptions, found: Fitted, *, rooms: Sequence[DeviceRoom]) -> str:
    sums = bytes_by_device(found.uses)
    lacking = next((room for room in rooms[1:] if sums.get(room.device, 0) > room.usable_bytes), None)
    if lacking is not None:
        return (
            f"Does not fit: it takes {format_bytes(sums[lacking.device])} on "
            f"{lacking.description or lacking.device}, and {format_bytes(lacking.usable_bytes)} can be used."
        )
    shared = sum(sums.get(room.device, 0) for room in rooms[1:] if room.shares_memory)
    at_least = (
        f" even with a context of {SMALLEST_CONTEXT:,} tokens"
        if wanted.gives_way and found.options.n_ctx == SMALLEST_CONTEXT
        else ""
    )
    return (
        f"Does not fit: it takes {format_bytes(sums.get(HOST, 0) + shared)} of memory{at_least}, "
        f"and {format_bytes(rooms[0].usable_bytes)} can be used."
    )


def _n_left_behind(spec: ModelSpec, options: LoadOptions) -> int:
    layers = layout_of(spec).layers
    return sum(1 for layer in layers[: max(0, options.n_cpu_moe)] if layer.expert_bytes)
