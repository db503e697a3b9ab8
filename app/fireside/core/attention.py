"""Choose flash attention or not for a load that leaves it to ``AUTO``."""

from __future__ import annotations

from typing import Final

from fireside.core.micro_batch import effective_micro_batch
from fireside.core.options import CacheType, FlashAttention, LoadOptions, Purpose

UNQUANTIZED_CACHE_TYPES: Final = (CacheType.F16, CacheType.BF16, CacheType.F32)
"""Quantized cache types need flash attention for the values."""
MAX_SCORE_BYTES: Final = 512 << 20
"""Most memory for the attention scores of a micro-batch, which are held in full without flash attention."""
_FLOAT_BYTES: Final = 4


def effective_flash_attention(options: LoadOptions, *, n_head: int, n_ctx: int) -> FlashAttention:
    """Return ``options.flash_attn``, or ``OFF`` where that is faster than what llama.cpp picks for ``AUTO``.

    On the CPU llama.cpp's fused kernel is optimised for long batches and slow for few tokens: with
    5,000 tokens of context and heads of 64, one token took 141 ms with it and 45 ms without, while a prompt
    was read 20 % faster. Most of the time that a user waits is decoding.

    Args:
        n_head: query heads of a layer.
        n_ctx: context of one sequence, in tokens.
    """
    is_open = options.flash_attn is FlashAttention.AUTO and options.purpose is Purpose.GENERATE
    is_plain = (
        options.cache_type_v in UNQUANTIZED_CACHE_TYPES and options.cache_type_k in UNQUANTIZED_CACHE_TYPES
    )
    if not (is_open and is_plain and options.n_gpu_layers == 0):
        return options.flash_attn
    if _FLOAT_BYTES * n_head * effective_micro_batch(options) * n_ctx > MAX_SCORE_BYTES:
        return options.flash_attn
    return FlashAttention.OFF
