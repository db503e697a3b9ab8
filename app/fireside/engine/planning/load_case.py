"""Plan one load from all that matters to it, for a file that is here or on the hub alike: pure."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fireside.core.errors import ErrorInfo
from fireside.core.model import ModelSpec
from fireside.core.options import BYTES_A_MB, LoadOptions
from fireside.core.plan import DeviceBudget, LoadPlan, MemoryKind, MemoryUse
from fireside.core.status import Device
from fireside.engine.host_info import Host
from fireside.engine.planning.auto_fit import Fitted, Measure, fit_load
from fireside.engine.planning.auxiliary_models import AuxiliaryModels
from fireside.engine.planning.buffer_usage import HOST, estimated_usage
from fireside.engine.planning.fit_text import plan_notes, plan_words, verdict_of
from fireside.engine.planning.memory_budget import device_budgets, gpus_for
from fireside.engine.planning.memory_estimate import PROCESS_BYTES, predict

PROGRAM = MemoryUse(device=HOST, kind=MemoryKind.PROGRAM, n_bytes=PROCESS_BYTES)
"""What a runner takes besides what llama.cpp allocates."""


class LoadCase(msgspec.Struct, frozen=True, kw_only=True):
    """A model, how it is wanted, and what it would be loaded into."""

    spec: ModelSpec
    wanted: LoadOptions
    gpus: tuple[Device, ...]
    rooms: tuple[DeviceBudget, ...]
    n_cores: int
    beside: AuxiliaryModels
    states_bytes: int
    """Room for the prompt cache, where there is some."""

    def fitted(self, measure: Measure | None = None) -> Fitted:
        """Return the best way to load; ``measure`` says exactly what llama.cpp would allocate."""
        states = MemoryUse(device=HOST, kind=MemoryKind.STATES, n_bytes=self.states_bytes)
        if not self.states_bytes:
            return self._fitted((PROGRAM,), measure)
        found = self._fitted((PROGRAM, states), measure)
        # The prompt cache takes only what is free: nothing is refused for its sake.
        return found if found.fits else self._fitted((PROGRAM,), measure)

    def plan(self, found: Fitted, *, unloadable: ErrorInfo | None = None) -> LoadPlan:
        """Return ``found`` with what there is to say of it."""
        return LoadPlan(
            model_id=self.spec.id,
            options=found.options,
            verdict=verdict_of(self.spec, found, rooms=self.rooms),
            text=plan_words(self.spec, self.wanted, found, rooms=self.rooms),
            notes=plan_notes(self.spec, self.wanted, found),
            uses=found.uses,
            budgets=self.rooms,
            is_exact=found.is_exact,
            load_error=unloadable,
        )

    def _fitted(self, kept: tuple[MemoryUse, ...], measure: Measure | None) -> Fitted:
        def estimate(candidate: LoadOptions) -> tuple[MemoryUse, ...]:
            need = predict(self.spec, candidate, gpus=self.gpus, beside=self.beside)
            return (*estimated_usage(need, gpus=self.gpus, beside=self.beside), *kept)

        def measured(candidate: LoadOptions) -> tuple[MemoryUse, ...] | None:
            uses = measure(candidate) if measure is not None else None
            return None if uses is None else (*uses, *kept)

        return fit_load(
            self.spec,
            self.wanted,
            rooms=self.rooms,
            n_cores=self.n_cores,
            estimate=estimate,
            measure=None if measure is None else measured,
        )


def load_case(
    spec: ModelSpec,
    wanted: LoadOptions,
    *,
    devices: Sequence[Device],
    host: Host,
    total_bytes: int,
    display: str | None,
    beside: AuxiliaryModels,
    states_bytes: int,
) -> LoadCase:
    """Return what a load of ``spec`` is planned from; see ``device_budgets`` for memory and display."""
    gpus = gpus_for(wanted, devices)
    return LoadCase(
        spec=spec,
        wanted=wanted,
        gpus=gpus,
        rooms=device_budgets(
            gpus,
            host=host,
            total_bytes=total_bytes,
            display=display,
            limit_bytes=wanted.memory_limit_mb * BYTES_A_MB,
        ),
        n_cores=host.n_cores,
        beside=beside,
        states_bytes=states_bytes,
    )
