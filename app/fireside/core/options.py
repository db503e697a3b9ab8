"""Load options and sampling parameters."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

import msgspec

from fireside.core.i18n import tr_noop
from fireside.core.runtime import BUILT_IN

SettingValue = bool | int | float | str | tuple[str, ...] | None
"""The value of a setting, as in JSON. The definitions in ``settings`` say which values a key allows."""

NO_SETTINGS: Final[Mapping[str, SettingValue]] = MappingProxyType({})

GPU_LAYERS_AUTO = -1
"""As many layers on the GPU as fit in its free memory."""
GPU_LAYERS_ALL = -2
"""All layers on the GPU. Both values are llama.cpp's."""

MOE_ON_CPU_AUTO = -1
"""As few experts on the CPU as the GPU's free memory allows."""

MICRO_BATCH_AUTO = 0
"""The size that suits the devices."""

SPIN_COUNT_AUTO = -1
"""The count that suits a computer with other busy programs."""


BYTES_A_MB = 1_000_000

MAX_STOPS: Final = 128
"""Stop strings of one answer."""
MAX_STOP_CHARS: Final = 1_000
"""Of one stop string."""


class FlashAttention(StrEnum):
    """Whether attention runs as a fused kernel; for ``AUTO`` see ``core.attention``."""

    AUTO = "auto"
    ON = "on"
    OFF = "off"


class SplitMode(StrEnum):
    """How several GPUs share a model."""

    LAYER = "layer"
    """Each has some of the layers."""
    ROW = "row"
    """Each has some rows of every large tensor; the main GPU has the rest."""
    TENSOR = "tensor"
    """Tensor parallelism, which not all architectures support."""
    NONE = "none"
    """Only the main GPU is used."""


class AutoAdjustable(StrEnum):
    """An option that a load plan may reduce to save memory, since the user did not set it."""

    SLOTS = "slots"
    CACHE_TYPE = "cache_type"
    CONTEXT = "context"


class CacheType(StrEnum):
    """Data type of the KV cache, under ggml's names."""

    F16 = "f16"
    BF16 = "bf16"
    F32 = "f32"
    Q8_0 = "q8_0"
    Q5_1 = "q5_1"
    Q5_0 = "q5_0"
    Q4_1 = "q4_1"
    Q4_0 = "q4_0"


class Purpose(StrEnum):
    """What a model is loaded for. The same file can be loaded for answers and vectors, in two runners."""

    GENERATE = "generate"
    EMBED = "embed"
    RERANK = "rerank"


PURPOSE_TEXTS = {
    Purpose.GENERATE: tr_noop("text generation"),
    Purpose.EMBED: tr_noop("embeddings"),
    Purpose.RERANK: tr_noop("reranking"),
}
"""Purposes as named in errors."""


class Pooling(StrEnum):
    """How the vectors of an input's tokens are pooled; ``MODEL`` is the method in the model's file."""

    MODEL = "model"
    MEAN = "mean"
    CLS = "cls"
    LAST = "last"


class Speculation(StrEnum):
    """The source of drafts in speculative decoding."""

    OFF = "off"
    PROMPT_LOOKUP = "prompt_lookup"
    """N-grams of the context, which helps with quotes, code and names. Needs no second model."""
    DRAFT_MODEL = "draft_model"
    """A smaller model with the same vocabulary, ``LoadOptions.draft_path``."""
    MTP = "mtp"
    """The model's own multi-token prediction heads, if its file has them."""


class RopeScaling(StrEnum):
    """How positions are scaled for a context longer than the trained one."""

    MODEL = "model"
    """Only as in the model's file; the context is then limited to the trained length."""
    LINEAR = "linear"
    YARN = "yarn"


class Numa(StrEnum):
    """How memory and threads are distributed over NUMA nodes; llama.cpp's strategies."""

    OFF = "off"
    DISTRIBUTE = "distribute"
    ISOLATE = "isolate"
    NUMACTL = "numactl"


