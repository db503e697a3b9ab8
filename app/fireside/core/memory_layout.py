"""The sizes of a model's layers, from its header, for memory estimates."""

from __future__ import annotations

import msgspec


class LayerLayout(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One layer. Widths are numbers of elements, independent of the data type."""

    weights_bytes: int = 0
    expert_bytes: int = 0
    """The part of ``weights_bytes`` of experts, of which a token uses only some."""
    k_width: int = 0
    """Elements of a token's key in the KV cache; 0 for a layer without a cache."""
    v_width: int = 0
    window: int = 0
    """Tokens of the sliding window; 0 for full attention."""
    state_width: int = 0
    """32-bit elements of the recurrent state, independent of the context length."""


class ModelLayout(msgspec.Struct, frozen=True, kw_only=True):
    """The sizes of a model's tensors."""

    layers: tuple[LayerLayout, ...]
    input_bytes: int
    """The embedding tables, which always remain in RAM."""
    output_bytes: int
    """The output layer."""
    tied_bytes: int = 0
    """The part of ``input_bytes`` that is used as the output layer too, and copied to its device."""
    n_head: int = 0
    n_ff: int = 0
    """Width of the widest feed-forward layer, all experts of one token together."""
    n_experts_used: int = 1
    n_experts: int = 0
    """Experts per layer; 0 for a dense model."""

    @property
    def weights_bytes(self) -> int:
        """The size of all tensors, each counted once."""
        return self.input_bytes + self.output_bytes + sum(layer.weights_bytes for layer in self.layers)
