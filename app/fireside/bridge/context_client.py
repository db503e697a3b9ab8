"""Protocol of the service for the context of a conversation: usage, overflow policy and summaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from fireside.bridge.branch_client import NO_SETTINGS
from fireside.core.context import ContextPlan, FullContext
from fireside.core.ids import ConversationId, ModelId, SummaryId
from fireside.core.message import AttachedPart, PassagesPart
from fireside.core.options import SettingValue


class ContextClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``.

    What changes a summary is told by ``SummaryChanged``, a choice by ``SettingsChanged``.
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
        """Return how the context would be filled if ``draft`` were sent now; a guess if it is not loaded.

        ``passages`` are what would be found for it in the chat's documents; ``opening`` are the settings that
        a new chat gets with its first message.
        """

    async def choose(self, conversation_id: ConversationId | None, *, policy: FullContext) -> None:
        """Remember what becomes of a conversation that no longer fits; ``None`` is for new ones too."""

    async def edit_summary(self, summary_id: SummaryId, *, text: str) -> None:
        """Give a summary other words. Raises ``InvalidText`` for none, or ``RecordNotFound``."""

    async def remove_summary(self, summary_id: SummaryId) -> None:
        """Throw a summary away; the messages are as they were. Raises ``RecordNotFound``."""

    async def regenerate_summary(self, summary_id: SummaryId, *, model_id: ModelId) -> None:
        """Have a summary written anew, of the same messages, and return when it is.

        Raises ``SummaryFailed``, ``ModelNotFound`` or ``RecordNotFound``; the old one is kept then.
        """

    async def cancel_summary(self, conversation_id: ConversationId) -> None:
        """End the writing of a summary that ``regenerate_summary`` began; the old one is kept."""