class TensorPlacement(msgspec.Struct, frozen=True, kw_only=True):
    """The device of the tensors whose names match a pattern."""

    pattern: str
    """A regular expression."""
    device: str
    """llama.cpp's name; ``CPU`` is RAM."""


class MetadataOverride(msgspec.Struct, frozen=True, kw_only=True):
    """A value that replaces one in the header of the model's file."""

    key: str
    value: bool | int | float | str


class ControlVector(msgspec.Struct, frozen=True, kw_only=True):
    """A file of vectors that are added to the outputs of layers."""

    path: str
    scale: float = 1.0


class SamplerKind(StrEnum):
    """The samplers, in the default order."""

    PENALTIES = "penalties"
    """Repetition, presence and frequency penalties."""
    DRY = "dry"
    TOP_N_SIGMA = "top_n_sigma"
    TOP_K = "top_k"
    TYPICAL_P = "typical_p"
    TOP_P = "top_p"
    MIN_P = "min_p"
    XTC = "xtc"
    TEMPERATURE = "temperature"


class LoraAdapter(msgspec.Struct, frozen=True, kw_only=True):
    """An adapter file that is loaded with the model."""

    path: str
    scale: float = 1.0
    """The strength for requests without one; 0 is off."""


class LoadOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options that need a reload when they change. Counts are in tokens unless named otherwise."""

    n_ctx: int = 8192
    """Context of one sequence; more than the trained length only with ``rope_scaling``."""
    n_seq_max: int = 2
    """Slots: the number of requests that one runner answers in parallel."""
    kv_unified: bool = True
    """Slots share the cells of one KV cache, see ``core.context_cells``; otherwise each has ``n_ctx``."""
    n_gpu_layers: int = GPU_LAYERS_AUTO
    n_batch: int = 2048
    """Maximum tokens of a step, which are computed in micro-batches."""
    n_ubatch: int = MICRO_BATCH_AUTO
    """The micro-batch size, see ``core.micro_batch``."""
    n_threads: int = 0
    """0 is one thread for each physical core of the fastest kind."""
    n_threads_batch: int = 0
    """Threads for prompts; 0 is ``n_threads``."""
    cpus: tuple[int, ...] = ()
    """Numbers of the logical CPUs to use; empty for all."""
    numa: Numa = Numa.OFF
    spin_count: int = SPIN_COUNT_AUTO
    """How long a waiting thread spins before it yields its core. Only GNU's OpenMP supports it."""
    flash_attn: FlashAttention = FlashAttention.AUTO
    cache_type_k: CacheType = CacheType.F16
    cache_type_v: CacheType = CacheType.F16
    use_mmap: bool = True
    use_mlock: bool = False
    """Lock the weights in RAM."""
    use_repack: bool = True
    """Repacked weights are faster, but results differ between batch sizes; tests turn this off."""
    purpose: Purpose = Purpose.GENERATE
    pooling: Pooling = Pooling.MODEL
    projector_path: str | None = None
    """The multimodal projector of the model."""
    image_min_tokens: int = 0
    image_max_tokens: int = 0
    """Tokens per image, for projectors with dynamic resolution; 0 is the projector's default."""
    lora: tuple[LoraAdapter, ...] = ()
    speculation: Speculation = Speculation.OFF
    draft_path: str | None = None
    runtime: str = BUILT_IN
    """The build of llama.cpp that runs the model, see ``core.runtime``."""
    draft_n_ctx: int = 0
    """Context of the draft model, beyond which nothing is drafted. The defaults of this and the next four
    options are the main model's values."""
    draft_n_gpu_layers: int = GPU_LAYERS_AUTO
    draft_n_threads: int = 0
    draft_cache_type_k: CacheType | None = None
    draft_cache_type_v: CacheType | None = None
    n_draft: int = 8
    """Maximum tokens drafted per step."""
    n_cpu_moe: int = MOE_ON_CPU_AUTO
    """The number of layers, from the first, whose experts stay in RAM."""
    offload_kqv: bool = True
    """The KV cache of a layer is on the layer's device; otherwise it is in RAM."""
    split_mode: SplitMode = SplitMode.LAYER
    tensor_split: tuple[float, ...] = ()
    """The proportions of the GPUs in use, in order, with any sum; empty for their free memory."""
    main_gpu: str = ""
    """The name of the main GPU, for the split modes with one; empty for the first."""
    excluded_devices: tuple[str, ...] = ()
    """Names of GPUs that are not used."""
    memory_limit_mb: int = 0
    """Megabytes of RAM that a load may use; 0 for no limit."""
    auto_adjustable: tuple[AutoAdjustable, ...] = ()
    """Options that a plan may reduce; empty in resolved options."""
    rope_scaling: RopeScaling = RopeScaling.MODEL
    rope_freq_base: float = 0.0
    """0 for the model's own."""
    rope_freq_scale: float = 0.0
    """0 for one that suits the context length."""
    swa_full: bool = False
    """Layers with a sliding window keep all tokens, so that a prompt can be continued at any position."""
    op_offload: bool = True
    """Prompts are processed on the GPU even for weights in RAM."""
    tensor_places: tuple[TensorPlacement, ...] = ()
    """The first match of a tensor applies; they take precedence over ``n_cpu_moe``."""
    cache_reuse: int = 0
    """Minimum tokens of a prompt part that is reused from another position in the cache; 0 is off.

    Its values were computed after other text, so answers differ slightly.
    """
    metadata_overrides: tuple[MetadataOverride, ...] = ()
    control_vectors: tuple[ControlVector, ...] = ()
    control_layers: tuple[int, int] | None = None
    """The first and the last layer of control vectors, from 1; ``None`` for all."""


