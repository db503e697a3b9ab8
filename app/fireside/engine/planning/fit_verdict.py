"""Say how a model would run on this computer: wholly on the GPU, partly, on the processor, or not at all."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fireside.core.errors import format_bytes
from fireside.core.fit import Placement
from fireside.core.i18n import tr
from fireside.core.model import ModelSpec
from fireside.core.options import LoadOptions
from fireside.core.plan import LoadPlan, Verdict
from fireside.core.status import Device
from fireside.engine.host_info import Host
from fireside.engine.planning.auxiliary_models import NOTHING_BESIDE, AuxiliaryModels
from fireside.engine.planning.buffer_usage import HOST
from fireside.engine.planning.load_case import load_case
from fireside.engine.planning.memory_estimate import layout_of, n_ctx_for


class Fit(msgspec.Struct, frozen=True, kw_only=True):
    """How a model would run, as a load would be planned."""

    where: Placement
    plan: LoadPlan
    is_as_asked: bool
    """Whether it would have the context that is set, where the model can have it."""

    @property
    def gpu(self) -> str:
        """llama.cpp's name of the first that it may use; empty where there is none."""
        return next((room.device for room in self.plan.budgets[1:]), "")


def fit(
    spec: ModelSpec,
    options: LoadOptions,
    *,
    devices: Sequence[Device],
    host: Host,
    beside: AuxiliaryModels = NOTHING_BESIDE,
    display: str | None = None,
    states_bytes: int = 0,
) -> Fit:
    """Return how ``spec`` would run with ``options``: the plan of a load, by the header alone."""
    case = load_case(
        spec,
        options,
        devices=devices,
        host=host,
        total_bytes=host.available_bytes,
        display=display,
        beside=beside,
        states_bytes=states_bytes,
    )
    return fit_of(case.plan(case.fitted()), spec, options)


def fit_of(plan: LoadPlan, spec: ModelSpec, options: LoadOptions) -> Fit:
    """Return how ``spec`` would run as it is planned, where ``options`` are wanted."""
    n_placed = plan.options.n_gpu_layers
    if plan.verdict is Verdict.TOO_LARGE:
        where = Placement.NOWHERE
    elif n_placed > len(layout_of(spec).layers):
        where = Placement.GPU
    else:
        where = Placement.PARTLY_GPU if n_placed else Placement.PROCESSOR
    return Fit(where=where, plan=plan, is_as_asked=plan.options.n_ctx == n_ctx_for(spec, options))


def fit_words(found: Fit) -> str:
    """Return the fit as sentences for the user: how the model would be loaded, and what that takes."""
    if found.where is Placement.NOWHERE:
        return found.plan.text
    in_host = found.plan.n_bytes_on(HOST)
    on_gpus = found.plan.n_bytes - in_host
    match found.where:
        case Placement.GPU:
            words = tr("About {on_gpus} of GPU memory.")
        case Placement.PARTLY_GPU:
            words = tr("About {on_gpus} of GPU memory and {in_host} of RAM.")
        case _:
            words = tr("About {in_host} of RAM.")
    amounts = words.format(on_gpus=format_bytes(on_gpus), in_host=format_bytes(in_host))
    return f"{found.plan.text} {amounts}"


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
