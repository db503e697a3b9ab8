"""How models fit this computer: plans before a load, records after it, and what is smaller."""

from __future__ import annotations

from collections.abc import Mapping

from fireside.core.ids import ConversationId, ModelId
from fireside.core.options import SettingValue
from fireside.core.plan import LoadPlan, LoadRecord


class Machine:
    """The service behind ``MachineClient``. Lives on the engine's loop."""

    async def plan(
        self,
        model_id: ModelId,
        *,
        conversation_id: ConversationId | None,
        changes: Mapping[str, SettingValue],
    ) -> LoadPlan:
        """Return how the model would be loaded; see ``MachineClient.plan``."""
        raise NotImplementedError

    async def load_records(self, model_id: ModelId) -> tuple[LoadRecord, ...]:
        """Return the loads that are remembered, the latest first."""
        raise NotImplementedError

    async def smaller_plan(self, model_id: ModelId) -> LoadPlan | None:
        """Return what to offer after a crash or a shortage of memory."""
        raise NotImplementedError

    async def load_smaller(self, model_id: ModelId, *, conversation_id: ConversationId | None) -> None:
        """Load the model as ``smaller_plan`` says."""
        raise NotImplementedError
