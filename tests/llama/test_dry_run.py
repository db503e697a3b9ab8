"""A dry run predicts exactly what a load of the same model and options takes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fakes.children import child_environment
from fireside.core.ids import ModelId
from fireside.core.options import (
    GPU_LAYERS_ALL,
    CacheType,
    FlashAttention,
    LoadOptions,
    LoraAdapter,
    Purpose,
    RopeScaling,
    Speculation,
    SplitMode,
    TensorPlacement,
)
from fireside.core.plan import MemoryKind
from fireside.core.status import LoadedModel
from fireside.engine.planning.buffer_usage import buffer_usage, without_overlap
from fireside.engine.planning.dry_run import DryRunProcess
from fireside.engine.processes.runner_process import runner_command
from fireside.gguf import model_spec, read_header
from llama import tiny_models
from llama.rpc_devices import rpc_devices
from llama.runner_process import RunnerProcess, small_options
from llama.tiny_heads import write_with_heads
from llama.tiny_lora import write_lora
from llama.tiny_projectors import write_llava

WINDOWED = Path(sys.prefix) / "share" / "fireside-bench" / "gemma-3-270m-q4_k_m.gguf"
DEVICES = ("RPC0", "RPC1")
Writer = Callable[[Path], Path]
Bytes = dict[tuple[str, MemoryKind], int]

QUANTISED = {"cache_type_k": CacheType.Q8_0, "cache_type_v": CacheType.Q8_0}
OPTIONS = [
    small_options(),
    small_options(flash_attn=FlashAttention.AUTO, use_repack=True, use_mmap=True),
    small_options(n_ctx=8192, n_seq_max=1),
    small_options(n_ctx=3000, n_seq_max=4, flash_attn=FlashAttention.ON, n_batch=128, n_ubatch=128),
    small_options(n_ctx=2048, flash_attn=FlashAttention.ON, **QUANTISED),
    small_options(n_ctx=1024, n_seq_max=8, speculation=Speculation.PROMPT_LOOKUP, n_draft=5),
    small_options(cache_type_k=CacheType.F32, cache_type_v=CacheType.BF16),
    small_options(n_ctx=16_384, n_seq_max=1, rope_scaling=RopeScaling.YARN, swa_full=True),
]
TINY = [
    tiny_models.write_llama,
    tiny_models.write_gemma3,
    tiny_models.write_qwen2vl,
    tiny_models.write_lfm2,
    tiny_models.write_mamba,
    tiny_models.write_qwen3moe,
]


def with_options(options: LoadOptions, **changes: Any) -> LoadOptions:
    return msgspec.structs.replace(options, **changes)


@dataclass(frozen=True)
class Computer:
    """The devices of runners, and the process of dry runs."""

    environment: dict[str, str]
    dry_run: DryRunProcess

    def measured(self, path: Path, options: LoadOptions) -> Bytes:
        """Return the prediction of a dry run."""
        reply = self.dry_run.measure(str(path), options)
        assert reply.problem == ""
        return {(use.device, use.kind): use.n_bytes for use in buffer_usage(reply.memory, devices=DEVICES)}

    def check(self, path: Path, options: LoadOptions, *, crosses: bool = False) -> Bytes:
        """Compare a dry run with a load, and return what was allocated."""
        with RunnerProcess(environment=self.environment) as runner:
            real = allocated(path, runner.load(path, options))
        assert_equal(self.measured(path, options), dict(real), options=options, crosses=crosses)
        return real


@contextmanager
def computer(environment: dict[str, str]) -> Iterator[Computer]:
    with DryRunProcess(
        command=runner_command(), environment={**child_environment(), **environment}
    ) as dry_run:
        yield Computer(environment=environment, dry_run=dry_run)


def allocated(path: Path, loaded: LoadedModel) -> Bytes:
    layout = model_spec(read_header(path), path=str(path), id=ModelId("it")).layout
    reports = without_overlap(loaded.memory, layout=layout, devices=DEVICES)
    return {(use.device, use.kind): use.n_bytes for use in buffer_usage(reports, devices=DEVICES)}


def assert_equal(predicted: Bytes, real: Bytes, *, options: LoadOptions, crosses: bool = False) -> None:
    """Compare every kind on every device. One difference is explained:

    What computing takes where it ``crosses`` from device to device: ``ggml_backend_sched_reserve_size``
    forgets which device each step was given to before it measures, which ``ggml_backend_sched_reserve`` does
    not. A step at a border may count on the other side of it then; on a GPU that is too much.
    """
    if options.use_mmap:
        draft = ("CPU", MemoryKind.DRAFT)
        # A small model's weights are mapped too, and stand in one sum with what it computes with.
        assert predicted.pop(draft, 0) <= real.pop(draft, 0) * 1.02
    if crosses:
        for device in DEVICES:
            key = (device, MemoryKind.COMPUTE)
            assert real.get(key, 0) <= predicted.pop(key, 0) <= 1.25 * real.pop(key, 0)
        key = ("CPU", MemoryKind.COMPUTE)
        assert abs(predicted.pop(key, 0) - real.pop(key, 0)) < 16 << 20
    assert predicted == real


@pytest.fixture(scope="module")
def no_device() -> Iterator[Computer]:
    """A computer with only its CPU."""
    with computer({}) as started:
        yield started


@pytest.fixture(scope="module")
def one_device() -> Iterator[Computer]:
    with rpc_devices(1) as environment, computer(environment) as started:
        yield started


@pytest.fixture(scope="module")
def two_devices() -> Iterator[Computer]:
    with rpc_devices(2) as environment, computer(environment) as started:
        yield started


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("use_mmap", [True, False])
def test_dry_run_is_exact_for_full_attention(
    no_device: Computer, starter_model_path: Path, options: LoadOptions, use_mmap: bool
) -> None:
    no_device.check(starter_model_path, with_options(options, use_mmap=use_mmap))


@pytest.mark.skipif(not WINDOWED.exists(), reason="the models of the benchmarks are not installed")
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("use_mmap", [True, False])
def test_dry_run_is_exact_for_sliding_windows(
    no_device: Computer, options: LoadOptions, use_mmap: bool
) -> None:
    no_device.check(WINDOWED, with_options(options, use_mmap=use_mmap))


@pytest.mark.parametrize("write", TINY)
@pytest.mark.parametrize("options", [o for o in OPTIONS if o.cache_type_k is not CacheType.Q8_0])
def test_dry_run_is_exact_for_every_kind_of_memory(
    no_device: Computer, tmp_path: Path, write: Writer, options: LoadOptions
) -> None:
    no_device.check(write(tmp_path / "tiny.gguf"), with_options(options, use_mmap=False))


@pytest.mark.parametrize("n_gpu_layers", [0, 1, 10, GPU_LAYERS_ALL])
@pytest.mark.parametrize("offload_kqv", [True, False])
@pytest.mark.parametrize("use_mmap", [True, False])
def test_dry_run_is_exact_with_one_device(
    starter_model_path: Path,
    one_device: Computer,
    n_gpu_layers: int,
    offload_kqv: bool,
    use_mmap: bool,
) -> None:
    options = small_options(n_gpu_layers=n_gpu_layers, offload_kqv=offload_kqv, use_mmap=use_mmap)
    one_device.check(starter_model_path, options, crosses=not offload_kqv)


@pytest.mark.parametrize("shares", [(), (3.0, 1.0), (1.0, 0.0)])
@pytest.mark.parametrize("n_gpu_layers", [9, GPU_LAYERS_ALL])
def test_dry_run_is_exact_with_two_devices(
    starter_model_path: Path, two_devices: Computer, shares: tuple[float, ...], n_gpu_layers: int
) -> None:
    options = small_options(n_gpu_layers=n_gpu_layers, tensor_split=shares or (1.0, 1.0), use_mmap=True)
    real = two_devices.check(starter_model_path, options, crosses=True)
    assert (("RPC1", MemoryKind.WEIGHTS) in real) == (shares != (1.0, 0.0))


def test_excluded_device_takes_nothing(starter_model_path: Path, two_devices: Computer) -> None:
    options = small_options(n_gpu_layers=GPU_LAYERS_ALL, excluded_devices=("RPC0",), use_mmap=False)
    real = two_devices.check(starter_model_path, options)
    assert not any(device == "RPC0" for device, _ in real)
    assert ("RPC1", MemoryKind.WEIGHTS) in real


def test_main_device_alone_is_used_without_a_split(starter_model_path: Path, two_devices: Computer) -> None:
    options = small_options(
        n_gpu_layers=GPU_LAYERS_ALL, split_mode=SplitMode.NONE, main_gpu="RPC1", use_mmap=False
    )
    real = two_devices.check(starter_model_path, options)
    assert not any(device == "RPC0" for device, _ in real)


@pytest.mark.parametrize("use_mmap", [True, False])
def test_dry_run_is_exact_with_experts_on_the_cpu(
    tmp_path: Path, one_device: Computer, use_mmap: bool
) -> None:
    path = tiny_models.write_qwen3moe(tmp_path / "moe.gguf")
    weights = ("RPC0", MemoryKind.WEIGHTS)
    by_number = [
        one_device.check(
            path,
            small_options(n_gpu_layers=GPU_LAYERS_ALL, n_cpu_moe=number, use_mmap=use_mmap),
        )[weights]
        for number in range(3)
    ]
    assert by_number[0] > by_number[1] > by_number[2]


def test_dry_run_is_exact_with_tensors_on_the_cpu(starter_model_path: Path, one_device: Computer) -> None:
    placements = (TensorPlacement(pattern=r"blk\.[0-4]\.ffn_", device="CPU"),)
    full, less = (
        one_device.check(
            starter_model_path,
            small_options(n_gpu_layers=GPU_LAYERS_ALL, tensor_places=tensor_places, use_mmap=False),
        )
        for tensor_places in ((), placements)
    )
    weights = ("RPC0", MemoryKind.WEIGHTS)
    moved = full[weights] - less[weights]
    assert moved > 5_000_000
    assert less["CPU", MemoryKind.WEIGHTS] - full["CPU", MemoryKind.WEIGHTS] == moved


@pytest.mark.parametrize("n_gpu_layers", [0, GPU_LAYERS_ALL])
def test_dry_run_includes_adapters(
    starter_model_path: Path, tmp_path: Path, one_device: Computer, n_gpu_layers: int
) -> None:
    path = write_lora(tmp_path / "lora.gguf", model=starter_model_path)
    options = small_options(lora=(LoraAdapter(path=str(path)),), n_gpu_layers=n_gpu_layers, use_mmap=False)
    real = one_device.check(starter_model_path, options)
    assert any(kind is MemoryKind.ADAPTERS for _, kind in real)


@pytest.mark.parametrize("use_mmap", [True, False])
def test_dry_run_is_exact_for_a_draft_model(
    no_device: Computer, starter_model_path: Path, use_mmap: bool
) -> None:
    options = small_options(
        speculation=Speculation.DRAFT_MODEL, draft_path=str(starter_model_path), use_mmap=use_mmap
    )
    real = no_device.check(starter_model_path, options)
    assert ("CPU", MemoryKind.DRAFT) in real


def test_dry_run_is_exact_for_a_draft_model_with_its_own_options(
    starter_model_path: Path, one_device: Computer
) -> None:
    options = small_options(
        speculation=Speculation.DRAFT_MODEL,
        draft_path=str(starter_model_path),
        draft_n_ctx=256,
        draft_n_gpu_layers=GPU_LAYERS_ALL,
        draft_cache_type_v=CacheType.Q8_0,
        use_mmap=False,
    )
    real = one_device.check(starter_model_path, options)
    assert any(kind is MemoryKind.DRAFT and device != "CPU" for device, kind in real)


@pytest.mark.parametrize("architecture", ["qwen35", "glm4moe"])
def test_dry_run_is_exact_for_heads(no_device: Computer, tmp_path: Path, architecture: str) -> None:
    path = write_with_heads(tmp_path / "model.gguf", architecture)
    for changes in ({}, {"n_ctx": 1024, "n_seq_max": 4, "kv_unified": True, "n_draft": 2}):
        options = small_options(speculation=Speculation.MTP, use_mmap=False, **changes)
        real = no_device.check(path, options)
        assert real["CPU", MemoryKind.DRAFT] > 0
    trunk = write_with_heads(tmp_path / "trunk.gguf", architecture, part="trunk")
    heads = write_with_heads(tmp_path / "heads.gguf", architecture, part="heads")
    no_device.check(trunk, small_options(speculation=Speculation.MTP, draft_path=str(heads), use_mmap=False))


def test_dry_run_is_exact_for_a_projector(no_device: Computer, tmp_path: Path) -> None:
    model = tiny_models.write_llama(tmp_path / "tiny.gguf")
    projector = write_llava(tmp_path / "mmproj.gguf", n_out=tiny_models.N_EMBD)
    real = no_device.check(model, small_options(projector_path=str(projector), use_mmap=False))
    assert ("CPU", MemoryKind.PROJECTOR) in real


def test_dry_run_is_exact_for_an_embedding_model(no_device: Computer, starter_model_path: Path) -> None:
    no_device.check(starter_model_path, small_options(purpose=Purpose.EMBED, use_mmap=False))


def test_invalid_file_is_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "x.gguf"
    path.write_bytes(b"nothing of the kind")
    with DryRunProcess(command=runner_command(), environment=child_environment()) as dry_run:
        assert dry_run.measure(str(path), small_options()).problem
        # And goes on with the next.
        assert dry_run.measure(str(tmp_path / "missing.gguf"), small_options()).problem


def test_process_that_cannot_start_is_a_problem() -> None:
    with DryRunProcess(command=("/nowhere/at/all",), environment={}) as dry_run:
        assert dry_run.measure("x.gguf", small_options()).problem


def test_hanging_process_is_ended() -> None:
    command = (sys.executable, "-c", "import time; time.sleep(600)")
    with DryRunProcess(command=command, environment=child_environment(), limit_s=0.2) as dry_run:
        assert dry_run.measure("x.gguf", small_options()).problem


def test_replaced_file_is_measured_again(tmp_path: Path) -> None:
    path = tiny_models.write_llama(tmp_path / "m.gguf")
    options = small_options()
    with DryRunProcess(command=runner_command(), environment=child_environment()) as dry_run:
        before = dry_run.measure(str(path), options)
        tiny_models.write_gemma3(tmp_path / "other.gguf").replace(path)
        after = dry_run.measure(str(path), options)
    assert before.problem == after.problem == ""
    assert before.memory != after.memory


def test_unknown_architecture_is_distinguished(tmp_path: Path) -> None:
    valid = tiny_models.write_llama(tmp_path / "known.gguf")
    unknown = tmp_path / "unknown.gguf"
    unknown.write_bytes(valid.read_bytes().replace(b"llama", b"xlama"))
    with DryRunProcess(command=runner_command(), environment=child_environment()) as dry_run:
        reply = dry_run.measure(str(unknown), small_options())
        assert reply.unloadable is not None
        assert reply.unloadable.code == "model_kind_unknown"
        assert dry_run.measure(str(valid), small_options()).unloadable is None


def test_invalid_projector_does_not_make_the_model_unloadable(tmp_path: Path) -> None:
    valid = tiny_models.write_llama(tmp_path / "known.gguf")
    draft = tmp_path / "draft.gguf"
    draft.write_bytes(b"nothing of the kind")
    options = small_options(speculation=Speculation.DRAFT_MODEL, draft_path=str(draft))
    with DryRunProcess(command=runner_command(), environment=child_environment()) as dry_run:
        reply = dry_run.measure(str(valid), options)
        assert reply.problem
        assert reply.unloadable is None
