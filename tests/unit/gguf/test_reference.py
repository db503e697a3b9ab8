"""The header reader compared with ggml's own, of the version that the runner uses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.ggml_oracle import GgmlOracle
from fakes.ggml_views import ggml_view
from fireside.core.ids import ModelId
from fireside.gguf import chat_template, model_spec, read_header
from fireside.gguf.format_constants import REMOVED_TENSOR_TYPES, TENSOR_TYPES


@pytest.fixture
def oracle() -> Iterator[GgmlOracle]:
    with GgmlOracle() as running:
        yield running


def test_the_starter_model_reads_as_in_ggml(starter_model_path: Path, oracle: GgmlOracle) -> None:
    assert ggml_view(read_header(starter_model_path)) == oracle.header(starter_model_path)


def test_tensor_types_equal_those_of_ggml(oracle: GgmlOracle) -> None:
    count = max(TENSOR_TYPES) + 1
    theirs = {
        number: (name.upper(), block_size, block_bytes)
        for number, (name, block_size, block_bytes) in enumerate(oracle.formats(count))
        if block_size
    }
    mine = {number: (t.name, t.block_size, t.block_bytes) for number, t in TENSOR_TYPES.items()}
    assert mine == theirs
    assert set(range(count)) - set(theirs) == set(REMOVED_TENSOR_TYPES)


def test_the_starter_model_has_its_known_properties(starter_model_path: Path) -> None:
    header = read_header(starter_model_path)
    spec = model_spec(header, path=str(starter_model_path), id=ModelId("starter"))
    assert (spec.name, spec.architecture, spec.quantization) == ("SmolLM2 135M Instruct", "llama", "Q4_1")
    assert (spec.n_layers, spec.n_embd, spec.n_vocab, spec.n_ctx_train) == (30, 576, 49_152, 8192)
    assert (spec.n_head_kv, spec.head_dim, spec.n_params) == (3, 64, 134_515_008)
    assert spec.licence == "apache-2.0"
    assert "<|im_start|>" in (chat_template(header) or "")
