"""Protocol of the service for the context of a conversation: usage, overflow policy and summaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from fireside.core.context import ContextPlan, FullContext
from fireside.core.ids import ConversationId, ModelId, SummaryId
from fireside.core.message import AttachedPart, PassagesPart
from fireside.core.options import NO_SETTINGS, SettingValue


class ContextClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``.

    Changes of a summary arrive as ``SummaryChanged``, of the policy as ``SettingsChanged``.
    """

    async def plan(
        self,
        conversation_id: ConversationId | None,
        *,
        draft: str,
        attached: Sequence[AttachedPart] = (),
        passages: PassagesPart | None = None,
        model_id: ModelId,
        opening: Mapping[str, SettingValue] = NO_SETTINGS,
    ) -> ContextPlan:
        """Return how ``draft`` would fill the context if sent now; an estimate if the model is not loaded.

        ``passages`` are those found for it in the chat's documents; ``opening`` are the settings that a new
        chat gets with its first message.
        """

    async def set_policy(self, conversation_id: ConversationId | None, *, policy: FullContext) -> None:
        """Store what happens when a conversation no longer fits; ``None`` is for new ones too."""

    async def edit_summary(self, summary_id: SummaryId, *, text: str) -> None:
        """Replace the text of a summary. Raises ``InvalidText`` if it is empty, or ``RecordNotFound``."""

    async def remove_summary(self, summary_id: SummaryId) -> None:
        """Delete a summary; its messages are sent again. Raises ``RecordNotFound``."""

    async def regenerate_summary(self, summary_id: SummaryId, *, model_id: ModelId) -> None:
        """Generate a summary of the same messages again and return when it is stored.

        Raises ``SummaryFailed``, ``ModelNotFound`` or ``RecordNotFound``; the old summary stays then.
        """

    async def cancel_summary(self, conversation_id: ConversationId) -> None:
        """Cancel ``regenerate_summary``; the old summary stays."""
