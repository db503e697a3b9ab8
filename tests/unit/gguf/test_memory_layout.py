"""The memory layout of a model from its header."""

from __future__ import annotations

import io
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fakes.gguf_files import BOOL, I32, U64, ArrayOf, GgufFile, Tensor, Typed, Value, model_metadata
from fireside.core.ids import ModelId
from fireside.core.model import ModelLayout
from fireside.gguf import model_spec, read_header_from

F32 = 4


def layout_of(
    *tensors: tuple[str, tuple[int, ...]], architecture: str = "llama", n_layers: int = 2, **more: Value
) -> ModelLayout:
    """Return the layout of a model with these tensors and properties, with ``__`` for a point."""
    named = {"block_count": n_layers, **more}
    changes = {f"{architecture}.{key.replace('__', '.')}": value for key, value in named.items()}
    metadata = model_metadata(architecture=architecture, changes=changes)
    file = GgufFile(metadata=metadata, tensors=[Tensor(name, shape) for name, shape in tensors])
    content = file.to_bytes()
    header = read_header_from(io.BytesIO(content), size_bytes=len(content), path="m.gguf")
    layout = model_spec(header, path="m.gguf", id=ModelId("m")).layout
    assert layout is not None
    return layout


def keys_and_values(n_layers: int) -> list[tuple[str, tuple[int, ...]]]:
    names = ("attn_k.weight", "attn_v.weight")
    return [(f"blk.{index}.{name}", (64, 32)) for index in range(n_layers) for name in names]


def windows(architecture: str, *, n_layers: int = 8, **more: Value) -> str:
    """Return a letter for each layer: w looks back over a window, a over all tokens, - has no cache."""
    values: dict[str, Value] = {"attention__sliding_window": 128, **more}
    layout = layout_of(*keys_and_values(n_layers), architecture=architecture, n_layers=n_layers, **values)
    return "".join("-" if not layer.k_width else "w" if layer.window else "a" for layer in layout.layers)


def test_each_tensor_counts_in_its_layer() -> None:
    layout = layout_of(
        ("token_embd.weight", (64, 100)),
        ("blk.0.ffn_up.weight", (64, 10)),
        ("blk.1.ffn_up.weight", (64, 20)),
        ("output_norm.weight", (64,)),
        ("output.weight", (64, 100)),
    )
    assert [layer.weights_bytes for layer in layout.layers] == [64 * 10 * F32, 64 * 20 * F32]
    assert (layout.input_bytes, layout.output_bytes, layout.tied_bytes) == (25600, 256 + 25600, 0)


def test_without_an_output_tensor_the_embeddings_are_tied() -> None:
    layout = layout_of(("token_embd.weight", (64, 100)), ("output_norm.weight", (64,)))
    assert (layout.input_bytes, layout.output_bytes, layout.tied_bytes) == (25600, 256, 25600)


def test_tensors_of_unknown_layers_are_counted() -> None:
    assert layout_of(("blk.7.ffn_up.weight", (64, 10)), n_layers=2).weights_bytes == 2560


def test_the_cache_width_is_that_of_the_layers_tensors() -> None:
    layout = layout_of(
        ("blk.0.attn_k.weight", (64, 48)), ("blk.0.attn_v.weight", (64, 16)), ("blk.1.ffn_up.weight", (64, 8))
    )
    assert [(layer.k_width, layer.v_width) for layer in layout.layers] == [(48, 16), (0, 0)]


def test_shared_keys_and_values_are_cached_twice() -> None:
    (layer,) = layout_of(("blk.0.attn_k.weight", (64, 48)), n_layers=1).layers
    assert (layer.k_width, layer.v_width) == (48, 48)


def test_the_heads_of_fused_tensors_are_from_the_header() -> None:
    fused = ("blk.0.attn_qkv.weight", (64, 128))
    (layer,) = layout_of(fused, n_layers=1, attention__head_count=4, attention__head_count_kv=2).layers
    assert (layer.k_width, layer.v_width) == (32, 32)
    (layer,) = layout_of(
        fused, n_layers=1, attention__head_count_kv=ArrayOf(I32, [3]), attention__key_length=10
    ).layers
    assert layer.k_width == 30


