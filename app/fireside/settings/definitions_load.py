"""Declare the settings that a model is loaded with. Bounds keep llama.cpp clear of its asserts."""

from __future__ import annotations

from functools import partial
from typing import Final

from fireside.core.i18n import tr_noop
from fireside.core.options import (
    GPU_LAYERS_ALL,
    GPU_LAYERS_AUTO,
    MICRO_BATCH_AUTO,
    SPIN_COUNT_AUTO,
    CacheType,
    FlashAttention,
    SettingValue,
    Speculation,
)
from fireside.core.runtime import BUILT_IN, RUNTIME_KEY
from fireside.settings.adapter_strengths import STRENGTHS_LABEL
from fireside.settings.definitions_more_load import MORE_LOAD
from fireside.settings.definitions_placing import PLACING
from fireside.settings.values import Group, Kind, SettingDefinition

_CACHE_CHOICES: Final[tuple[tuple[SettingValue, str], ...]] = (
    (CacheType.F16.value, tr_noop("16 bit (F16)")),
    (CacheType.BF16.value, tr_noop("16 bit (BF16)")),
    (CacheType.F32.value, tr_noop("32 bit (F32)")),
    (CacheType.Q8_0.value, tr_noop("8 bit (Q8_0)")),
    (CacheType.Q5_1.value, tr_noop("5 bit (Q5_1)")),
    (CacheType.Q5_0.value, tr_noop("5 bit (Q5_0)")),
    (CacheType.Q4_1.value, tr_noop("4 bit (Q4_1)")),
    (CacheType.Q4_0.value, tr_noop("4 bit (Q4_0)")),
)

_setting: Final = partial(SettingDefinition, group=Group.MODEL, per_model=True, needs_reload=True)

