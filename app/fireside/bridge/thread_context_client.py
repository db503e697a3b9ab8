"""The façade over the engine thread for a conversation's context."""

from __future__ import annotations

from collections.abc import Sequence

from fireside.bridge.remote_call import Ask
from fireside.core.context import ContextPlan, FullContext
from fireside.core.ids import ConversationId, ModelId, SummaryId
from fireside.core.message import AttachedPart


class ThreadContextClient:
    """``ContextClient`` that hops to the engine thread. GUI thread only."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    async def plan(
        self,
        conversation_id: ConversationId | None,
        *,
        draft: str,
        attached: Sequence[AttachedPart] = (),
        model_id: ModelId,
    ) -> ContextPlan:
        parts = tuple(attached)
        return await self._ask(
            lambda app: app.contexts.plan(conversation_id, draft=draft, attached=parts, model_id=model_id)
        )

    async def choose(self, conversation_id: ConversationId | None, *, policy: FullContext) -> None:
        await self._ask(lambda app: app.contexts.choose(conversation_id, policy=policy))

    async def edit_summary(self, summary_id: SummaryId, *, text: str) -> None:
        await self._ask(lambda app: app.contexts.edit_summary(summary_id, text=text))

    async def remove_summary(self, summary_id: SummaryId) -> None:
        await self._ask(lambda app: app.contexts.remove_summary(summary_id))

    async def write_summary_again(self, summary_id: SummaryId, *, model_id: ModelId) -> None:
        await self._ask(lambda app: app.contexts.write_again(summary_id, model_id=model_id))

    async def cancel_summary(self, conversation_id: ConversationId) -> None:
        await self._ask(lambda app: app.contexts.cancel(conversation_id))
