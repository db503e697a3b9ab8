"""The size of the KV cache that the slots of a runner share."""

from __future__ import annotations

from typing import Final

from fireside.core.options import LoadOptions

_MAX_FULL_CELLS: Final = 8192
"""Up to this total, every slot gets cells for its full context."""


def n_kv_cells(options: LoadOptions, *, n_ctx: int) -> int:
    """Return the cells of all slots together: one context, or more if contexts are short.

    Parallel answers share these cells. No memory is reserved for several long conversations at once.

    Args:
        n_ctx: the maximum tokens of one slot.
    """
    return max(n_ctx, min(n_ctx * options.n_seq_max, _MAX_FULL_CELLS))
