"""The memory of a load, by device."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.engine_harness import GIB, a_spec
from fireside.core.model import LayerLayout, ModelLayout, ModelSpec
from fireside.core.options import (
    GPU_LAYERS_ALL,
    CacheType,
    FlashAttention,
    LoadOptions,
    LoraAdapter,
    RopeScaling,
    Speculation,
)
from fireside.core.status import Device, DeviceKind
from fireside.engine.planning.auxiliary_models import AuxiliaryModels, auxiliary_bytes, read_auxiliary
from fireside.engine.planning.memory_estimate import PROCESS_BYTES, MemoryNeed, gpus_among, predict

PLAIN = LayerLayout(weights_bytes=1000, k_width=192, v_width=128)


def a_gpu(*, free_bytes: int = 8 * GIB, kind: DeviceKind = DeviceKind.GPU) -> Device:
    return Device(
        name="GPU", description="", kind=kind, free_bytes=free_bytes, total_bytes=8 * GIB, backend="test"
    )


def spec_with(*layers: LayerLayout, tied_bytes: int = 0) -> ModelSpec:
    layout = ModelLayout(
        layers=layers, input_bytes=500, output_bytes=70, tied_bytes=tied_bytes, n_head=9, n_ff=64
    )
    return msgspec.structs.replace(a_spec(), n_layers=len(layers), layout=layout)


def need(spec: ModelSpec, *gpus: Device, **changes: object) -> MemoryNeed:
    values = {"n_ctx": 1000, "n_seq_max": 2, "n_gpu_layers": 0, "n_ubatch": 512, **changes}
    return predict(spec, LoadOptions(**values), gpus=gpus)  # type: ignore[arg-type]


def test_without_a_gpu_everything_is_in_ram() -> None:
    result = need(spec_with(PLAIN, PLAIN), n_gpu_layers=3)
    assert result.gpus == ()
    assert result.host.weights_bytes == 2570


def test_a_cache_has_padded_keys_and_values_of_every_sequence() -> None:
    assert need(spec_with(PLAIN)).host.kv_bytes == 2 * 1024 * (192 + 128) * 2


def test_a_quantised_cache_is_smaller_by_its_block_size() -> None:
    quantised = need(spec_with(PLAIN), cache_type_k=CacheType.Q8_0, cache_type_v=CacheType.Q4_0)
    assert quantised.host.kv_bytes == 2 * 1024 * (192 * 34 // 32 + 128 * 18 // 32)


def test_a_windowed_layer_caches_the_window_of_each_slot_and_one_batch() -> None:
    windowed = msgspec.structs.replace(PLAIN, window=300)
    # 2 windows and a batch, rounded up to 1,024.
    assert need(spec_with(windowed), n_ctx=8192, n_ubatch=300).host.kv_bytes == 1024 * (192 + 128) * 2


def test_slots_share_one_context() -> None:
    one = need(spec_with(PLAIN), n_ctx=8192, n_seq_max=1).host.kv_bytes
    assert need(spec_with(PLAIN), n_ctx=8192, n_seq_max=4).host.kv_bytes == one


def test_with_swa_full_a_windowed_layer_caches_the_context() -> None:
    windowed = msgspec.structs.replace(PLAIN, window=300)
    whole = need(spec_with(PLAIN), n_ctx=4096)
    assert need(spec_with(windowed), n_ctx=4096, swa_full=True).host.kv_bytes == whole.host.kv_bytes


def test_a_context_beyond_training_is_counted_where_positions_are_scaled() -> None:
    spec = msgspec.structs.replace(spec_with(PLAIN), n_ctx_train=1024)
    within = need(spec, n_ctx=4096).host.kv_bytes
    assert need(spec, n_ctx=4096, rope_scaling=RopeScaling.YARN).host.kv_bytes == 4 * within


def test_a_window_longer_than_the_context_caches_the_context() -> None:
    windowed = msgspec.structs.replace(PLAIN, window=4096)
    assert need(spec_with(windowed)) == need(spec_with(PLAIN))


def test_a_recurrent_state_does_not_grow_with_the_context() -> None:
    spec = spec_with(LayerLayout(weights_bytes=1, state_width=100))
    assert need(spec, n_ctx=256).host.kv_bytes == need(spec, n_ctx=8192).host.kv_bytes == 2 * 400


def test_a_recurrent_state_is_kept_for_each_drafted_token() -> None:
    spec = spec_with(LayerLayout(weights_bytes=1, state_width=100))
    guessing = need(spec, speculation=Speculation.PROMPT_LOOKUP, n_draft=3)
    assert guessing.host.kv_bytes == 4 * need(spec).host.kv_bytes


def test_the_first_layers_to_move_are_the_output_and_the_last() -> None:
    heavy = msgspec.structs.replace(PLAIN, weights_bytes=5000)
    result = need(spec_with(PLAIN, heavy), a_gpu(), n_gpu_layers=2)
    assert [gpu.weights_bytes for gpu in result.gpus] == [5070]
    assert result.host.weights_bytes == 1500


def test_the_input_embedding_stays_in_ram_and_is_copied_for_a_tied_output() -> None:
    result = need(spec_with(PLAIN, tied_bytes=500), a_gpu(), n_gpu_layers=99)
    assert (result.host.weights_bytes, result.gpus[0].weights_bytes) == (500, 1000 + 70 + 500)


def test_a_device_without_layers_computes_nothing() -> None:
    result = need(spec_with(PLAIN), a_gpu(), n_gpu_layers=0)
    assert result.gpus[0].total_bytes == 0


def test_devices_share_by_their_free_memory() -> None:
    spec = spec_with(*[PLAIN] * 8)
    result = need(spec, a_gpu(free_bytes=6 * GIB), a_gpu(free_bytes=3 * GIB), n_gpu_layers=9)
    assert [gpu.weights_bytes for gpu in result.gpus] == [6000, 2070]


def test_devices_without_known_memory_share_equally() -> None:
    spec = spec_with(*[PLAIN] * 7)
    result = need(spec, *[a_gpu(free_bytes=0)] * 2, n_gpu_layers=8)
    assert [gpu.weights_bytes for gpu in result.gpus] == [4000, 3070]


def test_without_flash_attention_scores_of_all_cells_are_computed() -> None:
    fused = need(spec_with(PLAIN), flash_attn=FlashAttention.ON)
    stepwise = need(spec_with(PLAIN), flash_attn=FlashAttention.OFF)
    more = stepwise.host.compute_bytes - fused.host.compute_bytes
    assert more == 512 * 2048 * 4 * (9 + 1)


def test_a_model_without_layout_is_spread_evenly() -> None:
    spec = msgspec.structs.replace(a_spec(), size_bytes=310)
    result = need(spec, a_gpu(), n_gpu_layers=11)
    assert (result.host.weights_bytes, result.gpus[0].weights_bytes) == (200, 110)
    assert result.host.kv_bytes == 20 * 2 * 1024 * 2 * 3 * 64 * 2


def test_unknown_heads_count_as_the_whole_embedding() -> None:
    spec = msgspec.structs.replace(a_spec(), n_head_kv=0, head_dim=0)
    assert need(spec).host.kv_bytes == 3 * need(a_spec()).host.kv_bytes


def test_an_integrated_gpu_is_used_only_without_a_discrete_one() -> None:
    integrated, real = a_gpu(kind=DeviceKind.IGPU), a_gpu()
    assert gpus_among([integrated]) == (integrated,)
    assert gpus_among([integrated, real]) == (real,)


LAYERS = st.builds(
    LayerLayout,
    weights_bytes=st.integers(0, 2**40),
    k_width=st.integers(0, 2**20),
    v_width=st.integers(0, 2**20),
    window=st.integers(0, 2**31),
    state_width=st.integers(0, 2**40),
)


@given(layers=st.lists(LAYERS, max_size=12), free=st.lists(st.integers(0, 2**40), max_size=3), data=st.data())
def test_the_bytes_of_all_devices_add_up_to_the_model(
    layers: list[LayerLayout], free: list[int], data: st.DataObject
) -> None:
    spec = spec_with(*layers)
    n_gpu_layers = data.draw(st.integers(-2, len(layers) + 3))
    result = need(spec, *[a_gpu(free_bytes=n) for n in free], n_gpu_layers=n_gpu_layers)
    assert result.host.weights_bytes + sum(gpu.weights_bytes for gpu in result.gpus) == (
        sum(layer.weights_bytes for layer in layers) + 570
    )
    assert result.host.kv_bytes + sum(gpu.kv_bytes for gpu in result.gpus) == need(spec).host.kv_bytes


@given(layers=st.lists(LAYERS, min_size=1, max_size=12))
def test_more_layers_on_one_device_never_take_less_of_it(layers: list[LayerLayout]) -> None:
    spec = spec_with(*layers, tied_bytes=500)
    totals = [need(spec, a_gpu(), n_gpu_layers=n).gpus[0].total_bytes for n in range(len(layers) + 2)]
    assert totals == sorted(totals)


# What is loaded beside the model


def test_an_adapter_is_on_the_devices_of_its_layers() -> None:
    spec = spec_with(PLAIN, PLAIN)
    auxiliary = AuxiliaryModels(adapter_bytes={0: 10, 1: 20, 7: 40, -1: 80})
    options = LoadOptions(n_ctx=1000, n_gpu_layers=2)
    plain, adapted = (
        predict(spec, options, gpus=(a_gpu(),), auxiliary=b) for b in (AuxiliaryModels(), auxiliary)
    )
    assert adapted.host.weights_bytes - plain.host.weights_bytes == 10 + 40 + 80
    assert adapted.gpus[0].weights_bytes - plain.gpus[0].weights_bytes == 20


@pytest.mark.parametrize(("n_gpu_layers", "on_gpu"), [(0, False), (1, True)])
def test_a_projector_is_on_the_first_gpu_if_anything_is(n_gpu_layers: int, on_gpu: bool) -> None:
    auxiliary = AuxiliaryModels(projector_bytes=100, projector_compute_bytes=30)
    options = LoadOptions(n_ctx=1000, n_gpu_layers=n_gpu_layers)
    gpus = (a_gpu(), a_gpu())
    plain, seeing = (
        predict(spec_with(PLAIN), options, gpus=gpus, auxiliary=b) for b in (AuxiliaryModels(), auxiliary)
    )
    assert seeing.gpus[0].total_bytes - plain.gpus[0].total_bytes == (130 if on_gpu else 0)
    assert seeing.total_bytes - plain.total_bytes == 130


def test_a_draft_model_takes_weights_cache_and_compute_memory() -> None:
    options = LoadOptions(
        n_ctx=1000,
        n_seq_max=1,
        n_gpu_layers=0,
        speculation=Speculation.DRAFT_MODEL,
        draft_path="/draft.gguf",
    )
    large, small = spec_with(PLAIN, PLAIN), spec_with(PLAIN)
    alone = predict(small, options).total_bytes - PROCESS_BYTES
    together = predict(large, options, auxiliary=AuxiliaryModels(draft=small)).total_bytes
    assert together - predict(large, options).total_bytes == alone


def test_a_draft_model_is_counted_with_its_own_options() -> None:
    options = LoadOptions(
        n_ctx=1024,
        n_seq_max=2,
        n_gpu_layers=0,
        speculation=Speculation.DRAFT_MODEL,
        draft_path="/draft.gguf",
        draft_n_ctx=512,
        draft_n_gpu_layers=GPU_LAYERS_ALL,
        draft_cache_type_k=CacheType.F32,
    )
    large, small = spec_with(PLAIN, PLAIN), spec_with(PLAIN)
    gpus = (a_gpu(),)
    auxiliary = predict(large, options, gpus=gpus, auxiliary=AuxiliaryModels(draft=small)).gpus[0]
    own = msgspec.structs.replace(
        options, n_ctx=512, n_gpu_layers=2, cache_type_k=CacheType.F32, kv_unified=False
    )
    alone = predict(small, own, gpus=gpus).gpus[0]
    assert alone.kv_bytes > 0
    assert (auxiliary.weights_bytes, auxiliary.kv_bytes) == (alone.weights_bytes, alone.kv_bytes)


def test_missing_auxiliary_files_take_no_memory(tmp_path: Path) -> None:
    missing = str(tmp_path / "gone.gguf")
    options = LoadOptions(
        projector_path=missing,
        lora=(LoraAdapter(path=missing),),
        speculation=Speculation.DRAFT_MODEL,
        draft_path=missing,
    )
    assert (read_auxiliary(options), auxiliary_bytes(options)) == (AuxiliaryModels(), 0)


def test_a_draft_model_that_is_not_used_is_not_counted(tmp_path: Path) -> None:
    draft = tmp_path / "draft.gguf"
    draft.write_bytes(b"x" * 99)
    plain = LoadOptions(draft_path=str(draft), speculation=Speculation.OFF)
    assert auxiliary_bytes(plain) == 0
    assert auxiliary_bytes(LoadOptions(draft_path=str(draft), speculation=Speculation.DRAFT_MODEL)) == 99
