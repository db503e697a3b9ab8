"""Predict the memory of a load by device, from the model's header: pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate

import msgspec

from fireside.core.load_sizes import (
    draft_load_options,
    effective_flash_attention,
    effective_micro_batch,
    effective_n_ctx,
    max_drafted,
    max_outputs,
    n_kv_cells,
)
from fireside.core.model import LayerLayout, ModelLayout, ModelSpec
from fireside.core.options import CacheType, FlashAttention, LoadOptions, Speculation
from fireside.core.status import Device, DeviceKind
from fireside.engine.planning.auxiliary_models import NO_AUXILIARY, AuxiliaryModels

CONTEXT_PADDING = 256
"""llama.cpp rounds the context of a sequence up to this many tokens."""
PROCESS_BYTES = 64 * 1024 * 1024
"""Memory of the runner's process itself: the program, the tokenizer, the threads."""

_BLOCK_BYTES: dict[CacheType, tuple[int, int]] = {
    CacheType.F32: (4, 1),
    CacheType.F16: (2, 1),
    CacheType.BF16: (2, 1),
    CacheType.Q8_0: (34, 32),
    CacheType.Q5_1: (24, 32),
    CacheType.Q5_0: (22, 32),
    CacheType.Q4_1: (20, 32),
    CacheType.Q4_0: (18, 32),
}
"""Bytes and elements of one block in ggml."""
_FLOAT_BYTES = 4


class DeviceNeed(msgspec.Struct, frozen=True, kw_only=True):
    """The memory of a load on one device. Bytes."""

    weights_bytes: int = 0
    kv_bytes: int = 0
    """Caches and running states of all sequences."""
    compute_bytes: int = 0

    @property
    def total_bytes(self) -> int:
        """Weights, caches and buffers together."""
        return self.weights_bytes + self.kv_bytes + self.compute_bytes


class MemoryNeed(msgspec.Struct, frozen=True, kw_only=True):
    """The memory of a load on all devices."""

    host: DeviceNeed
    """In RAM."""
    gpus: tuple[DeviceNeed, ...] = ()
    """On each GPU that takes layers, in their order."""
    projector_on: int = 0
    """Where the projector is: 0 is RAM, 1 the first GPU."""

    @property
    def total_bytes(self) -> int:
        """Of all devices together."""
        return self.host.total_bytes + sum(gpu.total_bytes for gpu in self.gpus)


