"""Declares the load settings that few users need: RoPE, CPU affinity, tensor overrides, control vectors …"""

from __future__ import annotations

from functools import partial
from typing import Final

from fireside.core.i18n import tr_noop
from fireside.core.options import (
    GPU_LAYERS_ALL,
    GPU_LAYERS_AUTO,
    CacheType,
    Numa,
    RopeScaling,
    SettingValue,
)
from fireside.settings.load_lines import CPUS_LABEL, LAYERS_LABEL, OVERRIDES_LABEL, PLACEMENTS_LABEL
from fireside.settings.values import Group, Kind, SettingDefinition

_setting: Final = partial(
    SettingDefinition, group=Group.MODEL, per_model=True, needs_reload=True, advanced=True
)

CONTROL_SCALES_LABEL: Final = tr_noop("Control vector strengths")

CACHE_CHOICES: Final[tuple[tuple[SettingValue, str], ...]] = (
    (CacheType.F16.value, tr_noop("F16")),
    (CacheType.BF16.value, tr_noop("BF16")),
    (CacheType.F32.value, tr_noop("F32")),
    (CacheType.Q8_0.value, tr_noop("Q8_0 (8-bit)")),
    (CacheType.Q5_1.value, tr_noop("Q5_1 (5-bit)")),
    (CacheType.Q5_0.value, tr_noop("Q5_0 (5-bit)")),
    (CacheType.Q4_1.value, tr_noop("Q4_1 (4-bit)")),
    (CacheType.Q4_0.value, tr_noop("Q4_0 (4-bit)")),
)
"""Data types of the KV cache, with their labels."""
CACHE_AS_MODEL: Final = "model"