class SamplingParams(msgspec.Struct, frozen=True, kw_only=True):
    """Sampling parameters of a request. The bounds are in ``settings``, and the runner checks them again."""

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
    """``None`` for a random one per request, which is reported in ``Finished``."""
    max_tokens: int | None = None
    """``None`` for no limit but the context."""
    stop: tuple[str, ...] = ()
    stop_tokens: tuple[int, ...] = ()
    """Tokens that end the answer and are not in it, as its end token does."""
    min_tokens: int = 0
    """How many tokens there are before one of these or a stop string ends the answer."""
    dynatemp_range: float = 0.0
    """The temperature varies by up to this much with the model's confidence; 0 is off."""
    dynatemp_exponent: float = 1.0
    top_n_sigma: float = -1.0
    """Keep tokens within this many standard deviations of the best logit; negative is off."""
    xtc_probability: float = 0.0
    xtc_threshold: float = 0.1
    dry_multiplier: float = 0.0
    """Strength of the penalty for repeating whole sequences; 0 is off."""
    dry_base: float = 1.75
    dry_allowed_length: int = 2
    dry_penalty_last_n: int = -1
    """Tokens to look back; -1 for the whole context, 0 is off."""
    dry_sequence_breakers: tuple[str, ...] = ("\n", ":", '"', "*")
    mirostat: int = 0
    """The version of the algorithm, 1 or 2, which replaces truncation samplers; 0 is off."""
    mirostat_tau: float = 5.0
    mirostat_eta: float = 0.1
    adaptive_p_target: float = 0.0
    """Prefer tokens near this probability, on average; 0 is off."""
    adaptive_p_decay: float = 0.9
    samplers: tuple[SamplerKind, ...] = tuple(SamplerKind)
    """The order of the samplers; those left out are off."""
    logit_bias: tuple[tuple[int, float], ...] = ()
    """Pairs of token id and bias, -1000 to 1000; -1000 bans a token."""
    ignore_eos: bool = False
    """The model cannot end the answer."""
    top_logprobs: int | None = None
    """Report the logprobs of tokens, with this many alternatives, 0 to 20."""
    guard_repetition: bool = True
    """End an answer that is stuck in a loop."""
