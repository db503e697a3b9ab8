"""Validate load options before native code gets them: llama.cpp aborts on many invalid values."""

from __future__ import annotations

import math
import os
import re
from typing import Final

import msgspec
import psutil

from fireside.core.errors import InvalidParameter
from fireside.core.i18n import Phrase, tr_noop
from fireside.core.load_sizes import (
    UNQUANTIZED_CACHE_TYPES,
    draft_load_options,
    effective_flash_attention,
    effective_micro_batch,
    effective_n_ctx,
    max_drafted,
    n_kv_cells,
)
from fireside.core.options import (
    MICRO_BATCH_AUTO,
    CacheType,
    FlashAttention,
    LoadOptions,
    MetadataOverride,
    RopeScaling,
    Speculation,
    SplitMode,
    TensorPlacement,
)

ALL_LAYERS: Final = -1

_MAX_CTX: Final = 2**24
_MAX_CELLS: Final = 2**31 - 1
_MAX_SEQUENCES: Final = 256
_MAX_BATCH: Final = 65536
_MAX_THREADS: Final = 512
_MAX_GPU_LAYERS: Final = 100_000
_MAX_DRAFT: Final = 64
_MAX_DEVICES: Final = 16
"""llama.cpp's limit on devices; it is checked again against the library's."""
_MAX_SHARE: Final = 1e15
_MAX_NAME_CHARS: Final = 128
_MAX_IMAGE_TOKENS: Final = 16_384
_MAX_OVERRIDES: Final = 64
MAX_OVERRIDE_BYTES: Final = 127
"""Longest text in ``llama_model_kv_override``."""
_MAX_FREQ_BASE: Final = 1e12
_MAX_FREQ_SCALE: Final = 64.0


class DummyVocab(msgspec.Struct, frozen=True, kw_only=True):
    """Nameless tokens in place of a tokenizer, whose loading would dominate a dry run."""

    architecture: str
    n_tokens: int


class ModelParams(msgspec.Struct, frozen=True, kw_only=True):
    """Validated parameters of a model. ``no_alloc`` only reads the header and computes sizes."""

    path: str
    n_gpu_layers: int
    use_mmap: bool
    use_repack: bool
    use_mlock: bool = False
    no_alloc: bool = False
    n_cpu_moe: int = 0
    split_mode: SplitMode = SplitMode.LAYER
    tensor_split: tuple[float, ...] = ()
    main_gpu: str = ""
    excluded_devices: tuple[str, ...] = ()
    tensor_places: tuple[TensorPlacement, ...] = ()
    metadata_overrides: tuple[MetadataOverride, ...] = ()
    load_heads: bool = False
    """Load the heads for multi-token prediction too, if the file has them."""
    dummy_vocab: DummyVocab | None = None
    """Only with ``no_alloc``."""


class ContextParams(msgspec.Struct, frozen=True, kw_only=True):
    """Validated parameters of a context. Sizes in tokens; ``n_ctx`` is that of one sequence."""

    n_ctx: int
    n_seq_max: int
    n_shared_cells: int = 0
    """KV cells shared by all sequences; 0 gives each sequence ``n_ctx`` of its own."""
    n_batch: int
    n_ubatch: int
    n_threads: int
    flash_attn: FlashAttention
    cache_type_k: CacheType
    cache_type_v: CacheType
    n_draft: int = 0
    """Most draft tokens for one sequence; 0 without speculation."""
    offload_kqv: bool = True
    n_threads_batch: int = 0
    """Threads for prompts; 0 for as many as ``n_threads``."""
    op_offload: bool = True
    swa_full: bool = False
    rope_scaling: RopeScaling = RopeScaling.MODEL
    rope_freq_base: float = 0.0
    rope_freq_scale: float = 0.0
    """0 for the model's own, or the one that fits the context if positions are scaled."""


def _check(name: str, value: float, low: float, high: float) -> None:
    if not (math.isfinite(value) and low <= value <= high):
        raise InvalidParameter(
            name=name,
            reason=Phrase(
                tr_noop("{value} is not between {low} and {high}."),
                {"value": value, "low": low, "high": high},
            ),
        )


def model_params(path: str, options: LoadOptions) -> ModelParams:
    """Return the validated parameters of a model. Any negative number of GPU layers means all.

    Raises:
        InvalidParameter: a value is out of range.
    """
    _check("n_gpu_layers", options.n_gpu_layers, -2, _MAX_GPU_LAYERS)
    _check("n_cpu_moe", options.n_cpu_moe, -1, _MAX_GPU_LAYERS)
    _check("image_min_tokens", options.image_min_tokens, 0, _MAX_IMAGE_TOKENS)
    _check("image_max_tokens", options.image_max_tokens, 0, _MAX_IMAGE_TOKENS)
    if 0 < options.image_max_tokens < options.image_min_tokens:
        _check("image_max_tokens", options.image_max_tokens, options.image_min_tokens, _MAX_IMAGE_TOKENS)
    _check_split(options)
    _check_overrides(options)
    return ModelParams(
        path=path,
        n_gpu_layers=options.n_gpu_layers if options.n_gpu_layers >= 0 else ALL_LAYERS,
        use_mmap=options.use_mmap,
        use_repack=options.use_repack,
        use_mlock=options.use_mlock,
        n_cpu_moe=max(0, options.n_cpu_moe),
        split_mode=options.split_mode,
        tensor_split=options.tensor_split,
        main_gpu=options.main_gpu,
        excluded_devices=options.excluded_devices,
        tensor_places=options.tensor_places,
        metadata_overrides=options.metadata_overrides,
        load_heads=options.speculation is Speculation.MTP and options.draft_path is None,
    )


