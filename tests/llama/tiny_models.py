"""Write GGUF models of a few kilobytes with random weights, for architectures that no test model covers."""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np
import numpy.typing as npt

N_EMBD = 32
N_HEAD = 2
HEAD_DIM = 16
N_FF = 32
N_LAYER = 2
WINDOW = 64

_CONTROL, _BYTE, _NORMAL, _UNKNOWN = 3, 6, 1, 2
_N_NO_LETTERS = 3 + 256
"""Control tokens and bytes, in front of the letters."""
_COMMON = 9.0


def sentencepiece_vocab(writer: gguf.GGUFWriter, *, n_more: int = 0) -> int:
    """A vocabulary with space prefix and BOS: all bytes, all lower-case letters with and without a space."""
    tokens = [("<unk>", _UNKNOWN), ("<s>", _CONTROL), ("</s>", _CONTROL)]
    tokens += [(f"<0x{byte:02X}>", _BYTE) for byte in range(256)]
    letters = "abcdefghijklmnopqrstuvwxyz"
    tokens += [(f"▁{letter}", _NORMAL) for letter in letters]
    tokens += [(letter, _NORMAL) for letter in ["▁", *letters, *letters.upper()]]
    tokens += [(f"more{number}", _NORMAL) for number in range(n_more)]
    writer.add_tokenizer_model("llama")
    writer.add_tokenizer_pre("default")
    writer.add_token_list([text for text, _ in tokens])
    writer.add_token_scores([-float(index) for index in range(len(tokens))])
    writer.add_token_types([kind for _, kind in tokens])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_add_bos_token(True)
    writer.add_add_space_prefix(True)
    return len(tokens)


class _Weights:
    """Random tensors, the same in every run."""

    def __init__(self, writer: gguf.GGUFWriter) -> None:
        self._writer = writer
        self._random = np.random.default_rng(7)

    def made(self, *shape: int) -> npt.NDArray[np.float32]:
        return self._random.standard_normal(shape).astype(np.float32) * np.float32(0.3)

    def add(self, name: str, *shape: int) -> None:
        values = self.made(*shape)
        self._writer.add_tensor(name, values if len(shape) > 1 else np.abs(values) + 0.5)


def write_out(writer: gguf.GGUFWriter) -> None:
    """Write the file, and close it."""
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _common(writer: gguf.GGUFWriter, *, n_ctx: int, n_head_kv: int | list[int] = 1) -> int:
    writer.add_name("Tiny")
    writer.add_context_length(n_ctx)
    writer.add_embedding_length(N_EMBD)
    writer.add_block_count(N_LAYER)
    writer.add_feed_forward_length(N_FF)
    writer.add_head_count(N_HEAD)
    writer.add_head_count_kv(n_head_kv)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_rope_freq_base(10000.0)
    return sentencepiece_vocab(writer)


def _attention(weights: _Weights, layer: int) -> None:
    weights.add(f"blk.{layer}.attn_norm.weight", N_EMBD)
    weights.add(f"blk.{layer}.attn_q.weight", N_HEAD * HEAD_DIM, N_EMBD)
    weights.add(f"blk.{layer}.attn_k.weight", HEAD_DIM, N_EMBD)
    weights.add(f"blk.{layer}.attn_v.weight", HEAD_DIM, N_EMBD)
    weights.add(f"blk.{layer}.attn_output.weight", N_EMBD, N_HEAD * HEAD_DIM)
    weights.add(f"blk.{layer}.ffn_norm.weight", N_EMBD)
    weights.add(f"blk.{layer}.ffn_gate.weight", N_FF, N_EMBD)
    weights.add(f"blk.{layer}.ffn_up.weight", N_FF, N_EMBD)
    weights.add(f"blk.{layer}.ffn_down.weight", N_EMBD, N_FF)


