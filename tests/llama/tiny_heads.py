"""Write small models with heads for multi-token prediction, whose drafts are good or random as wanted."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import gguf
import msgspec
import numpy as np
import numpy.typing as npt

from llama.tiny_models import sentencepiece_vocab, write_out

_ARCHITECTURES: Final = ("qwen35", "glm4moe", "hy_v3")
_N_FIRST_LETTER: Final = 3 + 256
_LIKELY: Final = 0.5


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """The sizes of a model, and how much its layers change what follows from the last token alone."""

    n_embd: int = 128
    n_layers: int = 4
    n_ff: int = 64
    gain: float = 0.01
    n_ctx: int = 2048
    n_more_tokens: int = 0
    """Added to the vocabulary."""


def write_with_heads(
    path: Path,
    architecture: str = "qwen35",
    *,
    head: str = "tokens",
    shape: Shape | None = None,
    part: str = "all",
    chat_template: str | None = None,
) -> Path:
    """Write a model that says letters without end, with one block that predicts the token after the next.

    The layers of the model add little to the embedding of the last token, so that its next token is mostly a
    function of that. A block that computes this function drafts well.

    Args:
        head: what it computes it from: ``tokens``, or the ``states`` before them; ``random`` is no good. A
            word for each block, of which ``hy_v3`` may have several.
        part: ``trunk`` leaves the block out, ``heads`` everything else but embedding and output.
    """
    assert architecture in _ARCHITECTURES
    shape = shape or Shape()
    writer = gguf.GGUFWriter(path, architecture)
    model = _Model(writer, architecture, shape)
    heads = head.split() if part != "trunk" else []
    model.write_metadata(n_heads=len(heads))
    if chat_template is not None:
        writer.add_chat_template(chat_template)
    model.write_ends()
    if part != "heads":
        for layer in range(shape.n_layers):
            model.write_layer(layer, gain=shape.gain)
    for number, kind in enumerate(heads):
        model.write_head(shape.n_layers + number, kind)
    write_out(writer)
    return path


class _Model:
    def __init__(self, writer: gguf.GGUFWriter, architecture: str, shape: Shape) -> None:
        self._writer = writer
        self._architecture = architecture
        self._shape = shape
        self._random = np.random.default_rng(7)
        self._head_dim = 16
        self._n_head = shape.n_embd // 16

    def write_metadata(self, *, n_heads: int) -> None:
        writer, shape = self._writer, self._shape
        writer.add_name("Tiny with heads")
        writer.add_context_length(shape.n_ctx)
        writer.add_embedding_length(shape.n_embd)
        writer.add_block_count(shape.n_layers + n_heads)
        if n_heads:
            writer.add_nextn_predict_layers(n_heads)
        writer.add_feed_forward_length(shape.n_ff)
        writer.add_head_count(self._n_head)
        writer.add_head_count_kv(1)
        writer.add_key_length(self._head_dim)
        writer.add_value_length(self._head_dim)
        writer.add_layer_norm_rms_eps(1e-6)
        writer.add_rope_freq_base(10000.0)
        if self._architecture == "qwen35":
            writer.add_rope_dimension_count(self._head_dim)
            writer.add_rope_dimension_sections([4, 2, 2, 0])
            writer.add_ssm_conv_kernel(4)
            writer.add_ssm_inner_size(shape.n_embd)
            writer.add_ssm_state_size(16)
            writer.add_ssm_time_step_rank(shape.n_embd // 16)
            writer.add_ssm_group_count(1)
            writer.add_full_attention_interval(2)
        elif self._architecture == "hy_v3":
            writer.add_rope_dimension_count(self._head_dim)
            writer.add_expert_feed_forward_length(shape.n_ff)
        else:
            writer.add_leading_dense_block_count(1)
            writer.add_expert_count(4)
            writer.add_expert_used_count(2)
            writer.add_expert_shared_count(1)
            writer.add_expert_feed_forward_length(shape.n_ff)
            writer.add_expert_weights_scale(1.0)
        self.n_vocab = sentencepiece_vocab(writer, n_more=shape.n_more_tokens)

    def write_ends(self) -> None:
        embedding = self._made(self.n_vocab, self._shape.n_embd)
        self._letters = embedding[_N_FIRST_LETTER:]
        output = np.zeros_like(embedding)
        # One long cycle: behind each letter, the one 17 after it is by far the likeliest.
        output[_N_FIRST_LETTER:] = _LIKELY * np.roll(self._letters, 17, axis=0)
        self._writer.add_tensor("token_embd.weight", embedding)
        self._norm("output_norm")
        self._writer.add_tensor("output.weight", output)

    def write_layer(self, layer: int, *, gain: float) -> None:
        if self._architecture == "qwen35" and (layer + 1) % 2:
            self._linear_attention(layer, gain=gain)
        else:
            self._attention(layer, gain=gain)
        self._feed_forward(layer, gain=gain)

    def write_head(self, layer: int, head: str) -> None:
        n_embd = self._shape.n_embd
        gain = 1.0 if head == "random" else 0.0
        self._attention(layer, gain=gain)
        self._feed_forward(layer, gain=gain)
        nothing, projections = np.zeros((n_embd, n_embd), np.float32), self._made(n_embd, 2 * n_embd)
        if head == "tokens":
            projections = np.concatenate([np.eye(n_embd, dtype=np.float32), nothing], axis=1)
        elif head == "states":
            # A state is the direction of the token that it is behind; this makes it that of the next one.
            onwards = np.linalg.lstsq(self._letters, np.roll(self._letters, -17, axis=0), rcond=None)[0]
            projections = np.concatenate([nothing, onwards.T.astype(np.float32)], axis=1)
        self._writer.add_tensor(f"blk.{layer}.nextn.eh_proj.weight", projections)
        for name in ("nextn.enorm", "nextn.hnorm", "nextn.shared_head_norm"):
            self._norm(f"blk.{layer}.{name}")

    def _attention(self, layer: int, *, gain: float) -> None:
        n_embd, width = self._shape.n_embd, self._n_head * self._head_dim
        gated = 2 if self._architecture == "qwen35" else 1
        self._norm(f"blk.{layer}.attn_norm")
        self._add(f"blk.{layer}.attn_q.weight", gated * width, n_embd)
        self._add(f"blk.{layer}.attn_k.weight", self._head_dim, n_embd)
        self._add(f"blk.{layer}.attn_v.weight", self._head_dim, n_embd)
        self._add(f"blk.{layer}.attn_output.weight", n_embd, width, gain=gain)
        self._norm(f"blk.{layer}.{'ffn_norm' if self._architecture == 'hy_v3' else 'post_attention_norm'}")
        self._norm(f"blk.{layer}.attn_q_norm", self._head_dim)
        self._norm(f"blk.{layer}.attn_k_norm", self._head_dim)

    def _linear_attention(self, layer: int, *, gain: float) -> None:
        n_embd, n_heads = self._shape.n_embd, self._shape.n_embd // 16
        width = 16 * 2 + n_embd
        self._norm(f"blk.{layer}.attn_norm")
        self._norm(f"blk.{layer}.post_attention_norm")
        self._add(f"blk.{layer}.attn_qkv.weight", width, n_embd)
        self._add(f"blk.{layer}.attn_gate.weight", n_embd, n_embd)
        self._add(f"blk.{layer}.ssm_conv1d.weight", width, 4)
        self._add(f"blk.{layer}.ssm_dt.bias", n_heads)
        self._writer.add_tensor(f"blk.{layer}.ssm_a", -np.ones(n_heads, np.float32))
        self._add(f"blk.{layer}.ssm_beta.weight", n_heads, n_embd)
        self._add(f"blk.{layer}.ssm_alpha.weight", n_heads, n_embd)
        self._norm(f"blk.{layer}.ssm_norm", 16)
        self._add(f"blk.{layer}.ssm_out.weight", n_embd, n_embd, gain=gain)

    def _feed_forward(self, layer: int, *, gain: float) -> None:
        n_embd, n_ff = self._shape.n_embd, self._shape.n_ff
        if self._architecture != "glm4moe" or layer == 0:
            self._add(f"blk.{layer}.ffn_gate.weight", n_ff, n_embd)
            self._add(f"blk.{layer}.ffn_up.weight", n_ff, n_embd)
            self._add(f"blk.{layer}.ffn_down.weight", n_embd, n_ff, gain=gain)
            return
        self._add(f"blk.{layer}.ffn_gate_inp.weight", 4, n_embd)
        self._add(f"blk.{layer}.exp_probs_b.bias", 4)
        for kind, n_in in (("exps", (4,)), ("shexp", ())):
            self._add(f"blk.{layer}.ffn_gate_{kind}.weight", *n_in, n_ff, n_embd)
            self._add(f"blk.{layer}.ffn_up_{kind}.weight", *n_in, n_ff, n_embd)
            self._add(f"blk.{layer}.ffn_down_{kind}.weight", *n_in, n_embd, n_ff, gain=gain)

    def _norm(self, name: str, width: int = 0) -> None:
        self._writer.add_tensor(f"{name}.weight", np.ones(width or self._shape.n_embd, np.float32))

    def _add(self, name: str, *shape: int, gain: float = 1.0) -> None:
        self._writer.add_tensor(name, self._made(*shape) * np.float32(gain))

    def _made(self, *shape: int) -> npt.NDArray[np.float32]:
        return self._random.standard_normal(shape).astype(np.float32) * np.float32(0.3)
