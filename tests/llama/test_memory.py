"""The memory prediction against llama.cpp's real allocations."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from fireside.core.ids import ModelId
from fireside.core.model import ModelSpec
from fireside.core.options import CacheType, FlashAttention, LoadOptions, LoraAdapter, Speculation
from fireside.core.status import LoadedModel
from fireside.engine.planning.auxiliary_models import AuxiliaryModels, read_auxiliary
from fireside.engine.planning.memory_estimate import PROCESS_BYTES, predict
from fireside.gguf import model_spec, read_header
from llama import tiny_models
from llama.runner_process import RunnerProcess, small_options
from llama.tiny_heads import write_with_heads
from llama.tiny_lora import write_lora
from llama.tiny_projectors import write_llava

WINDOWED = Path(sys.prefix) / "share" / "fireside-bench" / "gemma-3-270m-q4_k_m.gguf"
QUANTISED = {"cache_type_k": CacheType.Q8_0, "cache_type_v": CacheType.Q4_0}

OPTIONS = [
    small_options(),
    small_options(n_ctx=8192, n_seq_max=1),
    small_options(n_ctx=3000, n_seq_max=4, flash_attn=FlashAttention.ON, n_batch=128, n_ubatch=128),
    small_options(n_ctx=2048, flash_attn=FlashAttention.ON, use_mmap=False, **QUANTISED),
]


def spec_of(path: Path) -> ModelSpec:
    return model_spec(read_header(path), path=str(path), id=ModelId("m"))


def totals(loaded: LoadedModel) -> tuple[int, int, int]:
    memory = loaded.memory
    return (
        sum(report.weights_bytes for report in memory),
        sum(report.kv_bytes for report in memory),
        sum(report.compute_bytes for report in memory),
    )


def assert_predicted(path: Path, options: LoadOptions) -> None:
    need = predict(spec_of(path), options).host
    with RunnerProcess() as runner:
        weights, kv, compute = totals(runner.load(path, options))
    assert (need.weights_bytes, need.kv_bytes) == (weights, kv)
    assert compute <= need.compute_bytes - PROCESS_BYTES <= 2 * compute


@pytest.mark.parametrize("options", OPTIONS)
def test_full_attention_prediction_is_exact_except_bounded_compute(
    starter_model_path: Path, options: LoadOptions
) -> None:
    assert_predicted(starter_model_path, options)


@pytest.mark.skipif(not WINDOWED.exists(), reason="the models of the benchmarks are not installed")
@pytest.mark.parametrize("options", OPTIONS)
def test_sliding_window_prediction_is_exact_except_bounded_compute(
    options: LoadOptions,
) -> None:
    assert_predicted(WINDOWED, options)


@pytest.mark.parametrize(
    "write",
    [
        tiny_models.write_llama,
        tiny_models.write_gemma3,
        tiny_models.write_qwen2vl,
        tiny_models.write_lfm2,
        tiny_models.write_mamba,
    ],
)
@pytest.mark.parametrize("speculation", [Speculation.OFF, Speculation.PROMPT_LOOKUP])
def test_caches_and_recurrent_states_are_predicted_exactly(
    tmp_path: Path, write: Callable[[Path], Path], speculation: Speculation
) -> None:
    path = write(tmp_path / "tiny.gguf")
    options = small_options(n_ctx=1024, n_seq_max=3, speculation=speculation, n_draft=4)
    with RunnerProcess() as runner:
        loaded = runner.load(path, options)
    weights, kv, _ = totals(loaded)
    # Some memories can take no guess back; then nothing is guessed.
    done = msgspec.structs.replace(options, speculation=loaded.speculation)
    need = predict(spec_of(path), done).host
    assert need.kv_bytes == kv
    assert need.weights_bytes == pytest.approx(weights, rel=0.02), "llama.cpp rounds each tensor up"


@pytest.mark.parametrize("name", ["small vocabulary", "large vocabulary"])
def test_eight_slots_take_less_than_eight_contexts(name: str, starter_model_path: Path) -> None:
    path = starter_model_path if name == "small vocabulary" else WINDOWED
    if not path.exists():
        pytest.skip("the models of the benchmarks are not installed")
    options = LoadOptions(n_ctx=2048, n_seq_max=8, n_gpu_layers=0, n_threads=1)
    single = msgspec.structs.replace(options, n_seq_max=1)
    with RunnerProcess() as runner:
        _, kv, compute = totals(runner.load(path, options))
    with RunnerProcess() as runner:
        _, kv_of_one, compute_of_one = totals(runner.load(path, single))
    assert kv + compute < 0.6 * 8 * (kv_of_one + compute_of_one)
    assert compute_of_one < 30 << 20


# What is loaded beside the model


@pytest.mark.parametrize("architecture", ["qwen35", "glm4moe"])
def test_draft_heads_in_a_file_of_their_own_are_predicted(tmp_path: Path, architecture: str) -> None:
    trunk = write_with_heads(tmp_path / "model.gguf", architecture, part="trunk")
    heads = write_with_heads(tmp_path / "mtp-model.gguf", architecture, part="heads")
    options = small_options(speculation=Speculation.MTP, draft_path=str(heads), n_ctx=1024)
    with RunnerProcess() as runner:
        memory = runner.load(trunk, options).memory
    drafts = [report for report in memory if report.buffer.startswith("draft ")]
    with_heads = predict(spec_of(trunk), options, auxiliary=read_auxiliary(options)).host
    plain = predict(spec_of(trunk), options).host
    assert with_heads.weights_bytes - plain.weights_bytes == pytest.approx(
        sum(report.weights_bytes for report in drafts), rel=0.02
    )
    assert with_heads.kv_bytes - plain.kv_bytes == sum(report.kv_bytes for report in drafts)
    computing = sum(report.compute_bytes for report in memory)
    assert computing <= with_heads.compute_bytes - PROCESS_BYTES


def test_draft_model_is_predicted(starter_model_path: Path) -> None:
    options = small_options(
        speculation=Speculation.DRAFT_MODEL, draft_path=str(starter_model_path), n_draft=4, n_ctx=1024
    )
    with RunnerProcess() as runner:
        memory = runner.load(starter_model_path, options).memory
    drafts = [report for report in memory if report.buffer.startswith("draft ")]
    spec = spec_of(starter_model_path)
    auxiliary = predict(spec, options, auxiliary=read_auxiliary(options)).host
    alone = predict(spec, options).host
    assert auxiliary.weights_bytes - alone.weights_bytes == sum(report.weights_bytes for report in drafts)
    assert auxiliary.kv_bytes - alone.kv_bytes == sum(report.kv_bytes for report in drafts)
    computing = sum(report.compute_bytes for report in drafts)
    assert computing <= auxiliary.compute_bytes - alone.compute_bytes <= 2 * computing


def test_projector_is_predicted_by_its_header(tmp_path: Path) -> None:
    path = tiny_models.write_llama(tmp_path / "model.gguf")
    projector = write_llava(tmp_path / "mmproj.gguf", n_out=spec_of(path).n_embd)
    options = small_options(projector_path=str(projector))
    with RunnerProcess() as runner:
        memory = runner.load(path, options).memory
    (seen,) = [report for report in memory if report.buffer.startswith("projector")]
    auxiliary = read_auxiliary(options)
    assert auxiliary.projector_bytes == seen.weights_bytes
    assert seen.compute_bytes <= auxiliary.projector_compute_bytes


def test_adapter_is_predicted_by_its_header(tmp_path: Path) -> None:
    path = tiny_models.write_llama(tmp_path / "model.gguf")
    lora = write_lora(tmp_path / "lora.gguf", model=path)
    options = small_options(lora=(LoraAdapter(path=str(lora)),))
    plain, adapted = (
        predict(spec_of(path), options, auxiliary=auxiliary).host
        for auxiliary in (AuxiliaryModels(), read_auxiliary(options))
    )
    tensors = sum(tensor.n_bytes for tensor in read_header(lora).tensors)
    assert adapted.weights_bytes - plain.weights_bytes == tensors > 0
