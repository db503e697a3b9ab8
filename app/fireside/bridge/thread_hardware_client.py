"""The façade over the engine thread for this computer's memory, and for how models fit it."""

from __future__ import annotations

from collections.abc import Mapping

from fireside.bridge.remote_call import Ask
from fireside.core.hardware import Hardware, MemoryBar
from fireside.core.ids import ConversationId, ModelId
from fireside.core.options import SettingValue
from fireside.core.plan import LoadPlan, LoadRecord
from fireside.core.status import RunningModel


class ThreadHardwareClient:
    """``HardwareClient`` for an ``App`` that lives on an ``EngineThread``. GUI thread only."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    async def hardware(self) -> Hardware:
        return await self._ask(lambda app: app.hardware.hardware())

    async def running(self) -> tuple[RunningModel, ...]:
        return await self._ask(lambda app: app.load_plans.running())

    async def memory_bars(self) -> tuple[MemoryBar, ...]:
        return await self._ask(lambda app: app.hardware.memory_bars())

    async def plan(
        self,
        model_id: ModelId,
        *,
        conversation_id: ConversationId | None,
        changes: Mapping[str, SettingValue],
    ) -> LoadPlan:
        wanted = dict(changes)
        return await self._ask(
            lambda app: app.load_plans.plan(model_id, conversation_id=conversation_id, changes=wanted)
        )

    async def load_records(self, model_id: ModelId) -> tuple[LoadRecord, ...]:
        return await self._ask(lambda app: app.load_plans.load_records(model_id))

    async def smaller_plan(self, model_id: ModelId) -> LoadPlan | None:
        return await self._ask(lambda app: app.load_plans.smaller_plan(model_id))

    async def load_once(
        self,
        model_id: ModelId,
        *,
        conversation_id: ConversationId | None,
        changes: Mapping[str, SettingValue],
    ) -> None:
        wanted = dict(changes)
        await self._ask(
            lambda app: app.load_plans.load_once(model_id, conversation_id=conversation_id, changes=wanted)
        )

    async def load_smaller(self, model_id: ModelId, *, conversation_id: ConversationId | None) -> None:
        await self._ask(lambda app: app.load_plans.load_smaller(model_id, conversation_id=conversation_id))
