"""Options with less memory than those of a failed load: pure."""

from __future__ import annotations

import msgspec

from fireside.core.options import GPU_LAYERS_AUTO, LoadOptions
from fireside.engine.planning.auto_fit import (
    CONTEXT_GRAIN,
    SMALLEST_CONTEXT,
    can_quantize_cache,
    with_quantized_cache,
)


def smaller_options(placed: LoadOptions) -> LoadOptions | None:
    """Return options to offer the user instead of ``placed``, without automatic values; ``None`` if none.

    Half the layers on the GPU; without any there, an 8-bit KV cache, then half the context. It may change
    what the user set, so it is only offered.
    """
    if placed.n_gpu_layers > 0:
        return msgspec.structs.replace(placed, n_gpu_layers=placed.n_gpu_layers // 2)
    if can_quantize_cache(placed):
        return with_quantized_cache(placed)
    half = max(SMALLEST_CONTEXT, placed.n_ctx // 2 // CONTEXT_GRAIN * CONTEXT_GRAIN)
    return msgspec.structs.replace(placed, n_ctx=half) if half < placed.n_ctx else None


def smaller_layers(requested: LoadOptions, *, placed: LoadOptions) -> tuple[LoadOptions, ...]:
    """Return what to try automatically, in turn, after ``placed`` did not fit: half the layers, then none.

    Empty if the user set the layers, or none was on a GPU.
    """
    if requested.n_gpu_layers != GPU_LAYERS_AUTO or placed.n_gpu_layers <= 0:
        return ()
    layer_counts = sorted({placed.n_gpu_layers // 2, 0}, reverse=True)
    return tuple(msgspec.structs.replace(placed, n_gpu_layers=n) for n in layer_counts)
