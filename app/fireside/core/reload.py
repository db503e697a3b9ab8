"""Finds the load options for which a loaded model must be reloaded."""

from __future__ import annotations

from typing import Final

import msgspec

from fireside.core.load_sizes import effective_micro_batch, effective_n_ctx
from fireside.core.model import ModelSpec
from fireside.core.options import AutoAdjustable, LoadOptions, Speculation

_ADJUSTABLE: Final = {
    "n_seq_max": AutoAdjustable.SLOTS,
    "n_ctx": AutoAdjustable.CONTEXT,
    "cache_type_k": AutoAdjustable.CACHE_TYPE,
    "cache_type_v": AutoAdjustable.CACHE_TYPE,
}
_IGNORED: Final = ("auto_adjustable",)


def fields_to_reload(
    spec: ModelSpec, wanted: LoadOptions, *, requested: LoadOptions, resolved: LoadOptions | None
) -> frozenset[str]:
    """Return the names of the options for which ``wanted`` needs a reload.

    An option needs none if it equals the one that the load requested or resulted in. So setting the value
    that Fireside chose, or returning to automatic with the same result, needs no reload.

    Args:
        wanted: the new options.
        requested: the options that the load was requested with.
        resolved: the options that the load resulted in, without automatic values; ``None`` if unknown.
    """
    wanted, requested = _with_effective_context(spec, wanted), _with_effective_context(spec, requested)
    if wanted == requested:
        return frozenset()
    names = (name for name in LoadOptions.__struct_fields__ if name not in _IGNORED)
    if resolved is None:
        return frozenset(name for name in names if not _is_same_request(name, wanted, requested))
    new = _resolve_auto(spec, wanted, resolved=resolved)
    current = _resolve_auto(spec, resolved, resolved=resolved)
    return frozenset(
        name
        for name in names
        if getattr(new, name) != getattr(current, name) and not _is_same_request(name, wanted, requested)
    )


def _is_same_request(name: str, wanted: LoadOptions, requested: LoadOptions) -> bool:
    adjustable = _ADJUSTABLE.get(name)
    # An adjustable option may have been reduced, which is not enough if the user sets the same value.
    is_stricter = (
        adjustable is not None
        and adjustable in requested.auto_adjustable
        and adjustable not in wanted.auto_adjustable
    )
    return getattr(wanted, name) == getattr(requested, name) and not is_stricter


def _with_effective_context(spec: ModelSpec, options: LoadOptions) -> LoadOptions:
    """Return ``options`` with the context length that a load would have."""
    return msgspec.structs.replace(options, n_ctx=effective_n_ctx(options, n_ctx_train=spec.n_ctx_train))


def _resolve_auto(spec: ModelSpec, options: LoadOptions, *, resolved: LoadOptions) -> LoadOptions:
    """Return ``options`` without automatic values, with the micro-batch for the resolved placement."""
    n_all = spec.n_layers + 1
    n_gpu_layers = min(options.n_gpu_layers, n_all) if options.n_gpu_layers >= 0 else n_all
    placed = msgspec.structs.replace(options, n_gpu_layers=resolved.n_gpu_layers)
    if options.speculation is Speculation.AUTO:
        options = msgspec.structs.replace(
            options, speculation=resolved.speculation, draft_path=resolved.draft_path
        )
    return msgspec.structs.replace(
        options,
        n_gpu_layers=n_gpu_layers,
        n_cpu_moe=max(0, options.n_cpu_moe),
        n_ubatch=effective_micro_batch(placed),
    )
