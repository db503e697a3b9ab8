"""Estimate how fast a model generates on this computer, before it is loaded. Pure.

For each token all active weights are read once, so decoding takes as long as reading them. How much a device
reads per second is measured: first by a memory benchmark, then by every answer. Small models read slower than
the memory allows, since they wait for other things; so an answer counts for models of its size and below.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

import msgspec

from fireside.core.fit import SpeedRange
from fireside.core.model import LayerLayout, ModelLayout, ModelSpec
from fireside.engine.planning.memory_estimate import layout_of

HOST: Final = "host"
"""Stands for the CPU and RAM."""
LAYER_S: Final = 25e-6
"""Overhead of a layer: its kernels are started and waited for."""
_CONTEXT_TOKENS: Final = 1000
"""Length of a usual conversation, whose KV cache is read for each token, too."""
_CACHE_BYTES: Final = 2
"""Size of one element of the KV cache."""
LEARNED_SPREAD: Final = 0.75
"""Quantizations differ by as much in their compute cost, which their size does not tell."""
HALF_LIFE_S: Final = 14 * 86_400.0


class MeasuredAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """How fast a device read weights for one answer."""

    bytes_per_s: float
    token_bytes: float
    """Read for each token."""
    weight: float = 1.0
    """How much it counts: 1 if it was just measured on an idle computer."""


class ReadSpeed(msgspec.Struct, frozen=True, kw_only=True):
    """How fast a device reads weights while it generates: what a probe says, and what answers taught."""

    bytes_per_s: float
    spread: float
    """Relative uncertainty in both directions."""
    answers: tuple[MeasuredAnswer, ...] = ()

    def of(self, token_bytes: float) -> ReadSpeed:
        """Return the speed for a model that reads ``token_bytes`` for each token.

        A geometric mean of probe and answers. Those of a model half as large count a quarter: the smaller it
        is, the less it says.
        """
        weights = [answer.weight * min(1.0, answer.token_bytes / token_bytes) ** 2 for answer in self.answers]
        total = 1 + sum(weights)
        logarithm = math.log(self.bytes_per_s) + sum(
            weight * math.log(answer.bytes_per_s)
            for weight, answer in zip(weights, self.answers, strict=True)
        )
        learned = 1 - 1 / total
        spread = self.spread + (min(self.spread, LEARNED_SPREAD) - self.spread) * learned
        return ReadSpeed(bytes_per_s=math.exp(logarithm / total), spread=spread)


def quietness(share: float) -> float:
    """Return how much an answer counts that got this share of the processor: 1 of all, 0 of half of it."""
    return min(1.0, max(0.0, (share - 0.5) / 0.4))


def freshness(age_s: float) -> float:
    """Return how much an answer counts after ``age_s`` seconds: half after two weeks."""
    return math.pow(0.5, max(0.0, age_s) / HALF_LIFE_S)


UNMEASURED_GPU: Final = ReadSpeed(bytes_per_s=300e9, spread=1.0)
"""Typical of most GPUs, within a factor of 2. Used until the first answer was generated there."""


def tokens_per_s(
    spec: ModelSpec, *, n_gpu_layers: int, gpu: str, speeds: Mapping[str, ReadSpeed]
) -> SpeedRange | None:
    """Return the speed of ``spec`` with its last ``n_gpu_layers`` layers on ``gpu``, output included.

    ``None`` if the speed of the CPU or the number of active experts is not known.
    """
    on_host, on_gpu = bytes_per_token(spec, n_gpu_layers=n_gpu_layers)
    if not speeds or (on_host and HOST not in speeds) or _experts_unknown(layout_of(spec)):
        return None
    parts = [(on_host, speeds[HOST])] if on_host else []
    if on_gpu:
        parts.append((on_gpu, speeds.get(gpu, UNMEASURED_GPU)))
    slowest = fastest = LAYER_S * len(layout_of(spec).layers)
    for n_bytes, device in parts:
        speed = device.of(n_bytes)
        usual_s = n_bytes / speed.bytes_per_s
        slowest += usual_s * (1 + speed.spread)
        fastest += usual_s / (1 + speed.spread)
    return SpeedRange(low=1 / slowest, high=1 / fastest)


def bytes_per_token(spec: ModelSpec, *, n_gpu_layers: int) -> tuple[float, float]:
    """Return the bytes that are read for one token from RAM, and from the GPU's memory."""
    layout = layout_of(spec)
    n_host = max(0, len(layout.layers) + 1 - n_gpu_layers)
    read_bytes = [_active_bytes(layer, layout) for layer in layout.layers]
    read_bytes.append(layout.output_bytes + layout.tied_bytes)
    return sum(read_bytes[:n_host]), sum(read_bytes[n_host:])


def read_speed(spec: ModelSpec, *, n_gpu_layers: int, measured: float) -> MeasuredAnswer | None:
    """Return how fast weights were read when ``measured`` tokens per second were generated.

    ``None`` if they are on two devices, or so small that the overhead dominates.
    """
    on_host, on_gpu = bytes_per_token(spec, n_gpu_layers=n_gpu_layers)
    left_s = 1 / measured - LAYER_S * len(layout_of(spec).layers) if measured > 0 else 0.0
    if (on_host and on_gpu) or left_s <= 0 or _experts_unknown(layout_of(spec)):
        return None
    token_bytes = on_host + on_gpu
    return MeasuredAnswer(bytes_per_s=token_bytes / left_s, token_bytes=token_bytes)


def _active_bytes(layer: LayerLayout, layout: ModelLayout) -> float:
    share = layout.n_experts_used / layout.n_experts if layout.n_experts else 1.0
    cache = (
        (layer.k_width + layer.v_width) * _CACHE_BYTES * min(layer.window or _CONTEXT_TOKENS, _CONTEXT_TOKENS)
    )
    return layer.weights_bytes - layer.expert_bytes * (1 - share) + cache


def _experts_unknown(layout: ModelLayout) -> bool:
    return not layout.n_experts and any(layer.expert_bytes for layer in layout.layers)
