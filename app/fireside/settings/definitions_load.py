"""Declares the settings that a model is loaded with. The bounds keep llama.cpp from failing an assertion."""

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
    Speculation,
)
from fireside.core.runtime import BUILT_IN, RUNTIME_KEY
from fireside.settings.adapter_strengths import STRENGTHS_LABEL
from fireside.settings.definitions_more_load import CACHE_CHOICES, MORE_LOAD
from fireside.settings.definitions_placing import PLACING
from fireside.settings.values import Group, Kind, SettingDefinition

_setting: Final = partial(SettingDefinition, group=Group.MODEL, per_model=True, needs_reload=True)

LOAD: Final = (
    _setting(
        key="load.n_ctx",
        label=tr_noop("Context length"),
        help=tr_noop("How many tokens of a chat the model can see at once. More needs more memory."),
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
        label=tr_noop("GPU offload (layers)"),
        help=tr_noop("How many layers run on the GPU. Auto uses as many as fit in its free memory."),
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
        label=tr_noop("CPU threads"),
        help=tr_noop("Threads used to generate a response. Auto uses all fast cores."),
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
        label=tr_noop("Thread spin count"),
        help=tr_noop(
            "How long a waiting thread spins before it yields its core (Linux). More can be "
            "faster on an idle computer, and is much slower beside busy programs."
        ),
        kind=Kind.INTEGER,
        default=SPIN_COUNT_AUTO,
        minimum=0,
        # GNU's OpenMP uses 30 billion to never yield, and parses a C long.
        maximum=1_000_000_000,
        step=1000,
        unit=tr_noop("spins"),
        choices=((SPIN_COUNT_AUTO, tr_noop("Auto")), (0, tr_noop("None"))),
        advanced=True,
    ),
    _setting(
        key="load.n_seq_max",
        label=tr_noop("Parallel requests"),
        help=tr_noop("How many requests one model handles at the same time."),
        kind=Kind.INTEGER,
        default=2,
        minimum=1,
        maximum=16,
        step=1,
    ),
    _setting(
        key="load.kv_unified",
        label=tr_noop("Unified KV cache"),
        help=tr_noop(
            "Parallel requests share the memory of one context and are computed together. Turn "
            "off for results that depend less on other requests."
        ),
        kind=Kind.SWITCH,
        default=True,
        advanced=True,
    ),
    _setting(
        key="load.flash_attn",
        label=tr_noop("Flash attention"),
        help=tr_noop("Speeds up long contexts and saves memory. Auto uses it where it helps."),
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
        label=tr_noop("K cache quantization"),
        help=tr_noop("Lower precision saves memory and makes responses slightly less accurate."),
        kind=Kind.CHOICE,
        default=CacheType.F16.value,
        choices=CACHE_CHOICES,
        per_conversation=True,
        advanced=True,
    ),
    _setting(
        key="load.cache_type_v",
        label=tr_noop("V cache quantization"),
        help=tr_noop("As for the K cache. Quantized types need flash attention."),
        kind=Kind.CHOICE,
        default=CacheType.F16.value,
        choices=CACHE_CHOICES,
        per_conversation=True,
        advanced=True,
    ),
    _setting(
        key="load.n_batch",
        label=tr_noop("Batch size"),
        help=tr_noop("Maximum prompt tokens processed per step."),
        kind=Kind.INTEGER,
        default=2048,
        minimum=32,
        maximum=4096,
        step=32,
        unit=tr_noop("tokens"),
        advanced=True,
    ),
    _setting(
        key="load.n_ubatch",
        label=tr_noop("Micro-batch size"),
        help=tr_noop("Tokens computed at once. Smaller uses less memory and stops sooner."),
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
        label=tr_noop("Speculative decoding"),
        help=tr_noop("Faster responses by guessing tokens ahead. The output stays the same."),
        kind=Kind.CHOICE,
        default=Speculation.OFF.value,
        choices=(
            (Speculation.OFF.value, tr_noop("Off")),
            (Speculation.PROMPT_LOOKUP.value, tr_noop("From context (n-gram)")),
            (Speculation.DRAFT_MODEL.value, tr_noop("With a draft model")),
        ),
    ),
    _setting(
        key="load.draft_path",
        label=tr_noop("Draft model"),
        help=tr_noop("A small model of the same family that drafts tokens for the large one."),
        kind=Kind.FILE,
        default="",
        advanced=True,
    ),
    _setting(
        key="load.n_draft",
        label=tr_noop("Draft tokens"),
        help=tr_noop("Maximum tokens drafted per step."),
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
        label=tr_noop("LoRA adapters"),
        help=tr_noop("Adapter files made for this model, one per line."),
        kind=Kind.PATHS,
        default=(),
        maximum=8,
        advanced=True,
    ),
    _setting(
        key="load.lora_scales",
        label=STRENGTHS_LABEL,
        help=tr_noop("One number per adapter, in order and separated by commas. 1 is full strength."),
        kind=Kind.LINE,
        default="",
        advanced=True,
    ),
    _setting(
        key=RUNTIME_KEY,
        label=tr_noop("Runtime"),
        help=tr_noop("The llama.cpp build that runs the model. Manage runtimes on the Hardware page."),
        kind=Kind.LINE,
        default=BUILT_IN,
        hidden=True,
    ),
    _setting(
        key="load.use_mmap",
        label=tr_noop("Memory-map model (mmap)"),
        help=tr_noop("Loads faster and lets the system share memory. Turn off for files on a network drive."),
        kind=Kind.SWITCH,
        default=True,
        advanced=True,
    ),
    *PLACING,
    *MORE_LOAD,
)
