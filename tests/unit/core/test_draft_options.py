"""What a draft model takes from the options of the large one."""

from __future__ import annotations

from fireside.core.draft_options import draft_load_options
from fireside.core.options import (
    GPU_LAYERS_ALL,
    CacheType,
    FlashAttention,
    LoadOptions,
    MetadataOverride,
    TensorPlacement,
)

LARGE = LoadOptions(n_ctx=4096, n_gpu_layers=7, n_threads=6, n_threads_batch=8, cache_type_k=CacheType.BF16)


def test_a_draft_model_is_loaded_like_the_large_one() -> None:
    assert draft_load_options(LARGE) == LARGE


def test_options_for_named_tensors_are_left_out() -> None:
    place, override = TensorPlacement(pattern="ffn", device="CPU"), MetadataOverride(key="llama.x", value=1)
    assert (
        draft_load_options(LoadOptions(tensor_places=(place,), metadata_overrides=(override,)))
        == LoadOptions()
    )


def test_the_draft_models_own_options_take_precedence() -> None:
    small = draft_load_options(
        LoadOptions(
            draft_n_ctx=512, draft_n_gpu_layers=0, draft_n_threads=2, draft_cache_type_k=CacheType.Q8_0
        )
    )
    assert (small.n_ctx, small.n_gpu_layers, small.n_threads, small.n_threads_batch) == (512, 0, 2, 0)
    assert (small.cache_type_k, small.cache_type_v) == (CacheType.Q8_0, CacheType.F16)


def test_all_layers_on_the_gpu_is_a_number_for_every_model() -> None:
    assert (
        draft_load_options(LoadOptions(n_gpu_layers=0, draft_n_gpu_layers=GPU_LAYERS_ALL)).n_gpu_layers > 512
    )


def test_a_quantized_v_cache_gets_flash_attention() -> None:
    large = LoadOptions(flash_attn=FlashAttention.OFF, draft_cache_type_v=CacheType.Q4_0)
    assert draft_load_options(large).flash_attn is FlashAttention.AUTO
    plain = LoadOptions(flash_attn=FlashAttention.OFF)
    assert draft_load_options(plain).flash_attn is FlashAttention.OFF
