"""How a model is loaded and how its tokens are chosen."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

import msgspec

from fireside.core.i18n import tr_noop
from fireside.core.runtime import BUILT_IN

SettingValue = bool | int | float | str | tuple[str, ...] | None
"""Value of one setting, as JSON can hold it. What each key takes is declared in ``settings``."""

NO_SETTINGS: Final[Mapping[str, SettingValue]] = MappingProxyType({})

GPU_LAYERS_AUTO = -1
"""As many layers on the GPU as its free memory holds."""
GPU_LAYERS_ALL = -2
"""Every layer on the GPU. Both spellings are llama.cpp's."""

MOE_ON_CPU_AUTO = -1
"""As few experts left to the processor as the GPU's free memory demands."""

MICRO_BATCH_AUTO = 0
"""As many tokens at once as suit the devices."""

SPIN_COUNT_AUTO = -1
"""As often as suits a computer that does other things too."""


BYTES_A_MB = 1_000_000


class FlashAttention(StrEnum):
    """Whether attention runs as one fused kernel; ``AUTO`` leaves it to llama.cpp."""

    AUTO = "auto"
    ON = "on"
    OFF = "off"


class SplitMode(StrEnum):
    """How several GPUs share a model."""

    LAYER = "layer"
    """Each has some of the layers."""
    ROW = "row"
    """Each has a part of every large table; the main one has the rest."""
    TENSOR = "tensor"
    """Each computes a part of every layer at the same time; not for every kind of model."""
    NONE = "none"
    """Only the main one is used."""


class AutoAdjustable(StrEnum):
    """What a plan may make smaller for want of memory, since it was not chosen."""

    SLOTS = "slots"
    CACHE_TYPE = "cache_type"
    CONTEXT = "context"


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


class Purpose(StrEnum):
    """What a model is loaded for: the same file gives answers or vectors, both at once from two runners."""

    GENERATE = "generate"
    EMBED = "embed"
    RERANK = "rerank"


PURPOSE_TEXTS = {
    Purpose.GENERATE: tr_noop("text generation"),
    Purpose.EMBED: tr_noop("embeddings"),
    Purpose.RERANK: tr_noop("reranking"),
}
"""What a model is for, in an error's words."""


class Pooling(StrEnum):
    """How the vectors of an input's tokens become one; ``MODEL`` is what its file says."""

    MODEL = "model"
    MEAN = "mean"
    CLS = "cls"
    LAST = "last"


class Speculation(StrEnum):
    """Where tokens are guessed ahead from, to be checked several at once."""

    OFF = "off"
    PROMPT_LOOKUP = "prompt_lookup"
    """From what stands in the context already: quotes, code, names. Needs no second model."""
    DRAFT_MODEL = "draft_model"
    """By a smaller model of the same vocabulary, ``LoadOptions.draft_path``."""
    MTP = "mtp"
    """By the model's own extra heads, where its file has them."""


class RopeScaling(StrEnum):
    """How positions are scaled in a context that is longer than the model was trained for."""

    MODEL = "model"
    """Not at all but as its file says; then no context is longer."""
    LINEAR = "linear"
    YARN = "yarn"


class Numa(StrEnum):
    """How memory and threads are spread over the nodes of a computer with several; llama.cpp's own ways."""

    OFF = "off"
    DISTRIBUTE = "distribute"
    ISOLATE = "isolate"
    NUMACTL = "numactl"


class TensorPlacement(msgspec.Struct, frozen=True, kw_only=True):
    """Where the tensors lie whose names a pattern finds."""

    pattern: str
    """A regular expression."""
    device: str
    """As llama.cpp names it; ``CPU`` is the computer's own memory."""


class MetadataOverride(msgspec.Struct, frozen=True, kw_only=True):
    """A property of the model's file that is taken to be another one."""

    key: str
    value: bool | int | float | str


class ControlVector(msgspec.Struct, frozen=True, kw_only=True):
    """A file of directions that are added to what the layers compute."""

    path: str
    scale: float = 1.0


class SamplerKind(StrEnum):
    """What changes which tokens may come and how likely, in the usual order."""

    PENALTIES = "penalties"
    """For repetition, presence and frequency."""
    DRY = "dry"
    TOP_N_SIGMA = "top_n_sigma"
    TOP_K = "top_k"
    TYPICAL_P = "typical_p"
    TOP_P = "top_p"
    MIN_P = "min_p"
    XTC = "xtc"
    TEMPERATURE = "temperature"


class LoraAdapter(msgspec.Struct, frozen=True, kw_only=True):
    """An adapter file loaded beside the model."""

    path: str
    scale: float = 1.0
    """Its strength where a request does not say; 0 is off."""


class LoadOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that forces a reload when it changes. Counts in tokens unless named otherwise."""

    n_ctx: int = 8192
    """Context of one sequence; above what the model was trained for only where ``rope_scaling`` says how."""
    n_seq_max: int = 2
    """Parallel slots: how many requests one runner answers at once."""
    kv_unified: bool = True
    """Slots share the cells of one KV cache, see ``core.context_cells``; else each has its own ``n_ctx``."""
    n_gpu_layers: int = GPU_LAYERS_AUTO
    n_batch: int = 2048
    """Most tokens of a step. How many of them are computed at once is ``n_ubatch``."""
    n_ubatch: int = MICRO_BATCH_AUTO
    """Tokens that are computed at once, see ``core.micro_batch``."""
    n_threads: int = 0
    """0 is one for each physical core of the fastest kind."""
    n_threads_batch: int = 0
    """The same for prompts; 0 is as many."""
    cpus: tuple[int, ...] = ()
    """Numbers of the logical processors that are used; empty is all."""
    numa: Numa = Numa.OFF
    spin_count: int = SPIN_COUNT_AUTO
    """How often a waiting thread looks for work before it yields its core. Only GNU's OpenMP obeys."""
    flash_attn: FlashAttention = FlashAttention.AUTO
    cache_type_k: CacheType = CacheType.F16
    cache_type_v: CacheType = CacheType.F16
    use_mmap: bool = True
    use_mlock: bool = False
    """Weights in the computer's own memory stay there, whatever else wants it."""
    use_repack: bool = True
    """Repacked weights are faster and not bit-equal between batch sizes; tests turn them off."""
    purpose: Purpose = Purpose.GENERATE
    pooling: Pooling = Pooling.MODEL
    projector_path: str | None = None
    """File that turns images into tokens for this model."""
    image_min_tokens: int = 0
    image_max_tokens: int = 0
    """Bounds of what an image of any size becomes, for projectors that leave it open; 0 is their own."""
    lora: tuple[LoraAdapter, ...] = ()
    speculation: Speculation = Speculation.OFF
    draft_path: str | None = None
    runtime: str = BUILT_IN
    """Name of the build of llama.cpp that runs the model, see ``core.runtime``."""
    draft_n_ctx: int = 0
    """Context of the draft model, which guesses nothing behind it; 0 is the model's, as for the next four."""
    draft_n_gpu_layers: int = GPU_LAYERS_AUTO
    draft_n_threads: int = 0
    draft_cache_type_k: CacheType | None = None
    draft_cache_type_v: CacheType | None = None
    n_draft: int = 8
    """Most tokens guessed ahead in one step."""
    n_cpu_moe: int = MOE_ON_CPU_AUTO
    """The experts of so many layers, from the first, stay in the computer's own memory."""
    offload_kqv: bool = True
    """Keys and values lie where their layer lies; else all in the computer's own memory."""
    split_mode: SplitMode = SplitMode.LAYER
    tensor_split: tuple[float, ...] = ()
    """Share of each GPU that is used, in their order, of any sum; empty is by their free memory."""
    main_gpu: str = ""
    """Name of a device; empty is the first. For the split modes that have a main one."""
    excluded_devices: tuple[str, ...] = ()
    """Names of GPUs that take nothing of this model."""
    memory_limit_mb: int = 0
    """Megabytes of the computer's own memory that a load may take; 0 is no limit."""
    auto_adjustable: tuple[AutoAdjustable, ...] = ()
    """Empty once a plan has decided."""
    rope_scaling: RopeScaling = RopeScaling.MODEL
    rope_freq_base: float = 0.0
    """0 is the model's own."""
    rope_freq_scale: float = 0.0
    """0 is what suits the context."""
    swa_full: bool = False
    """Layers with a sliding window keep all tokens, so that an answer can begin anew anywhere."""
    op_offload: bool = True
    """Prompts are computed on the GPU also where the weights are in the computer's own memory."""
    tensor_places: tuple[TensorPlacement, ...] = ()
    """The first that finds a tensor holds; they come before ``n_cpu_moe``."""
    cache_reuse: int = 0
    """Parts of a prompt with so many tokens are not read again where the cache has them elsewhere; 0 is off.

    Their values are those that they had behind other text, so answers are not quite what they would be.
    """
    metadata_overrides: tuple[MetadataOverride, ...] = ()
    control_vectors: tuple[ControlVector, ...] = ()
    control_layers: tuple[int, int] | None = None
    """The first and the last layer that they change, from 1; ``None`` is all."""


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
    dynatemp_range: float = 0.0
    """The temperature moves by up to this much around ``temperature``, by how sure the model is; 0 is off."""
    dynatemp_exponent: float = 1.0
    top_n_sigma: float = -1.0
    """Keeps tokens within this many standard deviations of the best logit; negative is off."""
    xtc_probability: float = 0.0
    xtc_threshold: float = 0.1
    dry_multiplier: float = 0.0
    """Strength of the penalty for repeating whole sequences; 0 is off."""
    dry_base: float = 1.75
    dry_allowed_length: int = 2
    dry_penalty_last_n: int = -1
    """Tokens to look back; -1 is the whole context, 0 is off."""
    dry_sequence_breakers: tuple[str, ...] = ("\n", ":", '"', "*")
    mirostat: int = 0
    """1 or 2 is the version of the algorithm, which then replaces the other cuts; 0 is off."""
    mirostat_tau: float = 5.0
    mirostat_eta: float = 0.1
    adaptive_p_target: float = 0.0
    """Prefers tokens of about this probability, as the ones before were; 0 is off."""
    adaptive_p_decay: float = 0.9
    samplers: tuple[SamplerKind, ...] = tuple(SamplerKind)
    """In which order; what is not named does nothing."""
    logit_bias: tuple[tuple[int, float], ...] = ()
    """Token ids and what is added to their logits, -1000 to 1000; -1000 forbids one."""
    ignore_eos: bool = False
    """The model may not end the answer."""
    top_logprobs: int | None = None
    """0 to 20: report the logarithm of the probability of each token, and of so many alternatives."""
    guard_repetition: bool = True
    """End an answer that goes in circles."""
