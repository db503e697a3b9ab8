"""Write an adapter with random weights for a Llama."""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np

from fireside.gguf import read_header

_RANK = 4


def write_lora(path: Path, *, model: Path, seed: int = 0) -> Path:
    """An adapter for the query weights of every third layer of ``model``."""
    shapes = {
        tensor.name: tensor.shape
        for tensor in read_header(model).tensors
        if tensor.name.endswith("attn_q.weight")
    }
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_type("adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", 2.0 * _RANK)
    random = np.random.default_rng(seed)
    for name, (n_in, n_out) in list(shapes.items())[::3]:
        writer.add_tensor(f"{name}.lora_a", 0.05 * random.standard_normal((_RANK, n_in)).astype(np.float32))
        writer.add_tensor(f"{name}.lora_b", 0.05 * random.standard_normal((n_out, _RANK)).astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
