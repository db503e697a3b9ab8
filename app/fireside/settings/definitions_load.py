"""Declares the settings that a model is loaded with. The bounds keep llama.cpp from failing an assertion."""

from __future__ import annotations

from typing import Final

from fireside.core.i18n import tr_noop
from fireside.core.options import (
    GPU_LAYERS_ALL,
    GPU_LAYERS_AUTO,
    MICRO_BATCH_AUTO,
    MOE_ON_CPU_AUTO,
    SPIN_COUNT_AUTO,
    CacheType,
    FlashAttention,
    Numa,
    RopeScaling,
    Speculation,
    SplitMode,
)
from fireside.core.runtime import BUILT_IN, RUNTIME_KEY
from fireside.settings.load_lines import (
    CPUS_LABEL,
    LAYERS_LABEL,
    OVERRIDES_LABEL,
    PLACEMENTS_LABEL,
    SHARES_LABEL,
    STRENGTHS_LABEL,
)
from fireside.settings.values import Choices, Group, SettingSection

_setting: Final = SettingSection(Group.MODEL, per_model=True, needs_reload=True)
_advanced: Final = SettingSection(Group.MODEL, per_model=True, needs_reload=True, advanced=True)

CONTROL_SCALES_LABEL: Final = tr_noop("Control vector strengths")