def write_llama(
    path: Path, *, chat_template: str | None = None, n_ctx: int = 2048, writes_letters: bool = False
) -> Path:
    """A Llama with a SentencePiece vocabulary, which Llama 2 and Mistral 7B have.

    With ``writes_letters`` it never ends an answer by itself, and writes whole characters alone.
    """
    writer = gguf.GGUFWriter(path, "llama")
    n_vocab = _common(writer, n_ctx=n_ctx)
    writer.add_vocab_size(n_vocab)
    writer.add_rope_dimension_count(HEAD_DIM)
    if chat_template is not None:
        writer.add_chat_template(chat_template)
    weights = _Weights(writer)
    embedding, output = weights.made(n_vocab, N_EMBD), weights.made(n_vocab, N_EMBD)
    if writes_letters:
        # What all tokens have in common speaks against those that stand before the letters.
        embedding[:, 0] = _COMMON
        output[:, 0] = 0
        output[:_N_NO_LETTERS, 0] = -_COMMON
    writer.add_tensor("token_embd.weight", embedding)
    weights.add("output_norm.weight", N_EMBD)
    writer.add_tensor("output.weight", output)
    for layer in range(N_LAYER):
        _attention(weights, layer)
    write_out(writer)
    return path


def write_gemma3(path: Path, *, chat_template: str | None = None) -> Path:
    """A Gemma 3, in which some layers see only the last ``WINDOW`` tokens."""
    writer = gguf.GGUFWriter(path, "gemma3")
    n_vocab = _common(writer, n_ctx=4096)
    if chat_template is not None:
        writer.add_chat_template(chat_template)
    writer.add_key_length(HEAD_DIM)
    writer.add_value_length(HEAD_DIM)
    writer.add_sliding_window(WINDOW)
    weights = _Weights(writer)
    weights.add("token_embd.weight", n_vocab, N_EMBD)
    weights.add("output_norm.weight", N_EMBD)
    for layer in range(N_LAYER):
        _attention(weights, layer)
        weights.add(f"blk.{layer}.attn_q_norm.weight", HEAD_DIM)
        weights.add(f"blk.{layer}.attn_k_norm.weight", HEAD_DIM)
        weights.add(f"blk.{layer}.post_attention_norm.weight", N_EMBD)
        weights.add(f"blk.{layer}.post_ffw_norm.weight", N_EMBD)
    write_out(writer)
    return path


def write_qwen3moe(path: Path) -> Path:
    """A mixture of experts: of four in each layer, two work on a token."""
    n_experts = 4
    writer = gguf.GGUFWriter(path, "qwen3moe")
    n_vocab = _common(writer, n_ctx=2048)
    writer.add_vocab_size(n_vocab)
    writer.add_key_length(HEAD_DIM)
    writer.add_value_length(HEAD_DIM)
    writer.add_expert_count(n_experts)
    writer.add_expert_used_count(2)
    writer.add_expert_feed_forward_length(N_FF)
    weights = _Weights(writer)
    weights.add("token_embd.weight", n_vocab, N_EMBD)
    weights.add("output_norm.weight", N_EMBD)
    weights.add("output.weight", n_vocab, N_EMBD)
    for layer in range(N_LAYER):
        weights.add(f"blk.{layer}.attn_norm.weight", N_EMBD)
        weights.add(f"blk.{layer}.attn_q.weight", N_HEAD * HEAD_DIM, N_EMBD)
        weights.add(f"blk.{layer}.attn_k.weight", HEAD_DIM, N_EMBD)
        weights.add(f"blk.{layer}.attn_v.weight", HEAD_DIM, N_EMBD)
        weights.add(f"blk.{layer}.attn_q_norm.weight", HEAD_DIM)
        weights.add(f"blk.{layer}.attn_k_norm.weight", HEAD_DIM)
        weights.add(f"blk.{layer}.attn_output.weight", N_EMBD, N_HEAD * HEAD_DIM)
        weights.add(f"blk.{layer}.ffn_norm.weight", N_EMBD)
        weights.add(f"blk.{layer}.ffn_gate_inp.weight", n_experts, N_EMBD)
        weights.add(f"blk.{layer}.ffn_gate_exps.weight", n_experts, N_FF, N_EMBD)
        weights.add(f"blk.{layer}.ffn_up_exps.weight", n_experts, N_FF, N_EMBD)
        weights.add(f"blk.{layer}.ffn_down_exps.weight", n_experts, N_EMBD, N_FF)
    write_out(writer)
    return path


