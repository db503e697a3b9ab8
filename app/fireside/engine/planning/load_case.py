"""All inputs of a load plan, for a local file and one on the hub alike: pure."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fireside.core.errors import ErrorInfo
from fireside.core.model import ModelSpec
from fireside.core.options import BYTES_A_MB, LoadOptions
from fireside.core.plan import DeviceBudget, LoadPlan, MemoryKind, MemoryUse
from fireside.core.status import Device
from fireside.engine.host_info import Host
from fireside.engine.planning.auto_fit import FitResult, Measure, fit_load
from fireside.engine.planning.auxiliary_models import AuxiliaryModels
from fireside.engine.planning.buffer_usage import HOST, estimated_usage
from fireside.engine.planning.fit_text import plan_notes, plan_text, verdict_of
from fireside.engine.planning.memory_budget import device_budgets, gpus_for
from fireside.engine.planning.memory_estimate import PROCESS_BYTES, predict

PROGRAM = MemoryUse(device=HOST, kind=MemoryKind.PROGRAM, n_bytes=PROCESS_BYTES)
"""Memory of a runner besides llama.cpp's buffers."""


class LoadCase(msgspec.Struct, frozen=True, kw_only=True):
    """A model, the requested options, and the memory that it would be loaded into."""

    spec: ModelSpec
    requested: LoadOptions
    gpus: tuple[Device, ...]
    budgets: tuple[DeviceBudget, ...]
    n_cores: int
    auxiliary: AuxiliaryModels
    states_bytes: int
    """Memory to reserve for the prompt cache, if there is enough."""

    def fitted(self, measure: Measure | None = None) -> FitResult:
        """Return the best load options; ``measure`` returns exactly what llama.cpp would allocate."""
        states = MemoryUse(device=HOST, kind=MemoryKind.STATES, n_bytes=self.states_bytes)
        if not self.states_bytes:
            return self._fitted((PROGRAM,), measure)
        result = self._fitted((PROGRAM, states), measure)
        # The prompt cache uses only what is free: no model is rejected because of it.
        return result if result.fits else self._fitted((PROGRAM,), measure)

    def plan(self, result: FitResult, *, unloadable: ErrorInfo | None = None) -> LoadPlan:
        """Return the plan of ``result``, with its text."""
        return LoadPlan(
            model_id=self.spec.id,
            options=result.options,
            verdict=verdict_of(self.spec, result, budgets=self.budgets),
            text=plan_text(self.spec, self.requested, result, budgets=self.budgets),
            notes=plan_notes(self.spec, self.requested, result),
            uses=result.uses,
            budgets=self.budgets,
            is_exact=result.is_exact,
            load_error=unloadable,
        )

    def _fitted(self, reserved: tuple[MemoryUse, ...], measure: Measure | None) -> FitResult:
        def estimate(candidate: LoadOptions) -> tuple[MemoryUse, ...]:
            need = predict(self.spec, candidate, gpus=self.gpus, auxiliary=self.auxiliary)
            return (*estimated_usage(need, gpus=self.gpus, auxiliary=self.auxiliary), *reserved)

        def measured(candidate: LoadOptions) -> tuple[MemoryUse, ...] | None:
            uses = measure(candidate) if measure is not None else None
            return None if uses is None else (*uses, *reserved)

        return fit_load(
            self.spec,
            self.requested,
            budgets=self.budgets,
            n_cores=self.n_cores,
            estimate=estimate,
            measure=None if measure is None else measured,
        )


def load_case(
    spec: ModelSpec,
    requested: LoadOptions,
    *,
    devices: Sequence[Device],
    host: Host,
    total_bytes: int,
    display: str | None,
    auxiliary: AuxiliaryModels,
    states_bytes: int,
) -> LoadCase:
    """Return the inputs for a plan of ``spec``; see ``device_budgets`` for memory and display."""
    gpus = gpus_for(requested, devices)
    return LoadCase(
        spec=spec,
        requested=requested,
        gpus=gpus,
        budgets=device_budgets(
            gpus,
            host=host,
            total_bytes=total_bytes,
            display=display,
            limit_bytes=requested.memory_limit_mb * BYTES_A_MB,
        ),
        n_cores=host.n_cores,
        auxiliary=auxiliary,
        states_bytes=states_bytes,
    )
