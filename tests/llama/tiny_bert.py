"""Write a BERT of a few kilobytes with random weights: reads both ways, keeps no KV cache, gives vectors."""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np

N_EMBD = 32
N_CTX = 64
_N_LAYER = 2
_N_FF = 48
_CONTROL, _NORMAL, _UNKNOWN = 3, 1, 2
CLS, SEP = 2, 3


def write_bert(path: Path, *, pooling: gguf.PoolingType, n_ctx: int = N_CTX) -> Path:
    """With ``RANK`` it has a classification head with one score."""
    writer = gguf.GGUFWriter(path, "bert")
    writer.add_name("Tiny BERT")
    writer.add_context_length(n_ctx)
    writer.add_embedding_length(N_EMBD)
    writer.add_block_count(_N_LAYER)
    writer.add_feed_forward_length(_N_FF)
    writer.add_head_count(2)
    writer.add_layer_norm_eps(1e-6)
    writer.add_causal_attention(False)
    writer.add_pooling_type(pooling)
    n_vocab = _vocabulary(writer)
    random = np.random.default_rng(11)

    def add(name: str, *shape: int, middle: float = 0.0) -> None:
        writer.add_tensor(name, (middle + 0.3 * random.standard_normal(shape)).astype(np.float32))

    add("token_embd.weight", n_vocab, N_EMBD)
    add("token_types.weight", 2, N_EMBD)
    add("position_embd.weight", n_ctx, N_EMBD)
    add("token_embd_norm.weight", N_EMBD, middle=1)
    add("token_embd_norm.bias", N_EMBD)
    for layer in range(_N_LAYER):
        for name, n_out, n_in in (
            ("attn_q", N_EMBD, N_EMBD),
            ("attn_k", N_EMBD, N_EMBD),
            ("attn_v", N_EMBD, N_EMBD),
            ("attn_output", N_EMBD, N_EMBD),
            ("ffn_up", _N_FF, N_EMBD),
            ("ffn_down", N_EMBD, _N_FF),
        ):
            add(f"blk.{layer}.{name}.weight", n_out, n_in)
            add(f"blk.{layer}.{name}.bias", n_out)
        for name in ("attn_output_norm", "layer_output_norm"):
            add(f"blk.{layer}.{name}.weight", N_EMBD, middle=1)
            add(f"blk.{layer}.{name}.bias", N_EMBD)
    if pooling is gguf.PoolingType.RANK:
        add("cls.weight", N_EMBD, N_EMBD)
        add("cls.bias", N_EMBD)
        add("cls.output.weight", 1, N_EMBD)
        add("cls.output.bias", 1)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _vocabulary(writer: gguf.GGUFWriter) -> int:
    """Letters as words and as word continuations, as in WordPiece."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    tokens = [("[PAD]", _CONTROL), ("[UNK]", _UNKNOWN), ("[CLS]", _CONTROL), ("[SEP]", _CONTROL)]
    tokens += [(f"▁{letter}", _NORMAL) for letter in letters]
    tokens += [(letter, _NORMAL) for letter in letters]
    writer.add_tokenizer_model("bert")
    writer.add_tokenizer_pre("default")
    writer.add_token_list([text for text, _ in tokens])
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_token_types([kind for _, kind in tokens])
    writer.add_token_type_count(2)
    writer.add_pad_token_id(0)
    writer.add_unk_token_id(1)
    writer.add_bos_token_id(CLS)
    writer.add_eos_token_id(SEP)
    writer.add_sep_token_id(SEP)
    writer.add_add_bos_token(True)
    return len(tokens)
