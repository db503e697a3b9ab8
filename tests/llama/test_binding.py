"""The binding's structures are those of the library, for the pinned version."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

SCRIPT = """
import ctypes, json
from importlib.metadata import version
from fireside.runner.native import lib
from fireside.runner.llama import CACHE_TYPES
from fireside.runner.native import symbol
model, context = lib.llama_model_default_params(), lib.llama_context_default_params()
name = symbol("ggml_type_name", ctypes.c_char_p, [ctypes.c_int])
print(json.dumps({
    "version": version("llama-cpp-python"),
    "sizes": {kind.__name__: ctypes.sizeof(kind) for kind in (
        lib.llama_model_params, lib.llama_context_params, lib.llama_batch,
        lib.llama_sampler_chain_params, lib.llama_token_data)},
    "model": {key: getattr(model, key) for key in (
        "n_gpu_layers", "split_mode", "load_mode", "main_gpu", "vocab_only", "check_tensors",
        "use_extra_bufts", "no_host", "no_alloc")},
    "context": {key: getattr(context, key) for key in (
        "n_ctx", "n_batch", "n_ubatch", "n_seq_max", "n_outputs_max", "flash_attn_type", "type_k", "type_v",
        "defrag_thold", "embeddings", "offload_kqv", "no_perf", "op_offload", "swa_full", "kv_unified",
        "n_samplers")},
    "cache_types": {kind.value: name(number).decode() for kind, number in CACHE_TYPES.items()},
}))
"""

Facts = dict[str, object]


@pytest.fixture(scope="module")
def facts() -> Facts:
    done = subprocess.run([sys.executable, "-P", "-c", SCRIPT], capture_output=True, timeout=60, check=True)
    read: Facts = json.loads(done.stdout)
    return read


def test_version_is_the_pinned_one(facts: Facts) -> None:
    assert facts["version"] == "0.3.36"


def test_structures_have_the_recorded_sizes(facts: Facts) -> None:
    assert facts["sizes"] == {
        "llama_model_params": 80,
        "llama_context_params": 160,
        "llama_batch": 56,
        "llama_sampler_chain_params": 1,
        "llama_token_data": 12,
    }


def test_default_parameters_have_the_library_s_values(facts: Facts) -> None:
    """A moved field would have the value of another one; all fields are compared."""
    assert facts["model"] == {
        "n_gpu_layers": -1,
        "split_mode": 1,
        "load_mode": -1,
        "main_gpu": 0,
        "vocab_only": False,
        "check_tensors": False,
        "use_extra_bufts": True,
        "no_host": False,
        "no_alloc": False,
    }
    assert facts["context"] == {
        "n_ctx": 512,
        "n_batch": 2048,
        "n_ubatch": 512,
        "n_seq_max": 1,
        "n_outputs_max": 0,
        "flash_attn_type": -1,
        "type_k": 1,
        "type_v": 1,
        "defrag_thold": -1.0,
        "embeddings": False,
        "offload_kqv": True,
        "no_perf": True,
        "op_offload": True,
        "swa_full": True,
        "kv_unified": False,
        "n_samplers": 0,
    }


def test_cache_types_have_the_library_s_numbers(facts: Facts) -> None:
    types = facts["cache_types"]
    assert isinstance(types, dict)
    assert all(number == native for number, native in types.items())
