"""All inputs of a load plan, for a local file and one on the hub alike: pure."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fireside.core.errors import ErrorInfo
from fireside.core.model import ModelSpec
from fireside.core.options import BYTES_A_MB, LoadOptions
from fireside.core.plan import DeviceBudget, LoadPlan, MemoryKind, MemoryUse, Verdict
from fireside.core.status import Device
from fireside.engine.host_info import Host
from fireside.engine.planning.auto_fit import FitResult, Measure, fit_load
from fireside.engine.planning.auxiliary_models import AuxiliaryModels
from fireside.engine.planning.buffer_usage import HOST, estimated_usage
from fireside.engine.planning.fit_text import plan_notes, plan_text, verdict_of
from fireside.engine.planning.memory_budget import device_budgets, gpus_for, idle_budgets
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
        verdict = verdict_of(self.spec, result, budgets=self.budgets, fits_idle=self._fits_idle)
        budgets = self._idle_budgets() if verdict is Verdict.TOO_LARGE else self.budgets
        return LoadPlan(
            model_id=self.spec.id,
            options=result.options,
            verdict=verdict,
            text=plan_text(self.spec, self.requested, result, verdict=verdict, budgets=budgets),
            notes=plan_notes(self.spec, self.requested, result),
            uses=result.uses,
            budgets=self.budgets,
            is_exact=result.is_exact,
            load_error=unloadable,
        )

    def _fits_idle(self) -> bool:
        """Whether it would fit if no other program took memory."""
        idle = msgspec.structs.replace(self, budgets=self._idle_budgets())
        return idle.fitted().fits

    def _idle_budgets(self) -> tuple[DeviceBudget, ...]:
        return idle_budgets(self.budgets, limit_bytes=_limit_bytes(self.requested))

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
    display: str | None,
    auxiliary: AuxiliaryModels,
    states_bytes: int,
) -> LoadCase:
    """Return the inputs for a plan of ``spec``; see ``device_budgets`` for the display."""
    gpus = gpus_for(requested, devices)
    return LoadCase(
        spec=spec,
        requested=requested,
        gpus=gpus,
        budgets=device_budgets(
            gpus,
            host=host,
            display=display,
            limit_bytes=_limit_bytes(requested),
        ),
        n_cores=host.n_cores,
        auxiliary=auxiliary,
        states_bytes=states_bytes,
    )


def _limit_bytes(options: LoadOptions) -> int:
    return options.memory_limit_mb * BYTES_A_MB
