"""Context length of a load, and its ratio to the trained length."""

from __future__ import annotations

from fireside.core.options import LoadOptions, RopeScaling


def effective_n_ctx(options: LoadOptions, *, n_ctx_train: int) -> int:
    """Return the context of one sequence: as requested, but at most the trained length without RoPE scaling.

    Args:
        n_ctx_train: trained context length; 0 if unknown.
    """
    if n_ctx_train <= 0 or options.rope_scaling is not RopeScaling.MODEL:
        return options.n_ctx
    return min(options.n_ctx, n_ctx_train)


def context_stretch(options: LoadOptions, *, n_ctx_train: int) -> float:
    """Return the ratio of the context to the trained length, at least 1."""
    n_ctx = effective_n_ctx(options, n_ctx_train=n_ctx_train)
    return max(1.0, n_ctx / n_ctx_train) if n_ctx_train > 0 else 1.0
