"""What follows from load options: the context and its cells, micro-batch, attention, draft model."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from fireside.core.load_sizes import (
    context_stretch,
    draft_load_options,
    effective_flash_attention,
    effective_micro_batch,
    effective_n_ctx,
    n_kv_cells,
)
from fireside.core.options import (
    GPU_LAYERS_ALL,
    CacheType,
    FlashAttention,
    LoadOptions,
    MetadataOverride,
    Purpose,
    RopeScaling,
    TensorPlacement,
)


def test_a_second_slot_adds_no_cells() -> None:
    for n_seq_max in (1, 2, 16):
        assert n_kv_cells(LoadOptions(n_seq_max=n_seq_max), n_ctx=8192) == 8192
        assert n_kv_cells(LoadOptions(n_seq_max=n_seq_max), n_ctx=131_072) == 131_072


def test_short_contexts_have_cells_for_all_slots() -> None:
    assert n_kv_cells(LoadOptions(n_seq_max=1), n_ctx=2048) == 2048
    assert n_kv_cells(LoadOptions(n_seq_max=2), n_ctx=2048) == 4096
    assert n_kv_cells(LoadOptions(n_seq_max=16), n_ctx=2048) == 8192


LONG = LoadOptions(n_ctx=131_072)
SCALED = LoadOptions(n_ctx=131_072, rope_scaling=RopeScaling.YARN)


def test_without_scaling_the_context_is_limited_to_the_trained_length() -> None:
    assert (effective_n_ctx(LONG, n_ctx_train=40_960), context_stretch(LONG, n_ctx_train=40_960)) == (
        40_960,
        1.0,
    )
    assert effective_n_ctx(LoadOptions(n_ctx=512), n_ctx_train=40_960) == 512


def test_with_scaling_the_context_is_as_requested() -> None:
    assert (effective_n_ctx(SCALED, n_ctx_train=40_960), context_stretch(SCALED, n_ctx_train=40_960)) == (
        131_072,
        3.2,
    )
    assert context_stretch(LoadOptions(n_ctx=512, rope_scaling=RopeScaling.YARN), n_ctx_train=40_960) == 1.0


def test_without_a_trained_length_the_context_is_as_requested() -> None:
    assert (effective_n_ctx(LONG, n_ctx_train=0), context_stretch(SCALED, n_ctx_train=0)) == (131_072, 1.0)


@pytest.mark.parametrize("n_gpu_layers", [1, 99, GPU_LAYERS_ALL])
def test_a_gpu_has_larger_micro_batches(n_gpu_layers: int) -> None:
    assert effective_micro_batch(LoadOptions(n_gpu_layers=n_gpu_layers)) == 512


ON_PROCESSOR = LoadOptions(n_gpu_layers=0, n_ubatch=512)


def settled(n_head: int = 9, n_ctx: int = 8192, **options: Any) -> FlashAttention:
    return effective_flash_attention(replace(ON_PROCESSOR, **options), n_head=n_head, n_ctx=n_ctx)


@pytest.mark.parametrize(
    ("options", "n_tokens"),
    [
        pytest.param({"n_gpu_layers": 0}, 256, id="a CPU has smaller ones"),
        pytest.param({"n_gpu_layers": 0, "n_ubatch": 512}, 512, id="what a user decided stays"),
        pytest.param({"n_gpu_layers": 0, "n_batch": 64}, 64, id="never more than a batch"),
        pytest.param({"n_gpu_layers": 0, "n_seq_max": 300}, 300, id="every sequence has room for a token"),
    ],
)
def test_a_cpu_has_micro_batches_of_its_own(options: dict[str, Any], n_tokens: int) -> None:
    assert effective_micro_batch(LoadOptions(**options)) == n_tokens


def test_on_the_cpu_decoding_speed_comes_first() -> None:
    assert settled() is FlashAttention.OFF


@pytest.mark.parametrize("wanted", [FlashAttention.ON, FlashAttention.OFF])
def test_what_a_user_decided_of_attention_stays(wanted: FlashAttention) -> None:
    assert settled(flash_attn=wanted) is wanted


@pytest.mark.parametrize(
    "options",
    [
        {"n_gpu_layers": 1},
        {"cache_type_v": CacheType.Q8_0},
        {"cache_type_k": CacheType.Q8_0},
        {"purpose": Purpose.EMBED},
    ],
    ids=["on a GPU", "values of few bits", "keys of few bits", "vectors"],
)
def test_where_the_fused_kernel_is_needed_or_better_llama_cpp_decides(
    options: dict[str, Any],
) -> None:
    assert (
        effective_flash_attention(replace(ON_PROCESSOR, **options), n_head=9, n_ctx=8192)
        is FlashAttention.AUTO
    )


def test_attention_scores_that_need_too_much_memory_are_avoided() -> None:
    assert settled(n_head=32, n_ctx=8192) is FlashAttention.OFF
    assert settled(n_head=32, n_ctx=8192 + 256) is FlashAttention.AUTO
    assert settled(n_head=32, n_ctx=32768, n_ubatch=128) is FlashAttention.OFF


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
