"""How a model is loaded and how its tokens are chosen."""

from __future__ import annotations

from enum import StrEnum

import msgspec

SettingValue = bool | int | float | str | tuple[str, ...] | None
"""Value of one setting, as JSON can hold it. What each key takes is declared in ``settings``."""

GPU_LAYERS_AUTO = -1
"""As many layers on the GPU as its free memory holds."""
GPU_LAYERS_ALL = -2
"""Every layer on the GPU. Both spellings are llama.cpp's."""


class FlashAttention(StrEnum):
    """Whether attention runs as one fused kernel; ``AUTO`` leaves it to llama.cpp."""

    AUTO = "auto"
    ON = "on"
    OFF = "off"


class CacheType(StrEnum):
    """Number format of the KV cache (ggml's own names)."""

    F16 = "f16"
    BF16 = "bf16"
    F32 = "f32"
    Q8_0 = "q8_0"
    Q5_1 = "q5_1"
    Q5_0 = "q5_0"
    Q4_1 = "q4_1"
    Q4_0 = "q4_0"


class LoadOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that forces a reload when it changes. Counts in tokens unless named otherwise."""

    n_ctx: int = 8192
    """Context of one sequence; never above what the model was trained for."""
    n_seq_max: int = 2
    """Parallel slots: how many requests one runner answers at once."""
    n_gpu_layers: int = GPU_LAYERS_AUTO
    n_batch: int = 512
    n_ubatch: int = 512
    n_threads: int = 0
    """0 means physical cores less one, at least one."""
    flash_attn: FlashAttention = FlashAttention.AUTO
    cache_type_k: CacheType = CacheType.F16
    cache_type_v: CacheType = CacheType.F16
    use_mmap: bool = True
    use_repack: bool = True
    """Repacked weights are faster and not bit-equal between batch sizes; tests turn them off."""


class SamplingParams(msgspec.Struct, frozen=True, kw_only=True):
    """How one request's tokens are chosen. Bounds are those of ``settings``; the runner checks them again."""

    temperature: float = 0.8
    """0 is greedy."""
    top_k: int = 40
    """0 turns it off."""
    top_p: float = 0.95
    min_p: float = 0.05
    typical_p: float = 1.0
    repeat_penalty: float = 1.0
    repeat_last_n: int = 64
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0
    seed: int | None = None
    """``None`` draws a fresh one for each request; the one used is reported in ``Finished``."""
    max_tokens: int | None = None
    """``None`` lets the answer run to the end of the context."""
    stop: tuple[str, ...] = ()
