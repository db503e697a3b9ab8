"""Decide how many layers go on a GPU and how many threads compute: pure, from sizes and free memory."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

import msgspec

from fireside.core.model import ModelSpec
from fireside.core.options import GPU_LAYERS_ALL, GPU_LAYERS_AUTO, LoadOptions
from fireside.core.status import Device
from fireside.engine.beside import NOTHING_BESIDE, Beside
from fireside.engine.host import Host
from fireside.engine.memory import MemoryNeed, gpus_among, n_ctx_for, predict

GPU_MARGIN_FRACTION = 0.1
GPU_MARGIN_BYTES = 512 * 1024 * 1024
"""Left free on each GPU, whichever is more: the driver's own memory, the desktop."""


def place(
    spec: ModelSpec,
    options: LoadOptions,
    *,
    devices: Sequence[Device],
    host: Host,
    beside: Beside = NOTHING_BESIDE,
) -> LoadOptions:
    """Return ``options`` with real numbers for layers, threads and context."""
    return msgspec.structs.replace(
        options,
        n_ctx=n_ctx_for(spec, options),
        n_gpu_layers=_n_gpu_layers(spec, options, devices=devices, beside=beside),
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


def _n_gpu_layers(spec: ModelSpec, options: LoadOptions, *, devices: Sequence[Device], beside: Beside) -> int:
    # The output layer counts as one more.
    n_all = spec.n_layers + 1
    gpus = gpus_among(devices)
    if options.n_gpu_layers >= 0:
        return options.n_gpu_layers
    if not gpus:
        return 0
    if options.n_gpu_layers == GPU_LAYERS_ALL:
        return n_all

    # More layers never take less, so that halving finds the most that fit.
    def has_no_room(n_gpu_layers: int) -> bool:
        placed = msgspec.structs.replace(options, n_gpu_layers=n_gpu_layers)
        return not _has_room(predict(spec, placed, gpus=gpus, beside=beside), gpus=gpus)

    return bisect_left(range(1, n_all + 1), True, key=has_no_room)


def _has_room(need: MemoryNeed, *, gpus: Sequence[Device]) -> bool:
    return all(on_gpu.total_bytes <= _room_on(gpu) for on_gpu, gpu in zip(need.gpus, gpus, strict=True))


def _room_on(gpu: Device) -> int:
    margin = max(GPU_MARGIN_BYTES, int(gpu.total_bytes * GPU_MARGIN_FRACTION))
    return max(0, gpu.free_bytes - margin)
