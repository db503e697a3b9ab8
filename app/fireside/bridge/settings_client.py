"""Protocol of the service for settings in every layer."""

from __future__ import annotations

from typing import Protocol

from fireside.core.ids import ConversationId, ModelId
from fireside.core.options import SettingValue
from fireside.settings.values import Layer, ResolvedSetting


class SettingsClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``.

    ``SettingsChanged`` names what has changed.
    """

    async def resolved(
        self, *, model_id: ModelId | None, conversation_id: ConversationId | None
    ) -> tuple[ResolvedSetting, ...]:
        """Every setting with the value in force for this model and conversation, in page order."""

    async def change(self, layer: Layer, *, key: str, value: SettingValue) -> None:
        """Write one value in one layer.

        Raises ``SettingInvalid``, ``StorageError``, or ``SettingsUnwritable``: then it holds for this run.
        """

    async def clear(self, layer: Layer, *, key: str) -> None:
        """Let the weaker layers decide again."""
