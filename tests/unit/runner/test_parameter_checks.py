"""Values on which native code would abort are refused before."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from fireside.core.errors import InvalidParameter
from fireside.core.options import CacheType, FlashAttention, LoadOptions
from fireside.runner.parameter_checks import context_params, model_params


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n_ctx", 0),
        ("n_ctx", -1),
        ("n_ctx", 2**31),
        ("n_seq_max", 0),
        ("n_seq_max", 257),
        ("n_batch", 0),
        ("n_batch", 1),
        ("n_batch", 10**9),
        ("n_ubatch", -1),
        ("n_ubatch", 1),
        ("n_threads", -1),
        ("n_threads", 10**6),
    ],
)
def test_invalid_load_option_is_refused(name: str, value: Any) -> None:
    options = msgspec.structs.replace(LoadOptions(), **{name: value})
    with pytest.raises(InvalidParameter) as caught:
        context_params(options, n_ctx_train=8192)
    assert caught.value.name == name


def test_context_whose_cells_overflow_is_refused() -> None:
    with pytest.raises(InvalidParameter):
        context_params(LoadOptions(n_ctx=2**24, n_seq_max=256, n_batch=512), n_ctx_train=0)


@pytest.mark.parametrize("n_gpu_layers", [-3, 10**9])
def test_invalid_number_of_gpu_layers_is_refused(n_gpu_layers: int) -> None:
    with pytest.raises(InvalidParameter):
        model_params("model.gguf", LoadOptions(n_gpu_layers=n_gpu_layers))


def test_quantized_value_cache_needs_flash_attention() -> None:
    options = LoadOptions(flash_attn=FlashAttention.OFF, cache_type_v=CacheType.Q8_0)
    with pytest.raises(InvalidParameter) as caught:
        context_params(options, n_ctx_train=8192)
    assert caught.value.name == "cache_type_v"


def test_context_is_never_longer_than_trained() -> None:
    assert context_params(LoadOptions(n_ctx=32768), n_ctx_train=8192).n_ctx == 8192


def test_micro_batch_is_never_larger_than_the_batch() -> None:
    assert context_params(LoadOptions(n_batch=128, n_ubatch=512), n_ctx_train=8192).n_ubatch == 128


def test_default_threads_are_at_least_one() -> None:
    assert context_params(LoadOptions(n_threads=0), n_ctx_train=8192).n_threads >= 1
