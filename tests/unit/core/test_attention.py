"""When a load that leaves attention open is computed without the fused kernel."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from fireside.core.attention import effective_flash_attention
from fireside.core.options import CacheType, FlashAttention, LoadOptions, Purpose

ON_PROCESSOR = LoadOptions(n_gpu_layers=0, n_ubatch=512)


def settled(n_head: int = 9, n_ctx: int = 8192, **options: Any) -> FlashAttention:
    return effective_flash_attention(replace(ON_PROCESSOR, **options), n_head=n_head, n_ctx=n_ctx)


def test_on_the_cpu_decoding_speed_comes_first() -> None:
    assert settled() is FlashAttention.OFF


@pytest.mark.parametrize("wanted", [FlashAttention.ON, FlashAttention.OFF])
def test_what_a_user_decided_stays(wanted: FlashAttention) -> None:
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
