"""The choice between flash attention and plain attention for ``FlashAttention.AUTO``."""

from __future__ import annotations

from typing import Final

from fireside.core.micro_batch import effective_micro_batch
from fireside.core.options import CacheType, FlashAttention, LoadOptions, Purpose

UNQUANTIZED_CACHE_TYPES: Final = (CacheType.F16, CacheType.BF16, CacheType.F32)
"""Other cache types need flash attention for the values."""
MAX_SCORE_BYTES: Final = 512 << 20
"""Memory for the attention scores of a micro-batch, which are stored in full without flash attention."""
_FLOAT_BYTES: Final = 4


def effective_flash_attention(options: LoadOptions, *, n_head: int, n_ctx: int) -> FlashAttention:
    """Return ``options.flash_attn``, or ``OFF`` if that is faster than llama.cpp's choice for ``AUTO``.

    On the CPU, llama.cpp's fused kernel is fast for long batches and slow for few tokens: with 5,000 tokens
    of context and a head size of 64, decoding one token took 141 ms with it and 45 ms without, while prompts
    were read 20 % faster. Users wait mostly for decoding.

    Args:
        n_head: query heads per layer.
        n_ctx: context of one sequence, in tokens.
    """
    is_auto = options.flash_attn is FlashAttention.AUTO and options.purpose is Purpose.GENERATE
    is_unquantized = (
        options.cache_type_v in UNQUANTIZED_CACHE_TYPES and options.cache_type_k in UNQUANTIZED_CACHE_TYPES
    )
    if not (is_auto and is_unquantized and options.n_gpu_layers == 0):
        return options.flash_attn
    if _FLOAT_BYTES * n_head * effective_micro_batch(options) * n_ctx > MAX_SCORE_BYTES:
        return options.flash_attn
    return FlashAttention.OFF
