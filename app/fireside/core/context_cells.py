"""Size of the KV cache that all slots of a runner share."""

from __future__ import annotations

from typing import Final

from fireside.core.options import LoadOptions

_FOR_ALL: Final = 8192
"""As long as contexts are short, each slot has its own room up to so many tokens together."""


def n_kv_cells(options: LoadOptions, *, n_ctx: int) -> int:
    """Return the tokens of all slots together: one context's worth, or more where contexts are short.

    A second answer uses what the first one leaves; memory that only two long conversations at once would need
    is not taken.

    Args:
        n_ctx: the most tokens of one slot.
    """
    return max(n_ctx, min(n_ctx * options.n_seq_max, _FOR_ALL))
