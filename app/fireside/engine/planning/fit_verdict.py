"""Say how a model would run on this computer: wholly on the GPU, partly, on the processor, or not at all."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fireside.core.errors import format_bytes
from fireside.core.fit import Where
from fireside.core.i18n import tr
from fireside.core.model import ModelSpec
from fireside.core.options import LoadOptions
from fireside.core.plan import MemoryUse
from fireside.core.status import Device, DeviceKind
from fireside.engine.host_info import Host
from fireside.engine.planning.auto_fit import fit_load
from fireside.engine.planning.auxiliary_models import NOTHING_BESIDE, AuxiliaryModels
from fireside.engine.planning.buffer_usage import estimated_usage
from fireside.engine.planning.memory_budget import HOST_MARGIN_BYTES, device_budgets, gpus_for
from fireside.engine.planning.memory_estimate import MemoryNeed, layout_of, predict


class Fit(msgspec.Struct, frozen=True, kw_only=True):
    """How a model would run, with what it takes by device."""

    where: Where
    n_gpu_layers: int
    """The output counts as one."""
    n_layers: int
    need: MemoryNeed
    free_bytes: int
    """Of the computer's own memory."""


def fit(
    spec: ModelSpec,
    options: LoadOptions,
    *,
    devices: Sequence[Device],
    host: Host,
    beside: AuxiliaryModels = NOTHING_BESIDE,
) -> Fit:
    """Return how ``spec`` would run with ``options``, placed as a load would place it."""
    gpus = gpus_for(options, devices)
    placed = _placed(spec, options, gpus=gpus, host=host, beside=beside)
    need = predict(spec, placed, gpus=gpus, beside=beside)
    n_all = len(layout_of(spec).layers) + 1
    n_placed = min(placed.n_gpu_layers, n_all) if gpus else 0
    # An integrated GPU takes from the same memory.
    is_shared = any(gpu.kind is DeviceKind.IGPU for gpu in gpus)
    from_host = need.total_bytes if is_shared else need.host.total_bytes
    if from_host + HOST_MARGIN_BYTES > host.available_bytes:
        where = Where.NOWHERE
    elif n_placed == n_all:
        where = Where.GPU
    else:
        where = Where.PARTLY_GPU if n_placed else Where.PROCESSOR
    return Fit(where=where, n_gpu_layers=n_placed, n_layers=n_all, need=need, free_bytes=host.available_bytes)


def _placed(
    spec: ModelSpec, options: LoadOptions, *, gpus: Sequence[Device], host: Host, beside: AuxiliaryModels
) -> LoadOptions:
    def estimate(candidate: LoadOptions) -> tuple[MemoryUse, ...]:
        need = predict(spec, candidate, gpus=gpus, beside=beside)
        return estimated_usage(need, gpus=gpus, beside=beside)

    rooms = device_budgets(gpus, host=host, total_bytes=host.available_bytes, display=None)
    # What is asked here is how it would run as it is set, not what could be given up.
    asked = msgspec.structs.replace(options, auto_adjustable=())
    return fit_load(spec, asked, rooms=rooms, n_cores=host.n_cores, estimate=estimate).options


def fit_words(found: Fit) -> str:
    """Return the fit as a sentence for the user."""
    on_gpus = sum(gpu.total_bytes for gpu in found.need.gpus)
    in_host = found.need.host.total_bytes
    match found.where:
        case Where.GPU:
            return tr("Runs fully on the GPU; about {on_gpus} of GPU memory.").format(
                on_gpus=format_bytes(on_gpus)
            )
        case Where.PARTLY_GPU:
            return tr(
                "Runs partly on the GPU, {n_gpu_layers} of {n_layers} layers; about {on_gpus} of "
                "GPU memory and {in_host} of RAM."
            ).format(
                n_gpu_layers=found.n_gpu_layers,
                n_layers=found.n_layers,
                on_gpus=format_bytes(on_gpus),
                in_host=format_bytes(in_host),
            )
        case Where.PROCESSOR:
            return tr("Runs on the CPU; about {in_host} of RAM.").format(in_host=format_bytes(in_host))
        case Where.NOWHERE:
            return tr("Does not fit: needs about {total_bytes} of memory; {free_bytes} free.").format(
                total_bytes=format_bytes(found.need.total_bytes), free_bytes=format_bytes(found.free_bytes)
            )


def resized(spec: ModelSpec, *, size_bytes: int) -> ModelSpec:
    """Return ``spec`` as it would be in a file of another size, every tensor smaller or larger alike.

    Quants of one model have the same shapes, so only their weights differ; how the difference is spread over
    the layers is an estimate.
    """
    layout = layout_of(spec)

    def scaled(n: int) -> int:
        return n * size_bytes // max(1, spec.size_bytes)

    layers = tuple(
        msgspec.structs.replace(layer, weights_bytes=scaled(layer.weights_bytes)) for layer in layout.layers
    )
    return msgspec.structs.replace(
        spec,
        size_bytes=size_bytes,
        layout=msgspec.structs.replace(
            layout,
            layers=layers,
            input_bytes=scaled(layout.input_bytes),
            output_bytes=scaled(layout.output_bytes),
            tied_bytes=scaled(layout.tied_bytes),
        ),
    )
