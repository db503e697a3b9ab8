"""Loading valid and invalid files."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import pytest

from fireside.core.options import CacheType, FlashAttention, LoadOptions
from fireside.core.status import DeviceKind
from fireside.wire.messages import PROTOCOL_VERSION, Load, LoadProgressed
from llama.runner_process import RunnerProcess, small_options
from llama.tiny_models import write_llama


def test_hello_names_the_versions_and_the_process(fresh_runner: RunnerProcess) -> None:
    hello = fresh_runner.hello
    assert (hello.protocol, hello.pid) == (PROTOCOL_VERSION, fresh_runner.pid)
    assert hello.llama_cpp.startswith(f"llama-cpp-python {version('llama-cpp-python')}")


def test_hello_lists_the_cpu_with_its_free_memory(fresh_runner: RunnerProcess) -> None:
    (cpu,) = [device for device in fresh_runner.hello.devices if device.kind is DeviceKind.CPU]
    assert 0 < cpu.free_bytes < cpu.total_bytes


def test_progress_is_reported_while_loading(fresh_runner: RunnerProcess, starter_model_path: Path) -> None:
    fresh_runner.send(Load(path=str(starter_model_path), name="SmolLM2", options=small_options()))
    assert 0 <= fresh_runner.expect(LoadProgressed).fraction <= 1


def test_allocated_memory_is_reported(fresh_runner: RunnerProcess, starter_model_path: Path) -> None:
    loaded = fresh_runner.load(starter_model_path, small_options(n_ctx=300, n_seq_max=3, n_threads=1))
    assert (loaded.n_seq_max, loaded.n_threads, loaded.n_layers, loaded.n_gpu_layers) == (3, 1, 30, 0)
    # llama.cpp rounds up to 256.
    assert loaded.n_ctx == 512
    # 2 bytes, keys and values, 3 heads of 64 in 30 layers.
    assert sum(report.kv_bytes for report in loaded.memory) == 2 * 2 * 3 * 64 * 30 * 512 * 3
    assert sum(report.weights_bytes for report in loaded.memory) > 90_000_000
    assert loaded.rss_bytes > 50_000_000


def test_context_is_never_longer_than_trained(fresh_runner: RunnerProcess, starter_model_path: Path) -> None:
    assert fresh_runner.load(starter_model_path, small_options(n_ctx=100_000, n_seq_max=1)).n_ctx == 8192


@pytest.mark.parametrize(("use_mmap", "cache_type"), [(False, CacheType.F16), (True, CacheType.Q8_0)])
def test_memory_options_load_and_answer(
    fresh_runner: RunnerProcess, starter_model_path: Path, use_mmap: bool, cache_type: CacheType
) -> None:
    options = small_options(
        use_mmap=use_mmap, cache_type_k=cache_type, cache_type_v=cache_type, flash_attn=FlashAttention.ON
    )
    fresh_runner.load(starter_model_path, options)
    assert fresh_runner.ask("Hello").text


def _bad_file(kind: str, starter: Path) -> bytes:
    with starter.open("rb") as file:
        head = file.read(4_000_000)
    return {
        "empty": b"",
        "magic only": b"GGUF",
        "wrong magic": b"JUNK" + head[4:],
        "wrong version": head[:4] + b"\xff\x00\x00\x00" + head[8:],
        "random bytes": bytes(range(256)) * 4096,
        "absurd counts": head[:8] + b"\xff" * 16 + head[24:],
        "truncated header": head[:500_000],
        "truncated weights": head,
    }[kind]


@pytest.mark.parametrize(
    "kind",
    [
        "empty",
        "magic only",
        "wrong magic",
        "wrong version",
        "random bytes",
        "absurd counts",
        "truncated header",
        "truncated weights",
    ],
)
def test_invalid_file_is_rejected_with_the_reason(
    fresh_runner: RunnerProcess, starter_model_path: Path, tmp_path: Path, kind: str
) -> None:
    path = tmp_path / "bad.gguf"
    path.write_bytes(_bad_file(kind, starter_model_path))
    error = fresh_runner.rejected(path).error
    assert error.code == "model_file_invalid"
    assert str(error.data["reason"]).strip(". ")
    assert fresh_runner.wait() == 1


def test_unknown_architecture_is_rejected_as_unknown(fresh_runner: RunnerProcess, tmp_path: Path) -> None:
    path = write_llama(tmp_path / "new.gguf")
    path.write_bytes(path.read_bytes().replace(b"llama", b"newer"))
    error = fresh_runner.rejected(path).error
    assert (error.code, error.data) == ("model_kind_unknown", {"kind": "newer"})


def test_missing_file_is_rejected_as_missing(fresh_runner: RunnerProcess, tmp_path: Path) -> None:
    assert fresh_runner.rejected(tmp_path / "gone.gguf").error.code == "model_file_missing"


def test_folder_is_rejected(fresh_runner: RunnerProcess, tmp_path: Path) -> None:
    assert fresh_runner.rejected(tmp_path).error.code == "model_file_invalid"


def test_unicode_path_loads(fresh_runner: RunnerProcess, starter_model_path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "模型 ñ 🦙"
    folder.mkdir()
    path = folder / "a model.gguf"
    path.symlink_to(starter_model_path)
    assert fresh_runner.load(path).n_layers == 30


def test_context_that_cannot_fit_is_refused_with_both_sizes(
    fresh_runner: RunnerProcess, starter_model_path: Path
) -> None:
    """It is not tried: the system would overcommit the memory and then kill the process."""
    options = small_options(n_ctx=8192, n_seq_max=256, n_batch=512, cache_type_k=CacheType.F32)
    error = fresh_runner.rejected(starter_model_path, options).error
    assert error.code == "out_of_memory"
    needed, available = error.data["needed_bytes"], error.data["available_bytes"]
    assert isinstance(needed, int)
    assert isinstance(available, int)
    assert needed > available
    fresh_runner.wait()
    assert "failed to allocate" not in fresh_runner.log


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("n_ctx", LoadOptions(n_ctx=0)),
        ("n_seq_max", LoadOptions(n_seq_max=0)),
        ("n_batch", LoadOptions(n_batch=-1)),
        ("n_threads", LoadOptions(n_threads=10**6)),
        ("n_gpu_layers", LoadOptions(n_gpu_layers=-7)),
        ("cache_type_v", LoadOptions(cache_type_v=CacheType.Q4_0, flash_attn=FlashAttention.OFF)),
    ],
)
def test_option_out_of_range_is_rejected_by_name(
    fresh_runner: RunnerProcess, starter_model_path: Path, name: str, options: LoadOptions
) -> None:
    error = fresh_runner.rejected(starter_model_path, options).error
    assert (error.code, error.data["name"]) == ("invalid_parameter", name)
