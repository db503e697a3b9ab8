"""Load options of the draft model of speculative decoding."""

from __future__ import annotations

from typing import Final

import msgspec

from fireside.core.attention import UNQUANTIZED_CACHE_TYPES
from fireside.core.options import GPU_LAYERS_ALL, GPU_LAYERS_AUTO, FlashAttention, LoadOptions

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