def predict(
    spec: ModelSpec,
    options: LoadOptions,
    *,
    gpus: Sequence[Device] = (),
    auxiliary: AuxiliaryModels = NO_AUXILIARY,
) -> MemoryNeed:
    """Predict the memory of loading ``spec`` with ``options``; an automatic number of layers counts as 0.

    ``auxiliary`` is what ``read_auxiliary`` returned for the same options.

    Weights are exact; so are KV caches if the header has the attention windows of the layers, else too high.
    Compute buffers are an upper estimate, measured with dense models of 135 to 270 million parameters.
    Weights that are repacked for the CPU are not counted twice: the system reclaims their first copy.
    """
    n_caches = 1 if options.kv_unified else options.n_seq_max
    needs = _needs(spec, options, gpus=gpus, adapter_bytes=auxiliary.adapter_bytes, n_caches=n_caches)
    projector_on = 1 if gpus and options.n_gpu_layers != 0 else 0
    projector = DeviceNeed(
        weights_bytes=auxiliary.projector_bytes, compute_bytes=auxiliary.projector_compute_bytes
    )
    needs[projector_on] = _sum(needs[projector_on], projector)
    if auxiliary.draft is not None and options.draft_path is not None:
        draft_options = draft_load_options(options)
        n_draft_caches = n_caches if options.speculation is Speculation.MTP else options.n_seq_max
        draft = _needs(auxiliary.draft, draft_options, gpus=gpus, adapter_bytes={}, n_caches=n_draft_caches)
        needs = list(map(_sum, needs, draft))
    elif options.speculation is Speculation.MTP:
        # Their weights and cache are among the layers; they compute in buffers of their own.
        plain = msgspec.structs.replace(options, speculation=Speculation.OFF)
        compute = _compute_bytes(layout_of(spec), spec, plain, n_sharing=options.n_seq_max // n_caches)
        heads_on = len(gpus) if options.n_gpu_layers != 0 else 0
        needs[heads_on] = _sum(needs[heads_on], DeviceNeed(compute_bytes=compute))
    needs[0] = _sum(needs[0], DeviceNeed(compute_bytes=PROCESS_BYTES))
    return MemoryNeed(host=needs[0], gpus=tuple(needs[1:]), projector_on=projector_on)


def _needs(
    spec: ModelSpec,
    options: LoadOptions,
    *,
    gpus: Sequence[Device],
    adapter_bytes: Mapping[int, int],
    n_caches: int,
) -> list[DeviceNeed]:
    """Return the memory of a model and its adapters: in RAM, and then on each device.

    The slots share one KV cache, or have one each, as always for a draft model.
    """
    layout = layout_of(spec)
    n_layers = len(layout.layers)
    n_on_gpus = min(max(0, options.n_gpu_layers), n_layers + 1) if gpus else 0
    owners = _owners(n_layers, n_on_gpus, gpus=gpus, shares=options.tensor_split)
    weights, caches = [0] * (1 + len(gpus)), [0] * (1 + len(gpus))
    for number, (owner, layer) in enumerate(zip(owners, layout.layers, strict=False)):
        experts_in_ram = layer.expert_bytes if number < options.n_cpu_moe else 0
        weights[owner] += layer.weights_bytes - experts_in_ram + adapter_bytes.get(number, 0)
        weights[0] += experts_in_ram
        caches[owner if options.offload_kqv else 0] += _cache_bytes(layer, spec, options, n_caches=n_caches)
    weights[0] += sum(n_bytes for number, n_bytes in adapter_bytes.items() if number not in range(n_layers))
    weights[0] += layout.input_bytes
    weights[owners[-1]] += layout.output_bytes + (layout.tied_bytes if owners[-1] else 0)
    compute = _compute_bytes(layout, spec, options, n_sharing=options.n_seq_max // n_caches)
    return [
        DeviceNeed(weights_bytes=weights[i], kv_bytes=caches[i], compute_bytes=compute if i in owners else 0)
        for i in range(1 + len(gpus))
    ]


def _sum(one: DeviceNeed, other: DeviceNeed) -> DeviceNeed:
    return DeviceNeed(
        weights_bytes=one.weights_bytes + other.weights_bytes,
        kv_bytes=one.kv_bytes + other.kv_bytes,
        compute_bytes=one.compute_bytes + other.compute_bytes,
    )


def n_ctx_for(spec: ModelSpec, options: LoadOptions) -> int:
    """Return the context of one sequence in tokens: as requested, but at most what the model supports."""
    return effective_n_ctx(options, n_ctx_train=spec.n_ctx_train)


def gpus_among(devices: Sequence[Device]) -> tuple[Device, ...]:
    """Return the GPUs that take layers: discrete ones, or if there are none, integrated ones."""
    real = tuple(device for device in devices if device.kind is DeviceKind.GPU)
    return real or tuple(device for device in devices if device.kind is DeviceKind.IGPU)


def layout_of(spec: ModelSpec) -> ModelLayout:
    """Return the memory layout of a model; spread evenly if its tensors are not known."""
    if spec.layout is not None:
        return spec.layout
    # The output counts as one layer more, as it does for llama.cpp.
    piece = spec.size_bytes // (spec.n_layers + 1)
    width = spec.n_head_kv * spec.head_dim or spec.n_embd
    layer = LayerLayout(weights_bytes=piece, k_width=width, v_width=width)
    return ModelLayout(
        layers=(layer,) * spec.n_layers,
        input_bytes=0,
        output_bytes=spec.size_bytes - piece * spec.n_layers,
        n_ff=4 * spec.n_embd,
    )


def _owners(n_layers: int, n_on_gpus: int, *, gpus: Sequence[Device], shares: Sequence[float]) -> list[int]:
    """Return for each layer, and then the output, the index of its device: 0 is RAM.

    As in llama.cpp, the last layers go to the devices, by ``shares`` or by their free memory.
    """
    owners = [0] * (n_layers + 1 - n_on_gpus)
    free = [max(0, gpu.free_bytes) for gpu in gpus] if len(shares) != len(gpus) else list(shares)
    ends = list(accumulate(free)) if any(free) else list(range(1, len(gpus) + 1))
    for number in range(n_on_gpus):
        at = bisect_right(ends, number * ends[-1] / n_on_gpus)
        owners.append(1 + min(at, len(gpus) - 1))
    return owners


def _cache_bytes(layer: LayerLayout, spec: ModelSpec, options: LoadOptions, *, n_caches: int) -> int:
    n_tokens = n_caches * _n_cells(layer.window, spec, options, n_sharing=options.n_seq_max // n_caches)
    per_token = 0
    for width, cache_type in (
        (layer.k_width, options.cache_type_k),
        (layer.v_width, options.cache_type_v),
    ):
        n_bytes, n_per_block = _BLOCK_BYTES[cache_type]
        per_token += width * n_bytes // n_per_block
    # With speculation, as many older states are kept for rolling back drafted tokens.
    n_states = 1 + max_drafted(options)
    state_bytes = layer.state_width * _FLOAT_BYTES * n_states
    return n_tokens * per_token + options.n_seq_max * state_bytes


def _compute_bytes(layout: ModelLayout, spec: ModelSpec, options: LoadOptions, *, n_sharing: int) -> int:
    """Return an upper estimate of the compute buffers of a batch."""
    n_tokens = effective_micro_batch(options)
    windows = {layer.window for layer in layout.layers if layer.k_width}
    # The attention mask: 16 bits per token and cell, once for each kind of layer.
    per_token = sum(2 * _n_cells(window, spec, options, n_sharing=n_sharing) for window in windows)
    n_ctx = n_ctx_for(spec, options)
    if effective_flash_attention(options, n_head=layout.n_head, n_ctx=n_ctx) is FlashAttention.OFF:
        per_token += _FLOAT_BYTES * _n_cells(0, spec, options, n_sharing=n_sharing) * (layout.n_head + 1)
    per_token += _FLOAT_BYTES * (4 * layout.n_ff + 2 * spec.n_embd * layout.n_experts_used)
    n_outputs = max_outputs(
        n_seq_max=options.n_seq_max, n_draft=max_drafted(options), n_batch=options.n_batch
    )
    return n_tokens * per_token + n_outputs * spec.n_vocab * _FLOAT_BYTES


def _n_cells(window: int, spec: ModelSpec, options: LoadOptions, *, n_sharing: int) -> int:
    """Return the number of cells of a layer's KV cache that ``n_sharing`` slots share."""
    n_ctx = n_ctx_for(spec, options)
    n_all = _padded(n_ctx if n_sharing == 1 else n_kv_cells(options, n_ctx=n_ctx))
    if not window or options.swa_full:
        return n_all
    return min(n_all, _padded(n_sharing * window + effective_micro_batch(options)))


def _padded(n_tokens: int) -> int:
    return -(-n_tokens // CONTEXT_PADDING) * CONTEXT_PADDING
