"""Context length of a load, and its ratio to the trained length."""

from __future__ import annotations

import msgspec

from fireside.core.options import AutoAdjustable, LoadOptions, RopeScaling


def effective_n_ctx(options: LoadOptions, *, n_ctx_train: int) -> int:
    """Return the context of one sequence: as requested, but at most the trained length without RoPE scaling.

    Args:
        n_ctx_train: trained context length; 0 if unknown.
    """
    if n_ctx_train <= 0 or options.rope_scaling is not RopeScaling.MODEL:
        return options.n_ctx
    return min(options.n_ctx, n_ctx_train)


def with_larger_context(options: LoadOptions, n_ctx: int) -> LoadOptions:
    """Return ``options`` with a context of ``n_ctx`` tokens, which a load plan may reduce; unchanged if that
    is not larger."""
    if n_ctx <= options.n_ctx:
        return options
    adjustable = dict.fromkeys((*options.auto_adjustable, AutoAdjustable.CONTEXT))
    return msgspec.structs.replace(options, n_ctx=n_ctx, auto_adjustable=tuple(adjustable))


def context_stretch(options: LoadOptions, *, n_ctx_train: int) -> float:
    """Return the ratio of the context to the trained length, at least 1."""
    n_ctx = effective_n_ctx(options, n_ctx_train=n_ctx_train)
    return max(1.0, n_ctx / n_ctx_train) if n_ctx_train > 0 else 1.0
