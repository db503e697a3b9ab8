"""What rarely used load options do to a real model."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import gguf
import numpy as np
import psutil
import pytest

from fireside.core.options import (
    ControlVector,
    LoadOptions,
    MetadataOverride,
    Numa,
    RopeScaling,
    SamplingParams,
    TensorPlacement,
)
from llama import tiny_models
from llama.runner_process import RunnerProcess, assistant, small_options, user

N_TRAINED = 512
"""As a property says that is changed: eight times the true number would take most of a gigabyte."""
N_EMBD, N_LAYERS = 576, 5
GREEDY = SamplingParams(temperature=0, max_tokens=16, top_logprobs=0)
LIMIT_S = 20.0
QUESTION = "Name three colours of the sea."


def answer(model: Path, options: LoadOptions) -> tuple[str, int]:
    """Return the greedy answer and the context of a model loaded with these options."""
    with RunnerProcess() as runner:
        n_ctx = runner.load(model, options).n_ctx
        return runner.ask(QUESTION, GREEDY).text, n_ctx


@pytest.fixture(scope="module")
def plain(short_model_path: Path) -> str:
    return answer(short_model_path, small_options())[0]


@pytest.mark.parametrize("scaling", [RopeScaling.YARN, RopeScaling.LINEAR])
def test_context_beyond_training_is_scaled_by_their_ratio(
    short_model_path: Path, plain: str, scaling: RopeScaling
) -> None:
    trained = (MetadataOverride(key="llama.context_length", value=N_TRAINED),)
    longer = small_options(n_ctx=8 * N_TRAINED, n_seq_max=1, rope_scaling=scaling, metadata_overrides=trained)
    text, n_ctx = answer(short_model_path, longer)
    assert n_ctx == 8 * N_TRAINED
    by_hand = small_options(rope_scaling=scaling, rope_freq_scale=1 / 8, metadata_overrides=trained)
    assert text == answer(short_model_path, by_hand)[0] != plain


def test_context_within_training_is_not_scaled(short_model_path: Path, plain: str) -> None:
    assert answer(short_model_path, small_options(rope_scaling=RopeScaling.YARN))[0] == plain


def test_rope_frequency_base_changes_the_answer(short_model_path: Path, plain: str) -> None:
    assert answer(short_model_path, small_options(rope_freq_base=500.0))[0] != plain


@pytest.mark.skipif(sys.platform != "linux", reason="reads what Linux says of locked memory")
@pytest.mark.parametrize("use_mmap", [True, False])
def test_mlock_locks_the_weights(fresh_runner: RunnerProcess, tmp_path: Path, use_mmap: bool) -> None:
    path = tiny_models.write_llama(tmp_path / "tiny.gguf")
    fresh_runner.load(path, small_options(use_mlock=True, use_mmap=use_mmap))
    status = Path(f"/proc/{fresh_runner.pid}/status").read_text("ascii")
    (locked,) = [line.split() for line in status.splitlines() if line.startswith("VmLck:")]
    assert int(locked[1]) * 1024 > path.stat().st_size // 2


def test_failed_mlock_rejects_the_load(
    short_model_path: Path,
) -> None:
    if sys.platform != "linux":
        pytest.skip("sets the limit of another process")
    import resource

    if os.geteuid() == 0:
        pytest.skip("the limit does not hold for root")
    with RunnerProcess() as runner:
        resource.prlimit(runner.pid, resource.RLIMIT_MEMLOCK, (1 << 20, 1 << 20))
        error = runner.rejected(short_model_path, small_options(use_mlock=True)).error
    assert "locking it in memory" in error.sentence


def threads(process: psutil.Process) -> set[int]:
    return {thread.id for thread in process.threads()}


def assert_more_threads(process: psutil.Process, *, since: set[int], n: int) -> None:
    """Check that ``n`` more threads stay; those that render prompts may take a moment to end."""
    deadline = time.monotonic() + LIMIT_S
    while len(threads(process) - since) != n:
        assert time.monotonic() < deadline, threads(process) - since
        time.sleep(0.01)


@pytest.mark.skipif(sys.platform == "darwin", reason="its threads end with each step")
@pytest.mark.parametrize("n_threads_batch", [1, 3])
def test_prompt_threads_are_those_of_the_option(
    fresh_runner: RunnerProcess, short_model_path: Path, n_threads_batch: int
) -> None:
    fresh_runner.load(short_model_path, small_options(n_threads_batch=n_threads_batch))
    # Answered by the thread for prompts, which begins after the load was reported.
    fresh_runner.count([user(QUESTION)])
    process = psutil.Process(fresh_runner.pid)
    before = threads(process)
    fresh_runner.ask("word " * 200, GREEDY)
    assert_more_threads(process, since=before, n=n_threads_batch - 1)


@pytest.mark.skipif(sys.platform == "darwin", reason="its threads end with each step")
def test_model_is_warmed_up(fresh_runner: RunnerProcess, short_model_path: Path) -> None:
    fresh_runner.load(short_model_path, small_options(n_threads=3))
    fresh_runner.count([user(QUESTION)])
    process = psutil.Process(fresh_runner.pid)
    before = threads(process)
    fresh_runner.ask(QUESTION, GREEDY)
    assert_more_threads(process, since=before, n=0)


def test_runner_stays_on_its_cpus(fresh_runner: RunnerProcess, short_model_path: Path) -> None:
    if sys.platform == "darwin":
        pytest.skip("macOS binds no program to processors")
    first = psutil.Process().cpu_affinity()[0]
    fresh_runner.load(short_model_path, small_options(cpus=(first,)))
    assert psutil.Process(fresh_runner.pid).cpu_affinity() == [first]
    assert fresh_runner.ask(QUESTION, GREEDY).text


def test_missing_cpu_is_refused(fresh_runner: RunnerProcess, short_model_path: Path) -> None:
    error = fresh_runner.rejected(short_model_path, small_options(cpus=(4095,))).error
    assert error.code == "invalid_parameter"


def test_text_after_a_dropped_turn_is_shifted(fresh_runner: RunnerProcess, short_model_path: Path) -> None:
    fresh_runner.load(short_model_path, small_options(n_ctx=1024, n_seq_max=1, cache_reuse=32))
    first = [user("Tell me about rivers. " * 20), assistant("Rivers flow to the sea. " * 5)]
    second = [user("And now about mountains. " * 10), assistant("Mountains are high. " * 10)]
    fresh_runner.ask([*first, *second, user(QUESTION)], GREEDY)
    shorter = [*second, user(QUESTION)]
    answer = fresh_runner.ask(shorter, GREEDY)
    usage = answer.finished.usage
    assert usage.n_prompt - usage.n_cached < 16 < usage.n_cached
    assert answer.text
    # What is not moved is what it always was.
    with RunnerProcess() as fresh:
        fresh.load(short_model_path, small_options(n_ctx=1024, n_seq_max=1))
        assert fresh_runner.ask("What is rain?", GREEDY).text == fresh.ask("What is rain?", GREEDY).text


def test_numa_strategy_does_not_change_the_answer(short_model_path: Path, plain: str) -> None:
    assert answer(short_model_path, small_options(numa=Numa.DISTRIBUTE))[0] == plain


def test_full_size_window_cache_can_be_trimmed_anywhere(tmp_path: Path) -> None:
    path = tiny_models.write_gemma3(tmp_path / "gemma.gguf")
    with RunnerProcess() as windowed, RunnerProcess() as full:
        options = small_options(n_ctx=2048, n_seq_max=1)
        window_only = windowed.load(path, options)
        kept_all = full.load(path, small_options(n_ctx=2048, n_seq_max=1, swa_full=True))
        assert sum(m.kv_bytes for m in kept_all.memory) > sum(m.kv_bytes for m in window_only.memory)


def test_metadata_can_be_overridden(short_model_path: Path, plain: str) -> None:
    overrides = (
        MetadataOverride(key="llama.context_length", value=1024),
        MetadataOverride(key="llama.rope.freq_base", value=500.0),
        MetadataOverride(key="tokenizer.ggml.add_bos_token", value=False),
        MetadataOverride(key="general.name", value="Another"),
    )
    text, n_ctx = answer(short_model_path, small_options(n_ctx=4096, metadata_overrides=overrides))
    assert n_ctx == 1024
    assert text == answer(short_model_path, small_options(rope_freq_base=500.0))[0] != plain


def test_tensor_override_names_an_existing_device(
    fresh_runner: RunnerProcess, short_model_path: Path
) -> None:
    placements = (TensorPlacement(pattern="ffn", device="CUDA7"),)
    error = fresh_runner.rejected(short_model_path, small_options(tensor_places=placements)).error
    assert "CUDA7" in error.sentence


def write_control_vector(
    path: Path, *, n_embd: int = N_EMBD, layers: range = range(1, N_LAYERS)
) -> ControlVector:
    writer = gguf.GGUFWriter(path, "controlvector")
    writer.add_string("controlvector.model_hint", "llama")
    random = np.random.default_rng(0)
    for layer in layers:
        writer.add_tensor(f"direction.{layer}", random.standard_normal(n_embd).astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return ControlVector(path=str(path), scale=4.0)


def test_control_vector_applies_its_scale_to_its_layers(
    short_model_path: Path, tmp_path: Path, plain: str
) -> None:
    vector = write_control_vector(tmp_path / "direction.gguf")

    def answer_with(*vectors: ControlVector, layers: tuple[int, int] | None = None) -> str:
        return answer(short_model_path, small_options(control_vectors=vectors, control_layers=layers))[0]

    off, back = (ControlVector(path=vector.path, scale=scale) for scale in (0.0, -4.0))
    strong = answer_with(vector)
    assert strong != plain
    assert answer_with(off) == answer_with(vector, back) == plain
    assert answer_with(vector, layers=(1, N_LAYERS - 1)) == strong != answer_with(vector, layers=(2, 3))


@pytest.mark.parametrize("wrong", ["another width", "too many layers", "no directions", "no file"])
def test_control_vector_of_another_model_is_refused(
    fresh_runner: RunnerProcess, short_model_path: Path, tmp_path: Path, wrong: str
) -> None:
    path = tmp_path / "direction.gguf"
    match wrong:
        case "another width":
            write_control_vector(path, n_embd=64)
        case "too many layers":
            write_control_vector(path, layers=range(1, 99))
        case "no directions":
            path.write_bytes(short_model_path.read_bytes()[:100])
    vector = ControlVector(path=str(path))
    error = fresh_runner.rejected(short_model_path, small_options(control_vectors=(vector,))).error
    assert error.code == ("model_file_missing" if wrong == "no file" else "load_failed")


def test_missing_control_layers_are_refused(
    fresh_runner: RunnerProcess, short_model_path: Path, tmp_path: Path
) -> None:
    vector = write_control_vector(tmp_path / "direction.gguf")
    options = small_options(control_vectors=(vector,), control_layers=(2, 40))
    assert fresh_runner.rejected(short_model_path, options).error.code == "invalid_parameter"
