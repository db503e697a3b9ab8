"""Facts from llama.cpp's log."""

from __future__ import annotations

import pytest

from fireside.core.status import MemoryReport
from fireside.runner.llama_log import (
    ERROR,
    INFO,
    LogLine,
    first_error,
    memory_ran_out,
    memory_reports,
    mlock_failed,
    n_offloaded,
    offload_devices,
    unknown_kind,
    uses_pipeline,
)

MIB = 1024 * 1024


def _lines(*texts: str) -> list[LogLine]:
    return [LogLine(INFO, text) for text in texts]


def test_short_memory_and_address_space_are_told_from_other_errors() -> None:
    for text in (
        "ggml_aligned_malloc: insufficient memory (attempted to allocate 180.00 MB)",
        "llama_model_load: error loading model: mmap failed: Cannot allocate memory",
        "llama_init_from_model: failed to initialize the context: failed to allocate buffer for kv cache",
        "llama_model_load: error loading model: std::bad_alloc",
    ):
        assert memory_ran_out([LogLine(ERROR, text)])
        assert not memory_ran_out([LogLine(INFO, text)])
    assert not memory_ran_out([LogLine(ERROR, "error loading model: mmap failed: Permission denied")])


def test_buffers_are_parsed_by_type_and_kind() -> None:
    lines = _lines(
        "load_tensors:   CPU_Mapped model buffer size =    92.50 MiB",
        "llama_context:        CPU  output buffer size =     0.50 MiB",
        "llama_kv_cache:        CPU KV buffer size =   360.00 MiB",
        "sched_reserve:        CPU compute buffer size =    21.50 MiB",
    )
    assert memory_reports(lines) == (
        MemoryReport(buffer="CPU_Mapped", weights_bytes=round(92.5 * MIB), kv_bytes=0, compute_bytes=0),
        MemoryReport(buffer="CPU", weights_bytes=0, kv_bytes=360 * MIB, compute_bytes=22 * MIB),
    )


def test_two_caches_of_a_sliding_window_model_add_up() -> None:
    lines = _lines(
        "llama_kv_cache:        CPU KV buffer size =    24.00 MiB",
        "llama_kv_cache:        CPU KV buffer size =    30.00 MiB",
    )
    assert memory_reports(lines)[0].kv_bytes == 54 * MIB


def test_compute_buffer_logged_again_counts_once() -> None:
    lines = _lines(
        "sched_reserve:        CPU compute buffer size =    21.00 MiB",
        "sched_reserve:        CPU compute buffer size =    25.00 MiB",
    )
    assert memory_reports(lines)[0].compute_bytes == 25 * MIB


def test_offloaded_layers_and_devices_are_parsed() -> None:
    lines = _lines(
        "llama_model_load_from_file_impl: using device CUDA0 (NVIDIA H200) (0000:01:00.0) - 143000 MiB free",
        "load_tensors: offloaded 31/31 layers to GPU",
    )
    assert n_offloaded(lines) == 31
    assert offload_devices(lines) == ("CUDA0",)


def test_first_error_has_no_function_names() -> None:
    lines = [
        LogLine(INFO, "llama_model_loader: loaded"),
        LogLine(ERROR, "gguf_init_from_file_ptr: invalid magic characters: 'abcd', expected 'GGUF'"),
        LogLine(ERROR, "llama_model_load: error loading model"),
    ]
    assert first_error(lines) == "invalid magic characters: 'abcd', expected 'GGUF'"


def test_first_error_is_empty_without_errors() -> None:
    assert first_error(_lines("all is well")) == ""


@pytest.mark.parametrize(
    "line",
    [
        "llama_model_load: error loading model: unknown model architecture: 'newest'",
        "llama_model_load: error loading model: error loading model vocabulary: "
        "unknown pre-tokenizer type: 'newest'",
    ],
)
def test_unknown_architecture_is_named(line: str) -> None:
    assert unknown_kind([LogLine(INFO, "general.name"), LogLine(ERROR, line)]) == "newest"


def test_other_failures_name_no_unknown_kind() -> None:
    assert unknown_kind([LogLine(ERROR, "llama_model_load: error loading model")]) == ""


def test_failed_mlock_is_detected() -> None:
    refused = (
        "warning: failed to mlock 96473088-byte buffer (after previously locking 0 bytes): Cannot allocate"
    )
    assert mlock_failed([LogLine(3, refused)])
    assert not mlock_failed([LogLine(2, "load_tensors: loading model tensors (load_mode = mmap+mlock)")])


def test_pipeline_parallelism_is_detected() -> None:
    enabled = "llama_context: pipeline parallelism enabled"
    given_up = "sched_reserve: compute buffer allocation failed, retrying without pipeline parallelism"
    assert uses_pipeline(_lines("llama_context: n_ctx = 512", enabled))
    assert not uses_pipeline(_lines(enabled, given_up))
    assert not uses_pipeline(_lines("llama_context: n_ctx = 512"))