def _check_split(options: LoadOptions) -> None:
    """Raise ``InvalidParameter`` for an invalid tensor split or device name."""
    if len(options.tensor_split) > _MAX_DEVICES or len(options.excluded_devices) > _MAX_DEVICES:
        raise InvalidParameter(
            name="tensor_split", reason=Phrase(tr_noop("there are at most {n} devices."), {"n": _MAX_DEVICES})
        )
    for share in options.tensor_split:
        _check("tensor_split", share, 0, _MAX_SHARE)
    if options.tensor_split and not any(options.tensor_split):
        raise InvalidParameter(name="tensor_split", reason=tr_noop("all shares are 0."))
    for name in (options.main_gpu, *options.excluded_devices):
        if len(name) > _MAX_NAME_CHARS or "\0" in name:
            raise InvalidParameter(name="device", reason=tr_noop("that is not the name of a device."))


def _check_overrides(options: LoadOptions) -> None:
    """Raise ``InvalidParameter`` for invalid patterns, and texts that llama.cpp would truncate."""
    _check("tensor_places", len(options.tensor_places), 0, _MAX_OVERRIDES)
    _check("metadata_overrides", len(options.metadata_overrides), 0, _MAX_OVERRIDES)
    for placement in options.tensor_places:
        try:
            re.compile(placement.pattern)
        except (re.error, RecursionError) as exc:
            raise InvalidParameter(
                name="tensor_places",
                reason=Phrase(
                    tr_noop("“{pattern}” is not a valid regular expression."), {"pattern": placement.pattern}
                ),
            ) from exc
    texts = [override.key for override in options.metadata_overrides]
    texts += [override.value for override in options.metadata_overrides if isinstance(override.value, str)]
    for text in texts:
        if len(text.encode("utf-8", "replace")) > MAX_OVERRIDE_BYTES or "\0" in text:
            raise InvalidParameter(name="metadata_overrides", reason=tr_noop("a text in it is too long."))


def context_params(options: LoadOptions, *, n_ctx_train: int) -> ContextParams:
    """Return the validated parameters of a context, at most as long as the model allows.

    Raises:
        InvalidParameter: a value is out of range, or two exclude each other.
    """
    _check("n_ctx", options.n_ctx, 1, _MAX_CTX)
    _check("n_seq_max", options.n_seq_max, 1, _MAX_SEQUENCES)
    _check("n_ctx", options.n_ctx * options.n_seq_max, 1, _MAX_CELLS)  # a draft model has cells for each
    # Each sequence must fit at least one token into every step.
    _check("n_batch", options.n_batch, options.n_seq_max, _MAX_BATCH)
    if options.n_ubatch != MICRO_BATCH_AUTO:
        _check("n_ubatch", options.n_ubatch, options.n_seq_max, _MAX_BATCH)
    _check("n_threads", options.n_threads, 0, _MAX_THREADS)
    _check("n_threads_batch", options.n_threads_batch, 0, _MAX_THREADS)
    _check("rope_freq_base", options.rope_freq_base, 0, _MAX_FREQ_BASE)
    _check("rope_freq_scale", options.rope_freq_scale, 0, _MAX_FREQ_SCALE)
    _check("n_draft", options.n_draft, 1, _MAX_DRAFT)
    _check("cache_reuse", options.cache_reuse, 0, _MAX_CTX)
    if options.flash_attn is FlashAttention.OFF and options.cache_type_v not in UNQUANTIZED_CACHE_TYPES:
        raise InvalidParameter(
            name="cache_type_v",
            reason=Phrase(tr_noop("{kind} needs flash attention."), {"kind": options.cache_type_v.value}),
        )
    n_ubatch = effective_micro_batch(options)
    n_draft = max_drafted(options)
    if n_draft > n_ubatch - 2:
        # Recurrent memories keep n_draft + 1 states, and llama.cpp aborts if those fill a micro-batch.
        raise InvalidParameter(
            name="n_draft",
            reason=Phrase(
                tr_noop("{n} parallel requests need a micro-batch size of {least} or more."),
                {"n": n_draft, "least": n_draft + 2},
            ),
        )
    n_ctx = effective_n_ctx(options, n_ctx_train=n_ctx_train)
    return ContextParams(
        n_ctx=n_ctx,
        n_shared_cells=n_kv_cells(options, n_ctx=n_ctx) if options.kv_unified else 0,
        n_seq_max=options.n_seq_max,
        n_batch=options.n_batch,
        n_ubatch=n_ubatch,
        n_threads=options.n_threads or default_threads(),
        n_threads_batch=options.n_threads_batch,
        flash_attn=options.flash_attn,
        cache_type_k=options.cache_type_k,
        cache_type_v=options.cache_type_v,
        n_draft=n_draft,
        offload_kqv=options.offload_kqv,
        op_offload=options.op_offload,
        swa_full=options.swa_full,
        rope_scaling=options.rope_scaling,
        rope_freq_base=options.rope_freq_base,
        rope_freq_scale=options.rope_freq_scale,
    )


def draft_context_params(options: LoadOptions, *, n_head: int, n_ctx_train: int) -> ContextParams:
    """Return the parameters of a draft model's context, from the ``options`` of the main model.

    Each sequence has cells of its own there: they are not evicted for other sequences.
    """
    options = draft_load_options(options)
    params = context_params(options, n_ctx_train=n_ctx_train)
    attention = effective_flash_attention(options, n_head=n_head, n_ctx=params.n_ctx)
    return msgspec.structs.replace(params, n_shared_cells=0, flash_attn=attention)


def default_threads() -> int:
    """Return the number of usable physical cores, for a load that was not planned."""
    n_physical = psutil.cpu_count(logical=False) or os.cpu_count() or 1
    n_usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else n_physical
    return max(1, min(n_physical, n_usable))
