"""Which way of computing attention suits a load that leaves it open."""

from __future__ import annotations

from typing import Final

from fireside.core.micro_batch import effective_micro_batch
from fireside.core.options import CacheType, FlashAttention, LoadOptions, Purpose

UNQUANTIZED_CACHE_TYPES: Final = (CacheType.F16, CacheType.BF16, CacheType.F32)
"""The others need flash attention for the values."""
MAX_SCORE_BYTES: Final = 512 << 20
"""Without flash attention the scores of a micro-batch stand in memory; more than this is too much."""
_FLOAT_BYTES: Final = 4


def effective_flash_attention(options: LoadOptions, *, n_head: int, n_ctx: int) -> FlashAttention:
    """Return ``options.flash_attn``, or ``OFF`` where ``AUTO`` is better answered here than by llama.cpp.

    On the processor llama.cpp's fused kernel is made for long batches and computes few tokens slowly: with
    5,000 tokens of context and heads of 64, one token took 141 ms with it and 45 ms without, while a prompt
    was read 20 % faster. Waiting for tokens takes most of a user's time.

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
