"""Compute the memory layout of a model from its header, layer by layer, as llama.cpp allocates it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from fireside.core.model import LayerLayout, ModelLayout
from fireside.gguf.header import GgufHeader, TensorInfo

_LAYER = re.compile(r"(?:enc\.|dec\.)?blk\.(\d{1,4})\.(.+)")
_EXPERTS = re.compile(r"ffn_(?:gate|up|down|gate_up)_(?:ch)?exps\b")
_INPUTS: Final = frozenset(
    {"token_embd", "token_embd_norm", "token_types", "position_embd", "per_layer_token_embd"}
)
_EMBEDDINGS: Final = "token_embd.weight"
_OUTPUT: Final = "output.weight"
_STATE_PARTS: Final = ("ssm_", "shortconv.", "time_mix_")

_PERIODS: Final = {
    "afmoe": 4,
    "cohere2": 4,
    "exaone-moe": 4,
    "exaone4": 4,
    "gemma-embedding": 6,
    "gemma2": 2,
    "gemma3": 6,
    "gemma3n": 5,
    "gpt-oss": 2,
    "llama4": 4,
    "olmo2": 4,
    "plamo3": 8,
}
"""Layers per group, of which the last attends to all tokens and the others to a window, as in llama.cpp."""
_PERIODS_FROM_FIRST: Final = {"laguna": 4, "smallthinker": 4}
"""The same, but the first layer of a group attends to all tokens."""
_WINDOW_BY_LAYER: Final = frozenset({"gemma4", "mimo2", "step35"})
"""Their headers always list which layers have a window."""
_WITH_WINDOWS: Final = _PERIODS.keys() | _PERIODS_FROM_FIRST.keys() | _WINDOW_BY_LAYER
_DEFAULT_WINDOWS: Final = {"llama4": 8192}
"""Windows that are not in the header."""
_SHARING_FROM: Final = {"gemma3n": 20}
"""Layers from this index on share the cache of earlier ones."""
_WITHOUT_CACHE: Final = frozenset(
    {
        "bert",
        "dream",
        "eurobert",
        "gemma-embedding",
        "jina-bert-v2",
        "jina-bert-v3",
        "llada",
        "llada-moe",
        "modern-bert",
        "neo-bert",
        "nomic-bert",
        "nomic-bert-moe",
        "rnd1",
    }
)
"""They process a text at once and cache nothing."""


def model_layout(header: GgufHeader, *, tensors: Iterable[TensorInfo], n_layers: int) -> ModelLayout:
    """Return the layout of a model; ``tensors`` are those of all its parts.

    Bytes of weights are exact. The size of a layer's cache is derived from the shapes of its tensors, its
    window from the header or from llama.cpp's code for the architecture. If neither has one, the layer counts
    as attending to all tokens, which is an upper estimate.
    """
    layers: dict[int, dict[str, TensorInfo]] = defaultdict(dict)
    by_name: dict[str, TensorInfo] = {}
    input_bytes = output_bytes = 0
    for tensor in tensors:
        match = _LAYER.fullmatch(tensor.name)
        if match is not None and int(match[1]) < n_layers:
            layers[int(match[1])][match[2]] = tensor
            continue
        by_name[tensor.name] = tensor
        if tensor.name.partition(".")[0] in _INPUTS:
            input_bytes += tensor.n_bytes
        else:
            output_bytes += tensor.n_bytes
    is_tied = _EMBEDDINGS in by_name and _OUTPUT not in by_name
    attention = _Attention(header, n_layers=n_layers)
    return ModelLayout(
        layers=tuple(attention.layer(index, layers[index]) for index in range(n_layers)),
        input_bytes=input_bytes,
        output_bytes=output_bytes,
        tied_bytes=by_name[_EMBEDDINGS].n_bytes if is_tied else 0,
        n_head=attention.count("attention.head_count"),
        n_ff=attention.feed_forward_width(),
        n_experts_used=max(1, attention.count("expert_used_count")),
        n_experts=attention.count("expert_count"),
    )


class _Attention:
    """The attention parameters of the header; a missing value is 0."""

    def __init__(self, header: GgufHeader, *, n_layers: int) -> None:
        self._header = header
        self._architecture = header.text("general.architecture")
        self._n_layers = n_layers
        self._state_width = self._compute_state_width()
        self._n_caching = self._n_layers_with_own_cache()
        self._is_latent = self.count("attention.key_length_mla") > 0

    def layer(self, index: int, tensors: dict[str, TensorInfo]) -> LayerLayout:
        """Return the layout of one layer from the tensors that it has."""
        has_state = any(name.startswith(_STATE_PARTS) for name in tensors)
        k_width, v_width = self._cached(index, tensors, has_state=has_state)
        return LayerLayout(
            weights_bytes=sum(tensor.n_bytes for tensor in tensors.values()),
            expert_bytes=sum(tensor.n_bytes for name, tensor in tensors.items() if _EXPERTS.match(name)),
            k_width=k_width,
            v_width=v_width,
            window=self._window(index) if k_width else 0,
            state_width=self._state_width if has_state else 0,
        )

    def count(self, name: str) -> int:
        """Return a property of the architecture; the largest if there is one value per layer."""
        return max(0, self._header.integer(f"{self._architecture}.{name}") or 0)

    def feed_forward_width(self) -> int:
        """Return the largest feed-forward width, in elements per token."""
        n_experts = self.count("expert_used_count")
        return max(
            self.count("feed_forward_length"),
            n_experts * self.count("expert_feed_forward_length"),
        )

    def _cached(self, index: int, tensors: dict[str, TensorInfo], *, has_state: bool) -> tuple[int, int]:
        if self._architecture in _WITHOUT_CACHE or index >= self._n_caching:
            return 0, 0
        key = tensors.get("attn_k.weight")
        if key is not None and len(key.shape) == 2:
            value = tensors.get("attn_v.weight", key)
            return key.shape[1], value.shape[-1]
        is_fused = "attn_qkv.weight" in tensors and not has_state
        if not is_fused and "attn_kv_a_mqa.weight" not in tensors:
            return 0, 0
        n_head = self.count("attention.head_count")
        n_head_kv = self._at("attention.head_count_kv", index, default=n_head)
        head = self.count("embedding_length") // n_head if n_head else 0
        k_width = n_head_kv * (self.count("attention.key_length") or head)
        v_width = n_head_kv * (self.count("attention.value_length") or head)
        return k_width, 0 if self._is_latent else v_width

    def _window(self, index: int) -> int:
        architecture = self._architecture
        if architecture not in _WITH_WINDOWS:
            return 0
        window = self._at("attention.sliding_window", index, default=_DEFAULT_WINDOWS.get(architecture, 0))
        pattern = self._header.metadata.get(f"{architecture}.attention.sliding_window_pattern")
        if isinstance(pattern, tuple):
            return window if index < len(pattern) and pattern[index] else 0
        own = pattern if isinstance(pattern, int) and pattern > 0 else 0
        if architecture in _PERIODS_FROM_FIRST:
            return window if index % (own or _PERIODS_FROM_FIRST[architecture]) else 0
        period = own or _PERIODS.get(architecture, 1)
        return window if index % period < period - 1 else 0

    def _n_layers_with_own_cache(self) -> int:
        n_sharing = self.count("attention.shared_kv_layers")
        return _SHARING_FROM.get(self._architecture, self._n_layers - n_sharing)

    def _compute_state_width(self) -> int:
        """Return the elements of a layer's recurrent state: llama.cpp's ``n_embd_r`` and ``n_embd_s``."""
        n_embd = self.count("embedding_length")
        if head_size := self.count("wkv.head_size"):
            return (self.count("token_shift_count") or 2) * n_embd + n_embd * head_size
        if n_cached := self.count("shortconv.l_cache"):
            return n_embd * (n_cached - 1)
        n_convolved = max(0, self.count("ssm.conv_kernel") - 1)
        if head_size := self.count("kda.head_dim"):
            n_inner = self.count("attention.head_count") * head_size
            return 3 * n_convolved * n_inner + n_inner * head_size
        n_inner, n_state = self.count("ssm.inner_size"), self.count("ssm.state_size")
        return n_convolved * (n_inner + 2 * self.count("ssm.group_count") * n_state) + n_state * n_inner

    def _at(self, name: str, index: int, *, default: int) -> int:
        value = self._header.metadata.get(f"{self._architecture}.{name}")
        if isinstance(value, tuple):
            value = value[index] if index < len(value) else None
        if isinstance(value, bool) or not isinstance(value, int):
            return default
        return max(0, value)
