"""How long a context may be, and how positions are scaled for one that is longer than was trained."""

from __future__ import annotations

from fireside.core.options import LoadOptions, RopeScaling


def effective_n_ctx(options: LoadOptions, *, n_ctx_train: int) -> int:
    """Return the context of one sequence: what is asked, above what was trained only where positions scale.

    Args:
        n_ctx_train: 0 where that is not known.
    """
    if n_ctx_train <= 0 or options.rope_scaling is not RopeScaling.MODEL:
        return options.n_ctx
    return min(options.n_ctx, n_ctx_train)


def context_stretch(options: LoadOptions, *, n_ctx_train: int) -> float:
    """Return how many times longer than trained the context is; 1 where it is no longer."""
    n_ctx = effective_n_ctx(options, n_ctx_train=n_ctx_train)
    return max(1.0, n_ctx / n_ctx_train) if n_ctx_train > 0 else 1.0
