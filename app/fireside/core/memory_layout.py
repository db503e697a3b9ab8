"""What a model takes in memory, layer by layer: facts of its header, from which an estimate is made."""

from __future__ import annotations

import msgspec


class LayerLayout(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One layer. What it keeps of a token is counted in numbers, whatever format they are kept in."""

    weights_bytes: int = 0
    expert_bytes: int = 0
    """Of ``weights_bytes``, the experts of which a token needs only some."""
    k_width: int = 0
    """Numbers that the cache keeps of a token's key; 0 for a layer without a cache."""
    v_width: int = 0
    window: int = 0
    """Tokens that the layer looks back; 0 is all of them."""
    state_width: int = 0
    """Numbers of 32 bits that a running state takes, whatever the context."""


class ModelLayout(msgspec.Struct, frozen=True, kw_only=True):
    """Where the bytes of a model's tensors go."""

    layers: tuple[LayerLayout, ...]
    input_bytes: int
    """Tables that are only looked up, which always stay in the computer's memory."""
    output_bytes: int
    """What turns the last layer's result into tokens."""
    tied_bytes: int = 0
    """Part of ``input_bytes`` that does the work of the output too, and is copied to where that is done."""
    n_head: int = 0
    n_ff: int = 0
    """Width of the widest feed-forward part, all experts that work on one token together."""
    n_experts_used: int = 1
    n_experts: int = 0
    """In each layer, used or not; 0 for a dense model."""

    @property
    def weights_bytes(self) -> int:
        """All tensors, each counted once."""
        return self.input_bytes + self.output_bytes + sum(layer.weights_bytes for layer in self.layers)
