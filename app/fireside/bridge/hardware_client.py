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
        """Return the hardware; a temporary runner lists its devices. Under a second."""

    async def memory_bars(self) -> tuple[MemoryBar, ...]:
        """Return the current usage of each memory, the computer's main memory first.

        Cheap: once a second is fine. The devices are those listed last; a driver that takes long to list them
        does not delay the figures of main memory.
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

        A change to ``None`` resets a setting, so that Fireside decides. Takes under 20 ms if the plan is
        cached, else as long as the dry runs; may be cancelled. Raises ``ModelNotFound`` or
        ``SettingInvalid``, and ``ModelKindUnknown`` or ``ModelFileInvalid`` for a model that llama.cpp cannot
        load at all. If the model does not fit, the plan says so.
        """

    async def load_records(self, model_id: ModelId) -> tuple[LoadRecord, ...]:
        """Return the stored loads of a model, the latest first. Raises ``StorageError``."""

    async def smaller_plan(self, model_id: ModelId) -> LoadPlan | None:
        """Return a smaller plan to offer after a crash or when memory is short; ``None`` if there is none."""

    async def load_once(
        self,
        model_id: ModelId,
        *,
        conversation_id: ConversationId | None,
        changes: Mapping[str, SettingValue],
    ) -> None:
        """Load the model once with ``changes`` on top of its settings, which are not changed.

        They apply until it is unloaded or loaded again. Returns when it is ready. Raises ``SettingInvalid``,
        and the errors of a load.
        """

    async def load_smaller(self, model_id: ModelId, *, conversation_id: ConversationId | None) -> None:
        """Load the model with ``smaller_plan``, also later, until its settings change.

        Uses the settings where there is no smaller plan. Raises the errors of a load.
        """
