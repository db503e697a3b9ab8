"""Load options and sampling parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType, UnionType
from typing import Annotated, Final, Self, get_args, get_origin

import msgspec

from fireside.core.i18n import tr_noop
from fireside.core.remote import ServerKind
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

SEED_RANDOM: Final = -1
"""A setting's value, as are the next ones."""
MAX_TOKENS_NO_LIMIT: Final = 0
DRY_WHOLE_CONTEXT: Final = -1
LOGPROBS_OFF: Final = -1
MAX_SEED: Final = 2**32 - 2
"""The next number means “random” to llama.cpp, and the seed would be unknown."""
BIAS_LIMIT: Final = 1000.0
"""The negative of it forbids a token."""
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

    AUTO = "auto"
    """The model's own heads where it has some and there is memory for them; a load plan decides."""
    OFF = "off"
    PROMPT_LOOKUP = "prompt_lookup"
    """N-grams of the context, which helps with quotes, code and names. Needs no second model."""
    DRAFT_MODEL = "draft_model"
    """A smaller model with the same vocabulary, ``LoadOptions.draft_path``."""
    MTP = "mtp"
    """The model's own heads for multi-token prediction, in its file or in ``LoadOptions.draft_path``."""


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
    speculation: Speculation = Speculation.AUTO
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
    report_late: bool = False
    """A step's text is sent while a GPU computes the next step, not before."""
    metadata_overrides: tuple[MetadataOverride, ...] = ()
    control_vectors: tuple[ControlVector, ...] = ()
    control_layers: tuple[int, int] | None = None
    """The first and the last layer of control vectors, from 1; ``None`` for all."""


class SamplerKind(StrEnum):
    """The samplers, in the default order: each with its letter, and llama.cpp's name where it is another."""

    letter: str
    """Its name where an order is a text of letters."""
    llama_name: str

    def __new__(cls, name: str, letter: str, llama_name: str = "") -> Self:
        member = str.__new__(cls, name)
        member._value_, member.letter, member.llama_name = name, letter, llama_name or name
        return member

    PENALTIES = "penalties", "e"
    """Repetition, presence and frequency penalties."""
    DRY = "dry", "d"
    TOP_N_SIGMA = "top_n_sigma", "s"
    TOP_K = "top_k", "k"
    TYPICAL_P = "typical_p", "y", "typ_p"
    TOP_P = "top_p", "p"
    MIN_P = "min_p", "m"
    XTC = "xtc", "x"
    TEMPERATURE = "temperature", "t"


class Parameter(msgspec.Struct, frozen=True):
    """What is declared of a sampling parameter beside its type and default: a row of ``PARAMETERS``.

    What a runner checks, the setting, the bodies of the local API and what it reports, and what is sent to
    other servers follow from it.
    """

    low: float = 0
    high: float = 1
    """The bounds, of the setting and in the runner; of a list, those of its length."""
    sampler: SamplerKind | None = None
    """The sampler that it belongs to, of those with a place in the order."""
    off: float | None = None
    """The value with which that sampler does nothing."""
    special: Mapping[SettingValue, object] = MappingProxyType({})
    """What values of the setting stand for, where that is something else."""
    negative: SettingValue = None
    """The setting's value for a negative number in a request; for −1 alone, where it is a whole number."""
    reported: str = ""
    """llama.cpp's name, where it is another one."""
    also: str = ""
    """What requests call it too."""
    in_file: str = ""
    """Its name among the recommendations in a model's file, where it is another one."""
    as_is: bool = True
    """Whether requests have it under llama.cpp's name, and a value of its own type; the others are read by
    each dialect."""
    sent: frozenset[ServerKind] = frozenset()
    """The servers that have it."""
    sent_as: Mapping[ServerKind, str] = MappingProxyType({})
    """Their names for it, where it is another one."""
    name: str = ""
    """Of its field, as are the next ones."""
    type: type = float
    default: object = None

    @property
    def api_name(self) -> str:
        """llama.cpp's name."""
        return self.reported or self.name

    @property
    def request_names(self) -> tuple[str, ...]:
        """The names under which requests have it as it is, in all dialects."""
        return tuple(filter(None, (self.api_name, self.also))) if self.as_is else ()

    def name_for(self, kind: ServerKind) -> str:
        """Return the name under which servers of a kind have it; empty where they do not."""
        name = self.api_name if self.as_is else self.name
        return self.sent_as.get(kind, name) if kind in self.sent else ""


