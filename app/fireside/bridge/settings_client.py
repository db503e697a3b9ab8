"""Protocol of the service for settings in every layer."""

from __future__ import annotations

from typing import Protocol

from fireside.core.ids import ConversationId, ModelId
from fireside.core.options import SettingValue
from fireside.settings.values import Layer, ResolvedSetting


class SettingsClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``.

    ``SettingsChanged`` has the keys that have changed.
    """

    async def resolved(
        self, *, model_id: ModelId | None, conversation_id: ConversationId | None
    ) -> tuple[ResolvedSetting, ...]:
        """Return every setting with its value for this model and conversation, in page order."""

    async def change(self, layer: Layer, *, key: str, value: SettingValue) -> None:
        """Store a value in a layer.

        Raises ``SettingInvalid``, ``StorageError``, or ``SettingsUnwritable``: then it applies to this run
        only.
        """

    async def clear(self, layer: Layer, *, key: str) -> None:
        """Delete the value of a layer, so that lower layers apply."""
