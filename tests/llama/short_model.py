"""Write a model file with a few layers of a real one."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from gguf import GGML_QUANT_SIZES, GGMLQuantizationType
from gguf.quants import dequantize

from fireside.gguf import read_header

_FIXED = 24
"""Bytes of a file's beginning: magic, version and two counts."""
_UINT32, _STRING = 4, 8
"""Types of properties, as GGUF numbers them."""


def _text(text: str) -> bytes:
    return struct.pack("<Q", len(text.encode())) + text.encode()


def _number(key: str, number: int) -> bytes:
    return _text(key) + struct.pack("<II", _UINT32, number)


def _named(name: str) -> bytes:
    return _text("general.name") + struct.pack("<I", _STRING) + _text(name)


def _floats(weights: bytes | memoryview, type_id: int, *, n_columns: int) -> bytes:
    quantization = GGMLQuantizationType(type_id)
    n_block, n_block_bytes = GGML_QUANT_SIZES[quantization]
    rows = np.frombuffer(weights, np.uint8).reshape(-1, n_columns // n_block * n_block_bytes)
    return dequantize(rows, quantization).astype(np.float32).tobytes()


def write_short(
    path: Path, *, model: Path, layers: Sequence[int], as_floats: bool = False, n_ctx: int = 0
) -> Path:
    """A Llama with these of the layers of ``model``: its vocabulary and template, and a part of its work.

    What it writes makes no sense. ``n_ctx`` is the length that it says it was trained with; 0: as ``model``
    does. With ``as_floats`` its weights are no longer quantized, and llama.cpp
    rounds no activation to 8 bits.
    """
    header = read_header(model)
    content = memoryview(model.read_bytes())
    begin = bytes(content[: header.data_offset])
    metadata = begin[_FIXED : begin.index(_text(header.tensors[0].name))]
    n_layers, n_ctx_train = (header.integer(f"llama.{name}") for name in ("block_count", "context_length"))
    assert n_layers is not None
    assert n_ctx_train is not None
    for old, new in (
        (_number("llama.block_count", n_layers), _number("llama.block_count", len(layers))),
        (
            _number("llama.context_length", n_ctx_train),
            _number("llama.context_length", n_ctx or n_ctx_train),
        ),
        (_named(header.text("general.name")), _named(path.stem)),
    ):
        assert old in metadata
        metadata = metadata.replace(old, new)

    infos: list[bytes] = []
    parts: list[bytes | memoryview] = []
    n_bytes = 0
    for tensor in header.tensors:
        name = tensor.name
        if name.startswith("blk."):
            layer, _, rest = name.removeprefix("blk.").partition(".")
            if int(layer) not in layers:
                continue
            name = f"blk.{layers.index(int(layer))}.{rest}"
        shape = struct.pack(f"<I{len(tensor.shape)}Q", len(tensor.shape), *tensor.shape)
        start = header.data_offset + tensor.offset
        weights: bytes | memoryview = content[start : start + tensor.n_bytes]
        type_id = tensor.type_id
        if as_floats:
            weights, type_id = _floats(weights, type_id, n_columns=tensor.shape[0]), GGMLQuantizationType.F32
        infos.append(_text(name) + shape + struct.pack("<IQ", type_id, n_bytes))
        padding = bytes(-len(weights) % header.alignment)
        parts += [weights, padding]
        n_bytes += len(weights) + len(padding)
    begun = b"".join([begin[:8], struct.pack("<Q", len(infos)), begin[16:_FIXED], metadata, *infos])
    with path.open("wb") as file:
        file.writelines([begun, bytes(-len(begun) % header.alignment), *parts])
    return path