LOAD: Final = (
    _setting(
        key="load.n_ctx",
        label=tr_noop("Context size"),
        help=tr_noop(
            "How much of a conversation the model can see at once; a larger context needs more memory."
        ),
        kind=Kind.INTEGER,
        default=8192,
        minimum=256,
        maximum=1_048_576,
        step=256,
        unit=tr_noop("tokens"),
        per_conversation=True,
    ),
    _setting(
        key="load.n_gpu_layers",
        label=tr_noop("Layers on the GPU"),
        help=tr_noop(
            "How much of the model the graphics card computes; Auto takes as much as its free memory holds."
        ),
        kind=Kind.INTEGER,
        default=GPU_LAYERS_AUTO,
        minimum=0,
        maximum=999,
        step=1,
        unit=tr_noop("layers"),
        choices=((GPU_LAYERS_AUTO, tr_noop("Auto")), (GPU_LAYERS_ALL, tr_noop("All")), (0, tr_noop("None"))),
        per_conversation=True,
    ),
    _setting(
        key="load.n_threads",
        label=tr_noop("Processor threads"),
        help=tr_noop("How many processor cores write an answer; Auto uses all that are fast."),
        kind=Kind.INTEGER,
        default=0,
        minimum=0,
        # ggml asserts n_threads <= GGML_MAX_N_THREADS.
        maximum=512,
        step=1,
        unit=tr_noop("threads"),
        choices=((0, tr_noop("Auto")),),
    ),
    _setting(
        key="load.spin_count",
        label=tr_noop("Patience of waiting threads"),
        help=tr_noop(
            "On Linux, how often a waiting thread looks for work before it lets go of its core; more can be "
            "faster while nothing else runs, and is much slower beside busy programs."
        ),
        kind=Kind.INTEGER,
        default=SPIN_COUNT_AUTO,
        minimum=0,
        # GNU's own choice where it never lets go is 30 billion, and it reads a C long.
        maximum=1_000_000_000,
        step=1000,
        unit=tr_noop("looks"),
        choices=((SPIN_COUNT_AUTO, tr_noop("Auto")), (0, tr_noop("None"))),
        advanced=True,
    ),
    _setting(
        key="load.n_seq_max",
        label=tr_noop("Parallel answers"),
        help=tr_noop("How many conversations one model answers at the same time."),
        kind=Kind.INTEGER,
        default=2,
        minimum=1,
        maximum=16,
        step=1,
    ),
    _setting(
        key="load.kv_unified",
        label=tr_noop("Parallel answers share one context"),
        help=tr_noop(
            "A second answer then takes no memory of its own, and all are computed in one pass; without it, "
            "an answer depends less on what runs beside it."
        ),
        kind=Kind.SWITCH,
        default=True,
        advanced=True,
    ),
    _setting(
        key="load.flash_attn",
        label=tr_noop("Flash attention"),
        help=tr_noop("A faster way to compute long contexts with less memory; Auto uses it where it helps."),
        kind=Kind.CHOICE,
        default=FlashAttention.AUTO.value,
        choices=(
            (FlashAttention.AUTO.value, tr_noop("Auto")),
            (FlashAttention.ON.value, tr_noop("On")),
            (FlashAttention.OFF.value, tr_noop("Off")),
        ),
        per_conversation=True,
    ),
    _setting(
        key="load.cache_type_k",
        label=tr_noop("Key cache"),
        help=tr_noop("Fewer bits make the context smaller in memory and answers a little less exact."),
        kind=Kind.CHOICE,
        default=CacheType.F16.value,
        choices=_CACHE_CHOICES,
        per_conversation=True,
        advanced=True,
    ),
    _setting(
        key="load.cache_type_v",
        label=tr_noop("Value cache"),
        help=tr_noop("Like the key cache; 8 bits or fewer need flash attention."),
        kind=Kind.CHOICE,
        default=CacheType.F16.value,
        choices=_CACHE_CHOICES,
        per_conversation=True,
        advanced=True,
    ),
    _setting(
        key="load.n_batch",
        label=tr_noop("Batch size"),
        help=tr_noop("How many tokens are handed to the model in one step while it reads."),
        kind=Kind.INTEGER,
        default=512,
        minimum=32,
        maximum=4096,
        step=32,
        unit=tr_noop("tokens"),
        advanced=True,
    ),
    _setting(
        key="load.n_ubatch",
        label=tr_noop("Micro-batch size"),
        help=tr_noop("How many tokens are computed at once; smaller needs less memory and stops sooner."),
        kind=Kind.INTEGER,
        default=MICRO_BATCH_AUTO,
        minimum=32,
        maximum=4096,
        step=32,
        unit=tr_noop("tokens"),
        choices=((MICRO_BATCH_AUTO, tr_noop("Auto")),),
        advanced=True,
    ),
    _setting(
        key="load.speculation",
        label=tr_noop("Guess ahead"),
        help=tr_noop("Faster answers where the next words can be guessed; what is answered stays the same."),
        kind=Kind.CHOICE,
        default=Speculation.OFF.value,
        choices=(
            (Speculation.OFF.value, tr_noop("Off")),
            (Speculation.PROMPT_LOOKUP.value, tr_noop("From the chat itself")),
            (Speculation.DRAFT_MODEL.value, tr_noop("With a draft model")),
        ),
    ),
    _setting(
        key="load.draft_path",
        label=tr_noop("Draft model"),
        help=tr_noop("A small model of the same family that guesses ahead for the large one."),
        kind=Kind.FILE,
        default="",
        advanced=True,
    ),
    _setting(
        key="load.n_draft",
        label=tr_noop("Tokens guessed ahead"),
        help=tr_noop("At most this many tokens are guessed in one step."),
        kind=Kind.INTEGER,
        default=8,
        minimum=1,
        maximum=64,
        step=1,
        unit=tr_noop("tokens"),
        advanced=True,
    ),
    _setting(
        key="load.lora",
        label=tr_noop("Adapters (LoRA)"),
        help=tr_noop(
            "Files that change how the model answers, one a line; they must be made for this very model."
        ),
        kind=Kind.PATHS,
        default=(),
        maximum=8,
        advanced=True,
    ),
    _setting(
        key="load.lora_scales",
        label=STRENGTHS_LABEL,
        help=tr_noop("Numbers in the order of the adapters, with commas between them; 1 is full strength."),
        kind=Kind.LINE,
        default="",
        advanced=True,
    ),
    _setting(
        key=RUNTIME_KEY,
        label=tr_noop("Runtime"),
        help=tr_noop("The runtime that computes the model; the page “Hardware” lists those that there are."),
        kind=Kind.LINE,
        default=BUILT_IN,
        hidden=True,
    ),
    _setting(
        key="load.use_mmap",
        label=tr_noop("Map the file into memory"),
        help=tr_noop(
            "Loads faster and shares memory between programs; turn it off for files on a network drive."
        ),
        kind=Kind.SWITCH,
        default=True,
        advanced=True,
    ),
    *PLACING,
    *MORE_LOAD,
)
