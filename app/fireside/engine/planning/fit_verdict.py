"""How a model would run on this computer: on the GPU, partly, on the CPU, or not at all."""

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
from fireside.engine.planning.auxiliary_models import NO_AUXILIARY, AuxiliaryModels
from fireside.engine.planning.buffer_usage import HOST
from fireside.engine.planning.load_case import load_case
from fireside.engine.planning.memory_estimate import layout_of, n_ctx_for


class Fit(msgspec.Struct, frozen=True, kw_only=True):
    """How a model would run, as a load would be planned."""

    where: Placement
    plan: LoadPlan
    has_requested_context: bool
    """Whether it would have the context length of the settings, as far as the model supports it."""

    @property
    def gpu(self) -> str:
        """llama.cpp's name of the first GPU that it may use; empty if there is none."""
        return next((budget.device for budget in self.plan.budgets[1:]), "")


def fit(
    spec: ModelSpec,
    options: LoadOptions,
    *,
    devices: Sequence[Device],
    host: Host,
    auxiliary: AuxiliaryModels = NO_AUXILIARY,
    display: str | None = None,
    states_bytes: int = 0,
) -> Fit:
    """Return how ``spec`` would run with ``options``, planned from the header alone."""
    case = load_case(
        spec,
        options,
        devices=devices,
        host=host,
        display=display,
        auxiliary=auxiliary,
        states_bytes=states_bytes,
    )
    return fit_from_plan(case.plan(case.fitted()), spec, options)


def fit_from_plan(plan: LoadPlan, spec: ModelSpec, options: LoadOptions) -> Fit:
    """Return how ``spec`` would run by ``plan``, which was made for ``options``."""
    n_placed = plan.options.n_gpu_layers
    if plan.verdict is Verdict.TOO_LARGE:
        where = Placement.NOWHERE
    elif plan.verdict is Verdict.NOT_NOW:
        where = Placement.NOT_NOW
    elif n_placed > len(layout_of(spec).layers):
        where = Placement.GPU
    else:
        where = Placement.PARTLY_GPU if n_placed else Placement.PROCESSOR
    return Fit(where=where, plan=plan, has_requested_context=plan.options.n_ctx == n_ctx_for(spec, options))


def obstacle_of(result: Fit) -> str:
    """Return why the model does not run, as a sentence; empty if it does."""
    return "" if result.where.runs else result.plan.text


def describe_fit(result: Fit) -> str:
    """Return the fit as sentences for the user: how the model would be loaded, and its memory use."""
    if not result.where.runs:
        return result.plan.text
    in_host = result.plan.n_bytes_on(HOST)
    on_gpus = result.plan.n_bytes - in_host
    match result.where:
        case Placement.GPU:
            text = tr("About {on_gpus} of GPU memory.")
        case Placement.PARTLY_GPU:
            text = tr("About {on_gpus} of GPU memory and {in_host} of RAM.")
        case _:
            text = tr("About {in_host} of RAM.")
    amounts = text.format(on_gpus=format_bytes(on_gpus), in_host=format_bytes(in_host))
    return f"{result.plan.text} {amounts}"


def scaled_spec(spec: ModelSpec, *, size_bytes: int) -> ModelSpec:
    """Return ``spec`` scaled to a file of another size, with all tensors in proportion.

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
