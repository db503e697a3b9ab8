"""Decide how many layers go on a GPU and how many threads compute: pure, from sizes and free memory."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fireside.core.model import ModelSpec
from fireside.core.options import GPU_LAYERS_ALL, GPU_LAYERS_AUTO, CacheType, LoadOptions
from fireside.core.status import Device, DeviceKind
from fireside.engine.host import Host

CONTEXT_PADDING = 256
"""llama.cpp rounds the context of a sequence up to this many tokens."""

COMPUTE_BYTES = 256 * 1024 * 1024
"""Room for the compute buffers and the tokenizer, about right for a batch of 512 tokens."""

GPU_MARGIN_FRACTION = 0.1
GPU_MARGIN_BYTES = 512 * 1024 * 1024
"""Left free on each GPU, whichever is more: the driver's own memory, compute buffers, the desktop."""

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


def n_ctx_for(spec: ModelSpec, options: LoadOptions) -> int:
    """Return the context of one sequence in tokens: what is asked, but not above what was trained."""
    return min(options.n_ctx, spec.n_ctx_train) if spec.n_ctx_train > 0 else options.n_ctx


def kv_bytes_per_layer(spec: ModelSpec, options: LoadOptions) -> int:
    """Estimate the KV cache of one layer, all sequences together.

    Exact for plain attention; too high for sliding windows, shared and recurrent layers. Models whose header
    does not say the size of a head are taken to cache whole embeddings.
    """
    n_elements = spec.n_head_kv * spec.head_dim or spec.n_embd
    n_ctx = -(-n_ctx_for(spec, options) // CONTEXT_PADDING) * CONTEXT_PADDING
    total = 0
    for cache_type in (options.cache_type_k, options.cache_type_v):
        n_bytes, n_per_block = _BLOCK_BYTES[cache_type]
        total += n_ctx * options.n_seq_max * n_elements * n_bytes // n_per_block
    return total


def estimate_bytes(spec: ModelSpec, options: LoadOptions) -> int:
    """Estimate the memory that a load takes in all, wherever it lies."""
    return spec.size_bytes + spec.n_layers * kv_bytes_per_layer(spec, options) + COMPUTE_BYTES


def place(spec: ModelSpec, options: LoadOptions, *, devices: Sequence[Device], host: Host) -> LoadOptions:
    """Return ``options`` with real numbers for layers, threads and context."""
    return msgspec.structs.replace(
        options,
        n_ctx=n_ctx_for(spec, options),
        n_gpu_layers=_n_gpu_layers(spec, options, devices=devices),
        n_threads=options.n_threads if options.n_threads > 0 else max(1, host.n_cores - 1),
    )


def smaller_placements(options: LoadOptions, *, placed: LoadOptions) -> tuple[LoadOptions, ...]:
    """Return what to try in turn after ``placed`` did not fit in memory: half the layers, then none.

    Nothing where a person chose the layers, or none was on a GPU.
    """
    if options.n_gpu_layers != GPU_LAYERS_AUTO or placed.n_gpu_layers <= 0:
        return ()
    numbers = sorted({placed.n_gpu_layers // 2, 0}, reverse=True)
    return tuple(msgspec.structs.replace(placed, n_gpu_layers=number) for number in numbers)


def _n_gpu_layers(spec: ModelSpec, options: LoadOptions, *, devices: Sequence[Device]) -> int:
    # The output layer counts as one more.
    n_all = spec.n_layers + 1
    gpus = _gpus(devices)
    if options.n_gpu_layers >= 0:
        return options.n_gpu_layers
    if not gpus:
        return 0
    if options.n_gpu_layers == GPU_LAYERS_ALL:
        return n_all
    layer_bytes = spec.size_bytes // n_all + kv_bytes_per_layer(spec, options)
    room = sum(_room_on(gpu) for gpu in gpus)
    return min(n_all, room // max(1, layer_bytes))


def _gpus(devices: Sequence[Device]) -> list[Device]:
    """Return the devices that take layers; integrated ones share the computer's memory and come second."""
    real = [device for device in devices if device.kind is DeviceKind.GPU]
    return real or [device for device in devices if device.kind is DeviceKind.IGPU]


def _room_on(gpu: Device) -> int:
    margin = max(GPU_MARGIN_BYTES, int(gpu.total_bytes * GPU_MARGIN_FRACTION))
    return max(0, gpu.free_bytes - margin)