MORE_LOAD: Final = (
    _setting(
        key="load.rope_scaling",
        label=tr_noop("RoPE scaling"),
        help=tr_noop(
            "How to extend the context beyond the trained length. YaRN suits most models; quality may drop."
        ),
        kind=Kind.CHOICE,
        default=RopeScaling.MODEL.value,
        choices=(
            (RopeScaling.MODEL.value, tr_noop("Off")),
            (RopeScaling.YARN.value, tr_noop("YaRN")),
            (RopeScaling.LINEAR.value, tr_noop("Linear")),
        ),
    ),
    _setting(
        key="load.rope_freq_base",
        label=tr_noop("RoPE frequency base"),
        help=tr_noop("Base frequency of RoPE; 0 uses the model’s own."),
        kind=Kind.NUMBER,
        default=0.0,
        minimum=0,
        maximum=1e12,
        step=1000,
    ),
    _setting(
        key="load.rope_freq_scale",
        label=tr_noop("RoPE frequency scale"),
        help=tr_noop("Position scale, such as 0.25 for four times the context; 0 is automatic."),
        kind=Kind.NUMBER,
        default=0.0,
        minimum=0,
        maximum=64,
        step=0.05,
    ),
    _setting(
        key="load.n_threads_batch",
        label=tr_noop("Prompt threads (batch)"),
        help=tr_noop("Threads used to process the prompt. Auto uses as many as CPU threads."),
        kind=Kind.INTEGER,
        default=0,
        minimum=0,
        maximum=512,
        step=1,
        unit=tr_noop("threads"),
        choices=((0, tr_noop("Auto")),),
    ),
    _setting(
        key="load.cpus",
        label=CPUS_LABEL,
        help=tr_noop("CPU numbers such as 0-7, 12; empty for all. Not available on macOS."),
        kind=Kind.LINE,
        default="",
    ),
    _setting(
        key="load.numa",
        label=tr_noop("NUMA"),
        help=tr_noop("Where threads run on Linux computers with several CPU sockets."),
        kind=Kind.CHOICE,
        default=Numa.OFF.value,
        choices=(
            (Numa.OFF.value, tr_noop("System default")),
            (Numa.DISTRIBUTE.value, tr_noop("Distribute (all nodes)")),
            (Numa.ISOLATE.value, tr_noop("Isolate (first node)")),
            (Numa.NUMACTL.value, tr_noop("Follow numactl")),
        ),
    ),
    _setting(
        key="load.use_mlock",
        label=tr_noop("Lock model in memory (mlock)"),
        help=tr_noop("Prevents swapping to disk. The whole model must fit in RAM."),
        kind=Kind.SWITCH,
        default=False,
    ),
    _setting(
        key="load.memory_limit_mb",
        label=tr_noop("Memory limit"),
        help=tr_noop("Maximum RAM for the model, which is planned to fit. Not enforced on macOS."),
        kind=Kind.INTEGER,
        default=0,
        minimum=0,
        maximum=16_000_000,
        step=500,
        unit=tr_noop("MB"),
        choices=((0, tr_noop("All free memory")),),
    ),
    _setting(
        key="load.swa_full",
        label=tr_noop("Full sliding-window cache (SWA)"),
        help=tr_noop(
            "Uses more memory on sliding-window models, so that editing an earlier message "
            "reuses more of the prompt cache."
        ),
        kind=Kind.SWITCH,
        default=False,
    ),
    _setting(
        key="load.op_offload",
        label=tr_noop("Offload prompt processing"),
        help=tr_noop(
            "Processes prompts on the GPU also for layers kept in RAM. Turn off if the "
            "connection to the GPU is slow."
        ),
        kind=Kind.SWITCH,
        default=True,
    ),
    _setting(
        key="load.image_min_tokens",
        label=tr_noop("Min image tokens"),
        help=tr_noop("More helps to read small print. For models with dynamic image resolution."),
        kind=Kind.INTEGER,
        default=0,
        minimum=0,
        maximum=16_384,
        step=64,
        unit=tr_noop("tokens"),
        choices=((0, tr_noop("Model default")),),
    ),
    _setting(
        key="load.image_max_tokens",
        label=tr_noop("Max image tokens"),
        help=tr_noop(
            "Fewer makes large images cheaper and less sharp. For models with dynamic image resolution."
        ),
        kind=Kind.INTEGER,
        default=0,
        minimum=0,
        maximum=16_384,
        step=64,
        unit=tr_noop("tokens"),
        choices=((0, tr_noop("Model default")),),
    ),
    _setting(
        key="load.cache_reuse",
        label=tr_noop("Cache reuse (KV shifting)"),
        help=tr_noop(
            "Minimum prompt part to reuse when text before it was removed. Responses are slightly less "
            "accurate."
        ),
        kind=Kind.INTEGER,
        default=0,
        minimum=16,
        maximum=8192,
        step=16,
        unit=tr_noop("tokens"),
        choices=((0, tr_noop("Off")),),
    ),
    _setting(
        key="load.tensor_places",
        label=PLACEMENTS_LABEL,
        help=tr_noop("One “pattern=device” per line, such as ffn_(up|down)=CPU. The first match wins."),
        kind=Kind.LINES,
        default=(),
        maximum=64,
    ),
    _setting(
        key="load.metadata_overrides",
        label=OVERRIDES_LABEL,
        help=tr_noop(
            "Corrects wrong metadata, one name=type:value per line; types are int, float, bool and str."
        ),
        kind=Kind.LINES,
        default=(),
        maximum=64,
    ),
    _setting(
        key="load.control_vectors",
        label=tr_noop("Control vectors"),
        help=tr_noop("Files that steer the model’s responses, made for this model."),
        kind=Kind.PATHS,
        default=(),
        maximum=8,
    ),
    _setting(
        key="load.control_scales",
        label=CONTROL_SCALES_LABEL,
        help=tr_noop("One number per file, in order and separated by commas. 1 is full strength."),
        kind=Kind.LINE,
        default="",
    ),
    _setting(
        key="load.control_layers",
        label=LAYERS_LABEL,
        help=tr_noop("The layers they apply to, such as 10-20; empty for all."),
        kind=Kind.LINE,
        default="",
    ),
    _setting(
        key="load.draft_n_ctx",
        label=tr_noop("Draft model context length"),
        help=tr_noop("A smaller one saves memory. Nothing is drafted beyond it."),
        kind=Kind.INTEGER,
        default=0,
        minimum=256,
        maximum=1_048_576,
        step=256,
        unit=tr_noop("tokens"),
        choices=((0, tr_noop("Same as model")),),
    ),
    _setting(
        key="load.draft_n_gpu_layers",
        label=tr_noop("Draft model GPU offload (layers)"),
        help=tr_noop("How many of its layers run on the GPU."),
        kind=Kind.INTEGER,
        default=GPU_LAYERS_AUTO,
        minimum=0,
        maximum=999,
        step=1,
        unit=tr_noop("layers"),
        choices=(
            (GPU_LAYERS_AUTO, tr_noop("Same as model")),
            (GPU_LAYERS_ALL, tr_noop("All")),
            (0, tr_noop("None")),
        ),
    ),
    _setting(
        key="load.draft_n_threads",
        label=tr_noop("Draft model CPU threads"),
        help=tr_noop("A small model can be faster with fewer threads."),
        kind=Kind.INTEGER,
        default=0,
        minimum=0,
        maximum=512,
        step=1,
        unit=tr_noop("threads"),
        choices=((0, tr_noop("Same as model")),),
    ),
    _setting(
        key="load.draft_cache_type_k",
        label=tr_noop("Draft model K cache quantization"),
        help=tr_noop("Lower precision saves memory and makes drafts slightly less accurate."),
        kind=Kind.CHOICE,
        default=CACHE_AS_MODEL,
        choices=((CACHE_AS_MODEL, tr_noop("Same as model")), *CACHE_CHOICES),
    ),
    _setting(
        key="load.draft_cache_type_v",
        label=tr_noop("Draft model V cache quantization"),
        help=tr_noop("Lower precision saves memory and makes drafts slightly less accurate."),
        kind=Kind.CHOICE,
        default=CACHE_AS_MODEL,
        choices=((CACHE_AS_MODEL, tr_noop("Same as model")), *CACHE_CHOICES),
    ),
)
