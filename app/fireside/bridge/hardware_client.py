"""Protocol of the service for memory and devices of this computer, and how models fit them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from fireside.core.hardware import Hardware, MemoryBar
from fireside.core.ids import ConversationId, ModelId
from fireside.core.options import SettingValue
from fireside.core.plan import LoadPlan, LoadRecord


class HardwareClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``."""

    async def hardware(self) -> Hardware:
        """Look at the computer anew: a throw-away runner lists its devices. Under a second."""

    async def memory_bars(self) -> tuple[MemoryBar, ...]:
        """Return what takes how much of each memory now, the computer's own first.

        Cheap: once a second is fine. The devices are those that were listed last; a driver that takes long to
        list them does not hold the computer's own memory back.
        """


class LoadPlanClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``."""

    async def plan(
        self,
        model_id: ModelId,
        *,
        conversation_id: ConversationId | None,
        changes: Mapping[str, SettingValue],
    ) -> LoadPlan:
        """Return how the model would be loaded with the settings in force and ``changes`` on top of them.

        A change to ``None`` takes a choice back, so that Fireside decides.
        Under 20 ms where the same was asked before, else as long as the dry runs take; cancel it freely.
        Raises ``ModelNotFound`` or ``SettingInvalid``, and ``ModelKindUnknown`` or ``ModelFileInvalid`` for
        what llama.cpp cannot load in any way. What does not fit is a plan that says so.
        """

    async def load_records(self, model_id: ModelId) -> tuple[LoadRecord, ...]:
        """Return the loads that are remembered, the latest first. Raises ``StorageError``."""

    async def smaller_plan(self, model_id: ModelId) -> LoadPlan | None:
        """Return what to offer after a crash or a shortage of memory; ``None`` if nothing is smaller."""

    async def load_once(
        self,
        model_id: ModelId,
        *,
        conversation_id: ConversationId | None,
        changes: Mapping[str, SettingValue],
    ) -> None:
        """Load the model this time with ``changes`` on top of its settings, which stay as they are.

        It answers so until it is unloaded or loaded again. Returns when it is ready.
        Raises ``SettingInvalid``, and what loading raises.
        """

    async def load_smaller(self, model_id: ModelId, *, conversation_id: ConversationId | None) -> None:
        """Load the model as ``smaller_plan`` says, and so again until its settings change.

        Loads as the settings say where nothing is smaller. Raises what loading raises.
        """
