"""The reader against two independent readers: the gguf package, and ggml itself."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import gguf as reference
import pytest

from fireside.core.ids import ModelId
from fireside.gguf import Omitted, chat_template, model_spec, read_header
from fireside.gguf.formats import REMOVED_TENSOR_TYPES, TENSOR_TYPES


@pytest.fixture(scope="module")
def reference_reader(starter_model_path: Path) -> reference.GGUFReader:
    return reference.GGUFReader(starter_model_path)


def test_metadata_of_the_starter_model_equals_the_reference(
    starter_model_path: Path, reference_reader: reference.GGUFReader
) -> None:
    header = read_header(starter_model_path)
    fields = {name: item for name, item in reference_reader.fields.items() if not name.startswith("GGUF.")}
    assert list(header.metadata) == list(fields)
    for name, item in fields.items():
        mine = header.metadata[name]
        theirs = item.contents()
        if isinstance(mine, Omitted):
            assert mine.count == len(item.data), name
            assert mine.element_type.value == item.types[1].value, name
        else:
            assert mine == (tuple(theirs) if isinstance(theirs, list) else theirs), name


def test_tensors_of_the_starter_model_equal_the_reference(
    starter_model_path: Path, reference_reader: reference.GGUFReader
) -> None:
    header = read_header(starter_model_path)
    mine = [
        (t.name, t.shape, t.type_id, t.n_elements, t.n_bytes, header.data_offset + t.offset)
        for t in header.tensors
    ]
    theirs = [
        (
            t.name,
            tuple(int(n) for n in t.shape),
            int(t.tensor_type),
            int(t.n_elements),
            int(t.n_bytes),
            int(t.data_offset),
        )
        for t in reference_reader.tensors
    ]
    assert mine == theirs


def test_the_starter_model_is_what_it_is(starter_model_path: Path) -> None:
    header = read_header(starter_model_path)
    spec = model_spec(header, path=str(starter_model_path), id=ModelId("starter"))
    assert (spec.name, spec.architecture, spec.quantization) == ("SmolLM2 135M Instruct", "llama", "Q4_1")
    assert (spec.n_layers, spec.n_embd, spec.n_vocab, spec.n_ctx_train) == (30, 576, 49_152, 8192)
    assert (spec.n_head_kv, spec.head_dim, spec.n_params) == (3, 64, 134_515_008)
    assert spec.licence == "apache-2.0"
    assert "<|im_start|>" in (chat_template(header) or "")


ASK_GGML = """
import ctypes, json, sys
ggml = ctypes.CDLL(sys.argv[1])
ggml.ggml_type_name.restype = ctypes.c_char_p
ggml.ggml_type_size.restype = ctypes.c_size_t
ggml.ggml_blck_size.restype = ctypes.c_int64
count = int(sys.argv[2])
print(json.dumps([[ggml.ggml_type_name(n).decode(), ggml.ggml_blck_size(n), ggml.ggml_type_size(n)]
                  for n in range(count)]))
"""


def ggml_library() -> Path:
    spec = importlib.util.find_spec("llama_cpp")
    assert spec is not None
    assert spec.origin is not None
    folder = Path(spec.origin).parent / "lib"
    names = ("libggml-base.so", "libggml-base.dylib", "ggml-base.dll")
    return next(folder / name for name in names if (folder / name).is_file())


def test_formats_are_those_of_the_ggml_that_the_runner_uses() -> None:
    count = max(TENSOR_TYPES) + 1
    # In a child: one process must not map a second ggml beside the one that a runner maps.
    command = [sys.executable, "-c", ASK_GGML, str(ggml_library()), str(count)]
    answer = subprocess.run(command, capture_output=True, check=True, text=True, timeout=60)
    theirs = {
        number: (name.upper(), block_size, block_bytes)
        for number, (name, block_size, block_bytes) in enumerate(json.loads(answer.stdout))
        if block_size
    }
    mine = {number: (t.name, t.block_size, t.block_bytes) for number, t in TENSOR_TYPES.items()}
    assert mine == theirs
    assert set(range(count)) - set(theirs) == set(REMOVED_TENSOR_TYPES)
