"""The façade of the measurements over the engine thread."""

from __future__ import annotations

from collections.abc import Sequence

from fireside.bridge.remote_call import Ask
from fireside.core.ids import ModelId
from fireside.core.tuning import Busy, ModelComparison, TuningReport, TuningWishes


class ThreadTuningClient:
    """``TuningClient`` for an ``App`` that lives on an ``EngineThread``. GUI thread only."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    async def busy(self) -> Busy:
        return await self._ask(lambda app: app.tuning.busy())

    async def report(self, model_id: ModelId) -> TuningReport | None:
        return await self._ask(lambda app: app.tuning.report(model_id))

    async def tune(self, model_id: ModelId, wishes: TuningWishes) -> TuningReport:
        return await self._ask(lambda app: app.tuning.tune(model_id, wishes))

    async def keep(self, model_id: ModelId) -> TuningReport:
        return await self._ask(lambda app: app.tuning.keep(model_id))

    async def take_back(self, model_id: ModelId) -> TuningReport:
        return await self._ask(lambda app: app.tuning.take_back(model_id))

    async def compare(self, model_ids: Sequence[ModelId], *, unload: bool, is_quick: bool) -> ModelComparison:
        wanted = tuple(model_ids)
        return await self._ask(lambda app: app.tuning.compare(wanted, unload=unload, is_quick=is_quick))
