"""What follows from load options: the context and its cells, micro-batch, attention, draft model."""

from __future__ import annotations

from typing import Final

import msgspec

from fireside.core.options import (
    GPU_LAYERS_ALL,
    GPU_LAYERS_AUTO,
    AutoAdjustable,
    CacheType,
    FlashAttention,
    LoadOptions,
    Purpose,
    RopeScaling,
    Speculation,
)

_MAX_FULL_CELLS: Final = 8192
"""Up to this total, every slot gets cells for its full context."""


def n_kv_cells(options: LoadOptions, *, n_ctx: int) -> int:
    """Return the cells of all slots together: one context, or more if contexts are short.

    Parallel answers share these cells. No memory is reserved for several long conversations at once.

    Args:
        n_ctx: the maximum tokens of one slot.
    """
    return max(n_ctx, min(n_ctx * options.n_seq_max, _MAX_FULL_CELLS))


_MICRO_BATCH_ON_CPU: Final = 256
_MICRO_BATCH_WITH_GPU: Final = 512
_MIN_OUTPUTS: Final = 16
"""An existing answer is scored in batches of at least this many tokens."""


def effective_micro_batch(options: LoadOptions) -> int:
    """Return the requested size, or one that suits the device of the layers; at most the batch size.

    The compute buffer grows with it: 32 MiB for Gemma 3 270M and 46 MiB for SmolLM2 135M with 512 tokens and
    8 slots of 2,048, half of that with 256. On a CPU, prompts are processed no slower with 256.
    """
    default = _MICRO_BATCH_ON_CPU if options.n_gpu_layers == 0 else _MICRO_BATCH_WITH_GPU
    return min(options.n_ubatch or max(default, options.n_seq_max), options.n_batch)


_MAX_BY_HEADS: Final = 3
"""A head was trained for one token and guesses the next ones less well; and for each drafted token a hybrid
model keeps a copy of its state, which can take a gigabyte."""


def max_drafted(options: LoadOptions) -> int:
    """Return the most tokens that are drafted for one sequence in a step; 0 without speculation."""
    match options.speculation:
        case Speculation.OFF | Speculation.AUTO:
            return 0
        case Speculation.MTP:
            return min(options.n_draft, _MAX_BY_HEADS)
        case _:
            return options.n_draft


def max_outputs(*, n_seq_max: int, n_draft: int, n_batch: int) -> int:
    """Return the maximum number of tokens with logits per step; each takes a float per vocabulary entry.

    ``n_draft`` is the number of speculated tokens; 0 without speculation.
    """
    return min(max(n_seq_max * (1 + n_draft), _MIN_OUTPUTS), n_batch)


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


_ALL_LAYERS: Final = 999


def draft_load_options(options: LoadOptions) -> LoadOptions:
    """Return the draft model's load options: its own, and the main model's except those for named tensors."""
    cache_type_v = options.draft_cache_type_v or options.cache_type_v
    needs_flash = cache_type_v not in UNQUANTIZED_CACHE_TYPES and options.flash_attn is FlashAttention.OFF
    n_gpu_layers = {GPU_LAYERS_AUTO: options.n_gpu_layers, GPU_LAYERS_ALL: _ALL_LAYERS}
    return msgspec.structs.replace(
        options,
        n_ctx=options.draft_n_ctx or options.n_ctx,
        n_gpu_layers=n_gpu_layers.get(options.draft_n_gpu_layers, options.draft_n_gpu_layers),
        n_threads=options.draft_n_threads or options.n_threads,
        n_threads_batch=0 if options.draft_n_threads else options.n_threads_batch,
        cache_type_k=options.draft_cache_type_k or options.cache_type_k,
        cache_type_v=cache_type_v,
        flash_attn=FlashAttention.AUTO if needs_flash else options.flash_attn,
        tensor_places=(),
        metadata_overrides=(),
    )