CACHE_CHOICES: Final[Choices] = (
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

LOAD: Final = (
    _setting.integer(
        "load.n_ctx",
        tr_noop("Context length"),
        tr_noop("How many tokens of a chat the model can see at once. More needs more memory."),
        default=8192,
        within=(256, 1_048_576),
        step=256,
        unit=tr_noop("tokens"),
        per_conversation=True,
        synonyms=tr_noop("context length; context window; n_ctx; num_ctx; ctx-size; max context"),
    ),
    _setting.integer(
        "load.n_gpu_layers",
        tr_noop("GPU offload (layers)"),
        tr_noop("How many layers run on the GPU. Auto uses as many as fit in its free memory."),
        within=(0, 999),
        auto=GPU_LAYERS_AUTO,
        named=((GPU_LAYERS_ALL, tr_noop("All")), (0, tr_noop("None"))),
        unit=tr_noop("layers"),
        per_conversation=True,
        synonyms=tr_noop("gpu offload; gpu layers; n_gpu_layers; num_gpu; ngl; vram; cuda; metal; vulkan"),
    ),
    _setting.integer(
        "load.n_threads",
        tr_noop("CPU threads"),
        tr_noop("Threads used to generate a response. Auto uses all fast cores."),
        within=(0, 512),  # ggml asserts n_threads <= GGML_MAX_N_THREADS
        auto=0,
        unit=tr_noop("threads"),
        synonyms=tr_noop("cpu threads; n_threads; num_thread; thread count; cpu cores"),
    ),
    _setting.integer(
        "load.spin_count",
        tr_noop("Thread spin count"),
        tr_noop(
            "How long a waiting thread spins before it yields its core (Linux). More can be "
            "faster on an idle computer, and is much slower beside busy programs."
        ),
        within=(0, 1_000_000_000),  # GNU's OpenMP parses a C long, and takes 30 billion as never
        step=1000,
        auto=SPIN_COUNT_AUTO,
        named=((0, tr_noop("None")),),
        unit=tr_noop("spins"),
        advanced=True,
        synonyms=tr_noop("poll; polling; spin; busy wait"),
    ),
    _setting.integer(
        "load.n_seq_max",
        tr_noop("Parallel requests"),
        tr_noop("How many requests one model handles at the same time."),
        default=2,
        within=(1, 16),
        synonyms=tr_noop("parallel requests; n_parallel; num_parallel; slots; concurrency"),
    ),
    _setting.switch(
        "load.kv_unified",
        tr_noop("Unified KV cache"),
        tr_noop(
            "Parallel requests share the memory of one context and are computed together. Turn "
            "off for results that depend less on other requests."
        ),
        default=True,
        advanced=True,
        synonyms=tr_noop("unified kv cache; kv_unified; shared kv cache"),
    ),
    _setting.choice(
        "load.flash_attn",
        tr_noop("Flash attention"),
        tr_noop("Speeds up long contexts and saves memory. Auto uses it where it helps."),
        auto=FlashAttention.AUTO.value,
        choices=((FlashAttention.ON.value, tr_noop("On")), (FlashAttention.OFF.value, tr_noop("Off"))),
        per_conversation=True,
        synonyms=tr_noop("flash attention; flash_attn; fa"),
    ),
    _setting.choice(
        "load.cache_type_k",
        tr_noop("K cache quantization"),
        tr_noop("Lower precision saves memory and makes responses slightly less accurate."),
        default=CacheType.F16.value,
        choices=CACHE_CHOICES,
        per_conversation=True,
        advanced=True,
        synonyms=tr_noop("kv cache; kv cache quantization; cache_type_k; k cache; kv cache type"),
    ),
    _setting.choice(
        "load.cache_type_v",
        tr_noop("V cache quantization"),
        tr_noop("As for the K cache. Quantized types need flash attention."),
        default=CacheType.F16.value,
        choices=CACHE_CHOICES,
        per_conversation=True,
        advanced=True,
        synonyms=tr_noop("kv cache; kv cache quantization; cache_type_v; v cache; kv cache type"),
    ),
    _setting.integer(
        "load.n_batch",
        tr_noop("Batch size"),
        tr_noop("Maximum prompt tokens processed per step."),
        default=2048,
        within=(32, 4096),
        step=32,
        unit=tr_noop("tokens"),
        advanced=True,
        synonyms=tr_noop("batch size; n_batch; num_batch; evaluation batch size"),
    ),
    _setting.integer(
        "load.n_ubatch",
        tr_noop("Micro-batch size"),
        tr_noop("Tokens computed at once. Smaller uses less memory and stops sooner."),
        within=(32, 4096),
        step=32,
        auto=MICRO_BATCH_AUTO,
        unit=tr_noop("tokens"),
        advanced=True,
        synonyms=tr_noop("ubatch; n_ubatch; physical batch size; micro batch"),
    ),
    _setting.choice(
        "load.speculation",
        tr_noop("Speculative decoding"),
        tr_noop(
            "Guesses tokens ahead while that is measured to be faster; answers stay the same. Auto uses the "
            "model’s own draft heads (MTP)."
        ),
        default=Speculation.AUTO.value,
        choices=(
            (Speculation.AUTO.value, tr_noop("Auto (draft heads)")),
            (Speculation.OFF.value, tr_noop("Off")),
            (Speculation.PROMPT_LOOKUP.value, tr_noop("From context (n-gram)")),
            (Speculation.DRAFT_MODEL.value, tr_noop("With a draft model")),
        ),
        synonyms=tr_noop(
            "speculative decoding; draft; lookup decoding; ngram; prompt lookup; mtp; multi-token "
            "prediction; nextn"
        ),
    ),
    _setting.file(
        "load.draft_path",
        tr_noop("Draft model"),
        tr_noop("A small model of the same family that drafts tokens for the large one."),
        advanced=True,
        synonyms=tr_noop("draft model; speculative model; model_draft; assistant model"),
    ),
    _setting.integer(
        "load.n_draft",
        tr_noop("Draft tokens"),
        tr_noop("Maximum tokens drafted per step."),
        default=8,
        within=(1, 64),
        unit=tr_noop("tokens"),
        advanced=True,
        synonyms=tr_noop("draft_max; draft tokens; n_draft; draft n"),
    ),
    _setting.paths(
        "load.lora",
        tr_noop("LoRA adapters"),
        tr_noop("Adapter files made for this model, one per line."),
        most=8,
        advanced=True,
        synonyms=tr_noop("lora; adapter; fine-tune"),
    ),
    _setting.line(
        "load.lora_scales",
        STRENGTHS_LABEL,
        tr_noop("One number per adapter, in order and separated by commas. 1 is full strength."),
        advanced=True,
        synonyms=tr_noop("lora scale; lora_scaled; adapter strength"),
    ),
    _setting.line(
        RUNTIME_KEY,
        tr_noop("Runtime"),
        tr_noop("The llama.cpp build that runs the model. Manage runtimes on the Hardware page."),
        default=BUILT_IN,
        hidden=True,
    ),
    _setting.switch(
        "load.use_mmap",
        tr_noop("Memory-map model (mmap)"),
        tr_noop("Loads faster and lets the system share memory. Turn off for files on a network drive."),
        default=True,
        advanced=True,
        synonyms=tr_noop("mmap; use_mmap; no-mmap; memory map; memory mapping"),
    ),
    _advanced.integer(
        "load.n_cpu_moe",
        tr_noop("MoE experts on CPU (layers)"),
        tr_noop(
            "Keeps the experts of this many layers of a MoE model in RAM. Auto keeps as few as necessary."
        ),
        within=(0, 999),
        auto=MOE_ON_CPU_AUTO,
        named=((0, tr_noop("None")),),
        unit=tr_noop("layers"),
        synonyms=tr_noop("n_cpu_moe; cpu_moe; moe; mixture of experts; expert offload; expert weights"),
    ),
    _advanced.switch(
        "load.offload_kqv",
        tr_noop("Offload KV cache to GPU"),
        tr_noop("Faster. Turned off, the KV cache uses RAM instead of GPU memory."),
        default=True,
        synonyms=tr_noop("kv cache on gpu; offload_kqv; kv offload; no_kv_offload"),
    ),
    _advanced.choice(
        "load.split_mode",
        tr_noop("Multi-GPU split mode"),
        tr_noop("How several GPUs share a model. A single GPU is best for models that fit on it."),
        default=SplitMode.LAYER.value,
        choices=(
            (SplitMode.LAYER.value, tr_noop("Split by layer")),
            (SplitMode.ROW.value, tr_noop("Split by row")),
            (SplitMode.TENSOR.value, tr_noop("Tensor parallel")),
            (SplitMode.NONE.value, tr_noop("Single GPU")),
        ),
        synonyms=tr_noop("multi gpu; split_mode; multiple gpus"),
    ),
    _advanced.line(
        "load.tensor_split",
        SHARES_LABEL,
        tr_noop("One number per GPU, such as 3, 1; empty to split by free memory."),
        synonyms=tr_noop("tensor_split; gpu split; split ratio"),
    ),
    _advanced.line(
        "load.main_gpu",
        tr_noop("Main GPU"),
        tr_noop("The GPU used alone, or for what cannot be split; empty for the first."),
        synonyms=tr_noop("main_gpu; primary gpu; select gpu"),
    ),
    _advanced.lines(
        "load.excluded_devices",
        tr_noop("Excluded GPUs"),
        tr_noop("Names of GPUs the model must not use, one per line."),
        most=16,
        synonyms=tr_noop("disable gpu; exclude gpu; CUDA_VISIBLE_DEVICES; devices"),
    ),
    _advanced.choice(
        "load.rope_scaling",
        tr_noop("RoPE scaling"),
        tr_noop(
            "How to extend the context beyond the trained length. YaRN suits most models; quality may drop."
        ),
        default=RopeScaling.MODEL.value,
        choices=(
            (RopeScaling.MODEL.value, tr_noop("Off")),
            (RopeScaling.YARN.value, tr_noop("YaRN")),
            (RopeScaling.LINEAR.value, tr_noop("Linear")),
        ),
        synonyms=tr_noop("rope; rope scaling; yarn; extend context; long context"),
    ),
    _advanced.decimal(
        "load.rope_freq_base",
        tr_noop("RoPE frequency base"),
        tr_noop("Base frequency of RoPE; 0 uses the model’s own."),
        default=0.0,
        within=(0, 1e12),
        step=1000,
        synonyms=tr_noop("rope; rope_freq_base; rope theta; rope frequency base"),
    ),
    _advanced.decimal(
        "load.rope_freq_scale",
        tr_noop("RoPE frequency scale"),
        tr_noop("Position scale, such as 0.25 for four times the context; 0 is automatic."),
        default=0.0,
        within=(0, 64),
        step=0.05,
        synonyms=tr_noop("rope; rope_freq_scale; rope frequency scale"),
    ),
    _advanced.integer(
        "load.n_threads_batch",
        tr_noop("Prompt threads (batch)"),
        tr_noop("Threads used to process the prompt. Auto uses as many as CPU threads."),
        within=(0, 512),
        auto=0,
        unit=tr_noop("threads"),
        synonyms=tr_noop("threads_batch; n_threads_batch; prompt threads"),
    ),
    _advanced.line(
        "load.cpus",
        CPUS_LABEL,
        tr_noop("CPU numbers such as 0-7, 12; empty for all. Not available on macOS."),
        synonyms=tr_noop("cpu affinity; cpu_mask; cpu_range; pin threads; core pinning"),
    ),
    _advanced.choice(
        "load.numa",
        tr_noop("NUMA"),
        tr_noop("Where threads run on Linux computers with several CPU sockets."),
        default=Numa.OFF.value,
        choices=(
            (Numa.OFF.value, tr_noop("System default")),
            (Numa.DISTRIBUTE.value, tr_noop("Distribute (all nodes)")),
            (Numa.ISOLATE.value, tr_noop("Isolate (first node)")),
            (Numa.NUMACTL.value, tr_noop("Follow numactl")),
        ),
        synonyms=tr_noop("numa; memory nodes; sockets"),
    ),
    _advanced.switch(
        "load.use_mlock",
        tr_noop("Lock model in memory (mlock)"),
        tr_noop("Prevents swapping to disk. The whole model must fit in RAM."),
        synonyms=tr_noop("mlock; use_mlock; keep model in memory; lock memory; no swap"),
    ),
    _advanced.integer(
        "load.memory_limit_mb",
        tr_noop("Memory limit"),
        tr_noop("Maximum RAM for the model, which is planned to fit. Not enforced on macOS."),
        default=0,
        within=(0, 16_000_000),
        step=500,
        named=((0, tr_noop("All free memory")),),
        unit=tr_noop("MB"),
        synonyms=tr_noop("memory limit; ram limit; max memory; guardrails"),
    ),
    _advanced.switch(
        "load.swa_full",
        tr_noop("Full sliding-window cache (SWA)"),
        tr_noop(
            "Uses more memory on sliding-window models, so that editing an earlier message "
            "reuses more of the prompt cache."
        ),
        synonyms=tr_noop("swa_full; sliding window; swa"),
    ),
    _advanced.switch(
        "load.op_offload",
        tr_noop("Offload prompt processing"),
        tr_noop(
            "Processes prompts on the GPU also for layers kept in RAM. Turn off if the "
            "connection to the GPU is slow."
        ),
        default=True,
        synonyms=tr_noop("op_offload; no-op-offload; gpu prompt processing"),
    ),
    _advanced.switch(
        "load.report_late",
        tr_noop("Send text during the next step"),
        tr_noop(
            "Shows text while the GPU already computes what follows. May be slightly faster; no effect "
            "without a GPU."
        ),
        synonyms=tr_noop("report_late; async; overlap; gpu idle; pipelining"),
    ),
    _advanced.integer(
        "load.image_min_tokens",
        tr_noop("Min image tokens"),
        tr_noop("More helps to read small print. For models with dynamic image resolution."),
        default=0,
        within=(0, 16_384),
        step=64,
        named=((0, tr_noop("Model default")),),
        unit=tr_noop("tokens"),
        synonyms=tr_noop("image_min_tokens; vision tokens; image tokens; image resolution"),
    ),
    _advanced.integer(
        "load.image_max_tokens",
        tr_noop("Max image tokens"),
        tr_noop("Fewer makes large images cheaper and less sharp. For models with dynamic image resolution."),
        default=0,
        within=(0, 16_384),
        step=64,
        named=((0, tr_noop("Model default")),),
        unit=tr_noop("tokens"),
        synonyms=tr_noop("image_max_tokens; vision tokens; image tokens; image resolution"),
    ),
    _advanced.integer(
        "load.cache_reuse",
        tr_noop("Cache reuse (KV shifting)"),
        tr_noop(
            "Minimum prompt part to reuse when text before it was removed. Responses are slightly less "
            "accurate."
        ),
        default=0,
        within=(16, 8192),
        step=16,
        named=((0, tr_noop("Off")),),
        unit=tr_noop("tokens"),
        synonyms=tr_noop("cache_reuse; n_cache_reuse; KV shifting; chunk reuse"),
    ),
    _advanced.lines(
        "load.tensor_places",
        PLACEMENTS_LABEL,
        tr_noop("One “pattern=device” per line, such as ffn_(up|down)=CPU. The first match wins."),
        most=64,
        synonyms=tr_noop("override_tensor; override-tensor; tensor override; tensor buffer"),
    ),
    _advanced.lines(
        "load.metadata_overrides",
        OVERRIDES_LABEL,
        tr_noop("Corrects wrong metadata, one name=type:value per line; types are int, float, bool and str."),
        most=64,
        synonyms=tr_noop("override_kv; override-kv; metadata override"),
    ),
    _advanced.paths(
        "load.control_vectors",
        tr_noop("Control vectors"),
        tr_noop("Files that steer the model’s responses, made for this model."),
        most=8,
        synonyms=tr_noop("control vector; control_vector; steering vector"),
    ),
    _advanced.line(
        "load.control_scales",
        CONTROL_SCALES_LABEL,
        tr_noop("One number per file, in order and separated by commas. 1 is full strength."),
        synonyms=tr_noop("control_vector_scaled; steering strength"),
    ),
    _advanced.line(
        "load.control_layers",
        LAYERS_LABEL,
        tr_noop("The layers they apply to, such as 10-20; empty for all."),
        synonyms=tr_noop("control_vector_layer_range; steering layers"),
    ),
    _advanced.integer(
        "load.draft_n_ctx",
        tr_noop("Draft model context length"),
        tr_noop("A smaller one saves memory. Nothing is drafted beyond it."),
        default=0,
        within=(256, 1_048_576),
        step=256,
        named=((0, tr_noop("Same as model")),),
        unit=tr_noop("tokens"),
        synonyms=tr_noop("ctx_size_draft; draft context; draft context size"),
    ),
    _advanced.integer(
        "load.draft_n_gpu_layers",
        tr_noop("Draft model GPU offload (layers)"),
        tr_noop("How many of its layers run on the GPU."),
        default=GPU_LAYERS_AUTO,
        within=(0, 999),
        named=(
            (GPU_LAYERS_AUTO, tr_noop("Same as model")),
            (GPU_LAYERS_ALL, tr_noop("All")),
            (0, tr_noop("None")),
        ),
        unit=tr_noop("layers"),
        synonyms=tr_noop("n_gpu_layers_draft; ngld; draft gpu layers"),
    ),
    _advanced.integer(
        "load.draft_n_threads",
        tr_noop("Draft model CPU threads"),
        tr_noop("A small model can be faster with fewer threads."),
        default=0,
        within=(0, 512),
        named=((0, tr_noop("Same as model")),),
        unit=tr_noop("threads"),
        synonyms=tr_noop("threads_draft; draft threads"),
    ),
    _advanced.choice(
        "load.draft_cache_type_k",
        tr_noop("Draft model K cache quantization"),
        tr_noop("Lower precision saves memory and makes drafts slightly less accurate."),
        default=CACHE_AS_MODEL,
        choices=((CACHE_AS_MODEL, tr_noop("Same as model")), *CACHE_CHOICES),
        synonyms=tr_noop("cache_type_k_draft; ctkd; draft kv cache"),
    ),
    _advanced.choice(
        "load.draft_cache_type_v",
        tr_noop("Draft model V cache quantization"),
        tr_noop("Lower precision saves memory and makes drafts slightly less accurate."),
        default=CACHE_AS_MODEL,
        choices=((CACHE_AS_MODEL, tr_noop("Same as model")), *CACHE_CHOICES),
        synonyms=tr_noop("cache_type_v_draft; ctvd; draft kv cache"),
    ),
)