_LLAMA: Final = frozenset({ServerKind.LLAMA_SERVER, ServerKind.FIRESIDE})
_LOCAL: Final = _LLAMA | {ServerKind.VLLM, ServerKind.SGLANG, ServerKind.LM_STUDIO, ServerKind.OLLAMA}
_EVERY: Final = frozenset(ServerKind)
_OPENAI: Final = _EVERY - {ServerKind.ANTHROPIC}


class SamplingParams(msgspec.Struct, frozen=True, kw_only=True):
    """Sampling parameters of a request, each with its row of ``PARAMETERS``."""

    temperature: Annotated[
        float, Parameter(0, 5, sampler=SamplerKind.TEMPERATURE, in_file="temp", sent=_EVERY)
    ] = 0.8
    """0 is greedy."""
    top_k: Annotated[
        int,
        Parameter(
            0, 10_000, sampler=SamplerKind.TOP_K, off=0, negative=0, sent=_LOCAL | {ServerKind.ANTHROPIC}
        ),
    ] = 40
    """0 turns it off."""
    top_p: Annotated[float, Parameter(0, 1, sampler=SamplerKind.TOP_P, off=1, sent=_EVERY)] = 0.95
    min_p: Annotated[float, Parameter(0, 1, sampler=SamplerKind.MIN_P, off=0, sent=_LOCAL)] = 0.05
    typical_p: Annotated[
        float, Parameter(0, 1, sampler=SamplerKind.TYPICAL_P, off=1, sent=_LLAMA | {ServerKind.OLLAMA})
    ] = 1.0
    repeat_penalty: Annotated[
        float,
        Parameter(
            0.5,
            2,
            sampler=SamplerKind.PENALTIES,
            also="repetition_penalty",
            in_file="penalty_repeat",
            sent=_LOCAL,
            sent_as=dict.fromkeys((ServerKind.VLLM, ServerKind.SGLANG), "repetition_penalty"),
        ),
    ] = 1.0
    repeat_last_n: Annotated[
        int,
        Parameter(
            0,
            8192,
            sampler=SamplerKind.PENALTIES,
            off=0,
            negative=8192,
            in_file="penalty_last_n",
            sent=_LLAMA | {ServerKind.OLLAMA},
        ),
    ] = 64
    presence_penalty: Annotated[float, Parameter(-2, 2, sampler=SamplerKind.PENALTIES, sent=_OPENAI)] = 0.0
    frequency_penalty: Annotated[float, Parameter(-2, 2, sampler=SamplerKind.PENALTIES, sent=_OPENAI)] = 0.0
    seed: Annotated[
        int | None, Parameter(0, MAX_SEED, special={SEED_RANDOM: None}, as_is=False, sent=_OPENAI)
    ] = None
    """``None`` for a random one per request, which is reported in ``Finished``."""
    max_tokens: Annotated[
        int | None,
        Parameter(
            0,
            1_048_576,
            special={MAX_TOKENS_NO_LIMIT: None},
            reported="n_predict",
            as_is=False,
            sent=_EVERY,
            sent_as={ServerKind.OLLAMA: "num_predict"},
        ),
    ] = None
    """``None`` for no limit but the context."""
    stop: Annotated[
        tuple[str, ...],
        Parameter(0, MAX_STOPS, as_is=False, sent=_EVERY, sent_as={ServerKind.ANTHROPIC: "stop_sequences"}),
    ] = ()
    stop_tokens: Annotated[tuple[int, ...], Parameter(0, 4096, as_is=False)] = ()
    """Tokens that end the answer and are not in it, as its end token does."""
    min_tokens: Annotated[int, Parameter(0, 1_048_576, as_is=False)] = 0
    """How many tokens there are before one of these or a stop string ends the answer."""
    dynatemp_range: Annotated[float, Parameter(0, 5, sampler=SamplerKind.TEMPERATURE, sent=_LLAMA)] = 0.0
    """The temperature varies by up to this much with the model's confidence; 0 is off."""
    dynatemp_exponent: Annotated[float, Parameter(0.1, 10, sampler=SamplerKind.TEMPERATURE, sent=_LLAMA)] = (
        1.0
    )
    top_n_sigma: Annotated[
        float,
        Parameter(
            0, 10, sampler=SamplerKind.TOP_N_SIGMA, off=-1, special={0.0: -1.0}, negative=0.0, sent=_LLAMA
        ),
    ] = -1.0
    """Keep tokens within this many standard deviations of the best logit; −1 is off."""
    xtc_probability: Annotated[float, Parameter(0, 1, sampler=SamplerKind.XTC, off=0, sent=_LLAMA)] = 0.0
    xtc_threshold: Annotated[float, Parameter(0, 1, sampler=SamplerKind.XTC, sent=_LLAMA)] = 0.1
    dry_multiplier: Annotated[float, Parameter(0, 10, sampler=SamplerKind.DRY, off=0, sent=_LLAMA)] = 0.0
    """Strength of the penalty for repeating whole sequences; 0 is off."""
    dry_base: Annotated[float, Parameter(1, 10, sampler=SamplerKind.DRY, sent=_LLAMA)] = 1.75
    dry_allowed_length: Annotated[int, Parameter(0, 1024, sampler=SamplerKind.DRY, sent=_LLAMA)] = 2
    dry_penalty_last_n: Annotated[
        int,
        Parameter(
            0,
            1_048_576,
            sampler=SamplerKind.DRY,
            off=0,
            special={DRY_WHOLE_CONTEXT: DRY_WHOLE_CONTEXT},
            sent=_LLAMA,
        ),
    ] = DRY_WHOLE_CONTEXT
    """Tokens to look back; -1 for the whole context, 0 is off."""
    dry_sequence_breakers: Annotated[
        tuple[str, ...], Parameter(0, 32, sampler=SamplerKind.DRY, sent=_LLAMA)
    ] = ("\n", ":", '"', "*")
    mirostat: Annotated[int, Parameter(0, 2, special={"off": 0, "1": 1, "2": 2}, sent=_LLAMA)] = 0
    """The version of the algorithm, 1 or 2, which replaces truncation samplers; 0 is off."""
    mirostat_tau: Annotated[float, Parameter(0, 20, sent=_LLAMA)] = 5.0
    mirostat_eta: Annotated[float, Parameter(0, 1, sent=_LLAMA)] = 0.1
    adaptive_p_target: Annotated[
        float, Parameter(0, 1, negative=0.0, reported="adaptive_target", sent=_LLAMA)
    ] = 0.0
    """Prefer tokens near this probability, on average; 0 is off."""
    adaptive_p_decay: Annotated[float, Parameter(0, 0.99, reported="adaptive_decay", sent=_LLAMA)] = 0.9
    samplers: Annotated[tuple[SamplerKind, ...], Parameter(0, len(SamplerKind), as_is=False, sent=_LLAMA)] = (
        tuple(SamplerKind)
    )
    """The order of the samplers; those left out are off."""
    logit_bias: Annotated[tuple[tuple[int, float], ...], Parameter(0, 256, as_is=False)] = ()
    """Pairs of token id and bias, -1000 to 1000; -1000 bans a token."""
    ignore_eos: Annotated[bool, Parameter(sent=_LLAMA)] = False
    """The model cannot end the answer."""
    top_logprobs: Annotated[
        int | None, Parameter(0, 20, special={LOGPROBS_OFF: None}, reported="n_probs", as_is=False)
    ] = None
    """Report the logprobs of tokens, with this many alternatives, 0 to 20."""
    guard_repetition: Annotated[bool, Parameter(as_is=False)] = True
    """End an answer that is stuck in a loop."""


def _parameters() -> Iterator[Parameter]:
    for field in msgspec.structs.fields(SamplingParams):
        declared, row = get_args(field.type)
        plain = get_args(declared)[0] if isinstance(declared, UnionType) else get_origin(declared) or declared
        yield msgspec.structs.replace(row, name=field.name, type=plain, default=field.default)


PARAMETERS: Final[Mapping[str, Parameter]] = MappingProxyType({each.name: each for each in _parameters()})
"""The sampling parameters by name, each declared beside its field."""
