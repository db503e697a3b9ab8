"""Estimate how a model would run here from its number of parameters. Pure."""

from __future__ import annotations

import math
import re
from typing import Final

import msgspec

from fireside.core.discovery import FitEstimate, ModelOutline
from fireside.core.fit import Placement, SpeedRange
from fireside.core.ids import ModelId
from fireside.core.model import LayerLayout, ModelLayout, ModelSpec
from fireside.engine.planning.fit_verdict import fit, obstacle_of
from fireside.engine.planning.speed_estimate import tokens_per_s
from fireside.services.machine.host_measurement import Computer

BYTES_PER_PARAM: Final = 0.61
"""In the usual quantization, ``Q4_K_M``, whose larger tensors have more bits."""
_ACTIVE: Final = re.compile(r"(?i)[-_]A(?P<billions>\d{1,3}(?:\.\d{1,2})?)B(?![a-z0-9])")
"""How names state the active parameters: ``Qwen3-30B-A3B``."""
_KV_WIDTH: Final = 1024
"""Width of keys and of values in a layer that most models have."""
_UNSURE: Final = 1.3
"""Widens the speed range, since the shape of the model is guessed."""
_MANY_EXPERTS: Final = 1 << 20
_LARGEST: Final = 2_000_000_000_000
_STEP: Final = 100_000_000
"""Parameters."""


def outlook(outline: ModelOutline, computer: Computer) -> FitEstimate | None:
    """Return how the usual quant of a model would run; ``None`` if its size is not known."""
    if outline.n_params <= 0:
        return None
    spec = _guess_spec(outline)
    # The question is whether it runs with the current settings, not with reduced ones.
    options = msgspec.structs.replace(computer.options, auto_adjustable=())
    verdict = fit(spec, options, devices=computer.devices, host=computer.host, display=computer.display)
    speed = None
    if verdict.where.runs and outline.generates_text:
        n_gpu_layers = verdict.plan.options.n_gpu_layers
        speed = tokens_per_s(spec, n_gpu_layers=n_gpu_layers, gpu=verdict.gpu, speeds=computer.speeds)
    if speed is not None:
        speed = SpeedRange(low=speed.low / _UNSURE, high=speed.high * _UNSURE)
    return FitEstimate(
        where=verdict.where, n_bytes=spec.size_bytes, speed=speed, obstacle=obstacle_of(verdict)
    )


def max_fitting_params(computer: Computer) -> int:
    """Return the most parameters of a model that fits in its usual quant once memory is free; 0 if none."""
    low, high = 0, _LARGEST
    while high - low > _STEP:
        middle = (low + high) // 2
        estimate = outlook(ModelOutline(repo="", n_params=middle), computer)
        if estimate is not None and estimate.where is not Placement.NOWHERE:
            low = middle
        else:
            high = middle
    return low // _STEP * _STEP


def active_params_in_name(name: str) -> int:
    """Return the active parameters that a model's name states; 0 where it states none."""
    match = _ACTIVE.search(name)
    return round(float(match["billions"]) * 1e9) if match is not None else 0


def _guess_spec(outline: ModelOutline) -> ModelSpec:
    size_bytes = outline.size_bytes or round(outline.n_params * BYTES_PER_PARAM)
    billions = outline.n_params / 1e9
    n_layers = max(8, round(16 * billions**0.38))
    width = max(256, round(math.sqrt(outline.n_params / (12 * n_layers))))
    layer_bytes = size_bytes // (n_layers + 1)
    n_active = outline.n_active_params or active_params_in_name(outline.repo)
    idle_share = 1 - n_active / outline.n_params if 0 < n_active < outline.n_params else 0.0
    layer = LayerLayout(
        weights_bytes=layer_bytes,
        expert_bytes=round(layer_bytes * idle_share),
        k_width=min(width, _KV_WIDTH),
        v_width=min(width, _KV_WIDTH),
    )
    layout = ModelLayout(
        layers=(layer,) * n_layers,
        input_bytes=0,
        output_bytes=size_bytes - layer_bytes * n_layers,
        n_ff=4 * width,
        # So many experts that the inactive ones count as never read.
        n_experts=_MANY_EXPERTS if idle_share else 0,
    )
    return ModelSpec(
        id=ModelId(outline.repo),
        name=outline.repo,
        path="",
        size_bytes=size_bytes,
        architecture="",
        quantization="",
        n_params=outline.n_params,
        n_ctx_train=outline.n_ctx_train or 4096,
        n_layers=n_layers,
        n_embd=width,
        n_vocab=0,
        has_chat_template=False,
        layout=layout,
    )