def write_qwen2vl(path: Path, *, chat_template: str | None = None) -> Path:
    """A Qwen2-VL, whose positions have several dimensions (M-RoPE)."""
    writer = gguf.GGUFWriter(path, "qwen2vl")
    n_vocab = _common(writer, n_ctx=2048)
    writer.add_rope_dimension_sections([4, 2, 2, 0])
    if chat_template is not None:
        writer.add_chat_template(chat_template)
    weights = _Weights(writer)
    weights.add("token_embd.weight", n_vocab, N_EMBD)
    weights.add("output_norm.weight", N_EMBD)
    weights.add("output.weight", n_vocab, N_EMBD)
    for layer in range(N_LAYER):
        _attention(weights, layer)
        weights.add(f"blk.{layer}.attn_q.bias", N_HEAD * HEAD_DIM)
        weights.add(f"blk.{layer}.attn_k.bias", HEAD_DIM)
        weights.add(f"blk.{layer}.attn_v.bias", HEAD_DIM)
    write_out(writer)
    return path


def write_lfm2(path: Path) -> Path:
    """An LFM2, a hybrid: a layer with a running state, which knows no way back, and one of attention."""
    writer = gguf.GGUFWriter(path, "lfm2")
    n_vocab = _common(writer, n_ctx=4096, n_head_kv=[0, 1])
    writer.add_vocab_size(n_vocab)
    writer.add_shortconv_l_cache(3)
    weights = _Weights(writer)
    weights.add("token_embd.weight", n_vocab, N_EMBD)
    weights.add("token_embd_norm.weight", N_EMBD)
    for layer in range(N_LAYER):
        weights.add(f"blk.{layer}.attn_norm.weight", N_EMBD)
        weights.add(f"blk.{layer}.ffn_norm.weight", N_EMBD)
        weights.add(f"blk.{layer}.ffn_gate.weight", N_FF, N_EMBD)
        weights.add(f"blk.{layer}.ffn_up.weight", N_FF, N_EMBD)
        weights.add(f"blk.{layer}.ffn_down.weight", N_EMBD, N_FF)
    weights.add("blk.0.shortconv.conv.weight", N_EMBD, 3)
    weights.add("blk.0.shortconv.in_proj.weight", 3 * N_EMBD, N_EMBD)
    weights.add("blk.0.shortconv.out_proj.weight", N_EMBD, N_EMBD)
    weights.add("blk.1.attn_q.weight", N_HEAD * HEAD_DIM, N_EMBD)
    weights.add("blk.1.attn_k.weight", HEAD_DIM, N_EMBD)
    weights.add("blk.1.attn_v.weight", HEAD_DIM, N_EMBD)
    weights.add("blk.1.attn_output.weight", N_EMBD, N_HEAD * HEAD_DIM)
    weights.add("blk.1.attn_q_norm.weight", HEAD_DIM)
    weights.add("blk.1.attn_k_norm.weight", HEAD_DIM)
    write_out(writer)
    return path


def write_mamba(path: Path) -> Path:
    """A Mamba: nothing but running states."""
    n_inner, n_state, n_rank, n_conv = 2 * N_EMBD, 4, 2, 4
    writer = gguf.GGUFWriter(path, "mamba")
    n_vocab = _common(writer, n_ctx=4096, n_head_kv=0)
    writer.add_vocab_size(n_vocab)
    writer.add_ssm_conv_kernel(n_conv)
    writer.add_ssm_inner_size(n_inner)
    writer.add_ssm_state_size(n_state)
    writer.add_ssm_time_step_rank(n_rank)
    weights = _Weights(writer)
    weights.add("token_embd.weight", n_vocab, N_EMBD)
    weights.add("output_norm.weight", N_EMBD)
    for layer in range(N_LAYER):
        weights.add(f"blk.{layer}.attn_norm.weight", N_EMBD)
        weights.add(f"blk.{layer}.ssm_in.weight", 2 * n_inner, N_EMBD)
        weights.add(f"blk.{layer}.ssm_conv1d.weight", n_inner, n_conv)
        weights.add(f"blk.{layer}.ssm_conv1d.bias", n_inner)
        weights.add(f"blk.{layer}.ssm_x.weight", n_rank + 2 * n_state, n_inner)
        weights.add(f"blk.{layer}.ssm_dt.weight", n_inner, n_rank)
        weights.add(f"blk.{layer}.ssm_dt.bias", n_inner)
        # The state fades: its logarithm's rate is negative.
        writer.add_tensor(f"blk.{layer}.ssm_a", -np.ones((n_inner, n_state), np.float32))
        weights.add(f"blk.{layer}.ssm_d", n_inner)
        weights.add(f"blk.{layer}.ssm_out.weight", N_EMBD, n_inner)
    write_out(writer)
    return path