def test_latent_attention_caches_no_values() -> None:
    (layer,) = layout_of(
        ("blk.0.attn_kv_a_mqa.weight", (64, 40)),
        n_layers=1,
        architecture="deepseek2",
        attention__head_count_kv=1,
        attention__key_length=40,
        attention__value_length=32,
        attention__key_length_mla=24,
    ).layers
    assert (layer.k_width, layer.v_width) == (40, 0)


@pytest.mark.parametrize(
    ("architecture", "expected"),
    [
        ("llama", "aaaaaaaa"),
        ("gemma2", "wawawawa"),
        ("gemma3", "wwwwwaww"),
        ("cohere2", "wwwawwwa"),
        ("smallthinker", "awwwawww"),
        ("something-new", "aaaaaaaa"),
        ("gemma-embedding", "--------"),
    ],
)
def test_windowed_layers_follow_llama_cpps_code(architecture: str, expected: str) -> None:
    assert windows(architecture) == expected


def test_the_header_may_list_the_windowed_layers() -> None:
    by_layer = ArrayOf(BOOL, [True, False, True, True])
    assert windows("gemma4", n_layers=4, attention__sliding_window_pattern=by_layer) == "waww"


def test_the_header_may_have_the_period_of_full_attention() -> None:
    assert windows("gemma3", attention__sliding_window_pattern=3) == "wwawwaww"


def test_a_default_window_is_used_without_a_header_value() -> None:
    layout = layout_of(*keys_and_values(4), architecture="llama4", n_layers=4)
    assert [layer.window for layer in layout.layers] == [8192, 8192, 8192, 0]


def test_a_window_of_zero_is_no_window() -> None:
    assert windows("llama4", attention__sliding_window=0) == "aaaaaaaa"


def test_layers_with_a_shared_cache_have_none() -> None:
    assert windows("gemma4", n_layers=4, attention__shared_kv_layers=1)[-1] == "-"


def test_a_recurrent_state_depends_on_its_kind() -> None:
    layout = layout_of(
        ("blk.0.ssm_in.weight", (64, 8)),
        *keys_and_values(2)[2:],
        architecture="granitehybrid",
        ssm__conv_kernel=4,
        ssm__inner_size=128,
        ssm__state_size=16,
        ssm__group_count=1,
    )
    assert [layer.state_width for layer in layout.layers] == [3 * (128 + 2 * 16) + 16 * 128, 0]
    assert [layer.k_width for layer in layout.layers] == [0, 32]


def test_the_input_of_a_linear_layer_is_not_cached() -> None:
    (layer,) = layout_of(
        ("blk.0.attn_qkv.weight", (64, 8)), ("blk.0.ssm_out.weight", (64, 8)), n_layers=1
    ).layers
    assert (layer.k_width, layer.v_width) == (0, 0)


def test_the_feed_forward_width_includes_all_active_experts() -> None:
    layout = layout_of(
        ("output_norm.weight", (64,)),
        feed_forward_length=100,
        expert_used_count=8,
        expert_feed_forward_length=40,
    )
    assert (layout.n_ff, layout.n_experts_used) == (320, 8)


HUGE = st.integers(0, 2**64 - 1)


@given(values=st.lists(HUGE, min_size=9, max_size=9))
@example(values=[2**64 - 1] * 9)
def test_any_header_has_a_valid_layout(values: list[int]) -> None:
    names = ("attention__head_count", "attention__head_count_kv", "attention__key_length", "ssm__state_size")
    more = ("ssm__inner_size", "ssm__conv_kernel", "ssm__group_count", "expert_used_count")
    last = ("expert_feed_forward_length",)
    claims: dict[str, Any] = {
        name: Typed(U64, value) for name, value in zip((*names, *more, *last), values, strict=True)
    }
    layout = layout_of(("blk.0.attn_qkv.weight", (64, 8)), ("blk.1.ssm_in.weight", (64, 8)), **claims)
    assert msgspec.json.decode(msgspec.json.encode(layout), type=ModelLayout) == layout
    assert all(layer.k_width >= 0 and layer.state_width >= 0 for layer in layout.layers)
