"""Options with less memory than those of a failed load: pure."""

from __future__ import annotations

from typing import Final

import msgspec

from fireside.core.attention import UNQUANTIZED_CACHE_TYPES
from fireside.core.options import GPU_LAYERS_AUTO, CacheType, FlashAttention, LoadOptions
from fireside.engine.planning.auto_fit import SMALLEST_CONTEXT

_GRAIN: Final = 256


def smaller_options(placed: LoadOptions) -> LoadOptions | None:
    """Return options to offer the user instead of ``placed``, without automatic values; ``None`` if none.

    Half the layers on the GPU; without any there, an 8-bit KV cache, then half the context. It may change
    what the user set, so it is only offered.
    """
    if placed.n_gpu_layers > 0:
        return msgspec.structs.replace(placed, n_gpu_layers=placed.n_gpu_layers // 2)
    is_plain = (
        placed.cache_type_k in UNQUANTIZED_CACHE_TYPES and placed.cache_type_v in UNQUANTIZED_CACHE_TYPES
    )
    if is_plain and placed.flash_attn is not FlashAttention.OFF:
        return msgspec.structs.replace(placed, cache_type_k=CacheType.Q8_0, cache_type_v=CacheType.Q8_0)
    half = max(SMALLEST_CONTEXT, placed.n_ctx // 2 // _GRAIN * _GRAIN)
    return msgspec.structs.replace(placed, n_ctx=half) if half < placed.n_ctx else None


def smaller_layers(requested: LoadOptions, *, placed: LoadOptions) -> tuple[LoadOptions, ...]:
    """Return what to try automatically, in turn, after ``placed`` did not fit: half the layers, then none.

    Empty if the user set the layers, or none was on a GPU.
    """
    if requested.n_gpu_layers != GPU_LAYERS_AUTO or placed.n_gpu_layers <= 0:
        return ()
    numbers = sorted({placed.n_gpu_layers // 2, 0}, reverse=True)
    return tuple(msgspec.structs.replace(placed, n_gpu_layers=number) for number in numbers)
