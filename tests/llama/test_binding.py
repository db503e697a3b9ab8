"""The binding's structs and constants are those of the headers of the locked version, which is the one that
runs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

SCRIPT = """
import ctypes, json, re
from importlib.metadata import version
from pathlib import Path
import fireside.runner
from fireside.runner.native import lib
from fireside.runner.images.mtmd_binding import mtmd
from fireside.runner.llama import CACHE_TYPES
from fireside.runner.native import symbol
model, context = lib.llama_model_default_params(), lib.llama_context_default_params()
def is_missing(name):
    try:
        return not symbol(name, None, [])
    except AttributeError:
        return True
sources = "".join(path.read_text("utf-8") for path in Path(fireside.runner.__path__[0]).rglob("*.py"))
symbols = set(re.findall(r'symbol\\(\\s*"(\\w+)"', sources))
name = symbol("ggml_type_name", ctypes.c_char_p, [ctypes.c_int])
print(json.dumps({
    "version": version("llama-cpp-python"),
    "n_symbols": len(symbols), "missing": sorted(filter(is_missing, symbols)),
    "structs": {
        kind.__name__: {"": str(ctypes.sizeof(kind))} | {
            name: f"{getattr(kind, name).offset}+{getattr(kind, name).size}" for name, *_ in kind._fields_}
        for module in (lib, mtmd) for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, ctypes.Structure) and hasattr(kind, "_fields_")},
    "constants": {
        name: str(int(value)) for module in (lib, mtmd) for name, value in vars(module).items()
        if name.isupper() and isinstance(value, int)},
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

RECORD: Final = Path(__file__).with_name("binding.json")
"""What ``make update-binding`` read from the headers: “offset+size” of each field, as a C compiler says."""
OTHERWISE: Final = {
    "llama_model_kv_override": "a union, whose name and members the headers do not name",
    "llama_opt_params": "of training; the binding lacks its last field",
}
"""Structs that the binding declares in another way, and why that does no harm."""

Facts = dict[str, Any]


@pytest.fixture(scope="module")
def facts() -> Facts:
    done = subprocess.run([sys.executable, "-P", "-c", SCRIPT], capture_output=True, timeout=60, check=True)
    read: Facts = json.loads(done.stdout)
    return read


@pytest.fixture(scope="module")
def record() -> Facts:
    read: Facts = json.loads(RECORD.read_text(encoding="utf-8"))
    return read


def test_the_record_is_of_the_version_that_runs(facts: Facts, record: Facts) -> None:
    assert facts["version"] == record["binding"]["version"]


def test_each_field_is_where_the_compiler_puts_it(facts: Facts, record: Facts) -> None:
    declared: dict[str, dict[str, str]] = {}
    for name, place in record["structs"].items():
        struct, _, field = name.partition(".")
        declared.setdefault(struct, {})[field] = place
    assert set(facts["structs"]) == set(declared)
    wrong = {name for name, fields in declared.items() if facts["structs"][name] != fields}
    assert wrong == set(OTHERWISE)


def test_constants_have_the_numbers_of_the_headers(facts: Facts, record: Facts) -> None:
    assert facts["constants"].items() >= record["constants"].items()


def test_the_library_has_the_symbols_that_the_binding_leaves_out(facts: Facts) -> None:
    assert (facts["n_symbols"] > 10, facts["missing"]) == (True, [])


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
