"""The façade over the engine thread for answers side by side."""

from __future__ import annotations

from collections.abc import Sequence

from fireside.bridge.remote_call import Ask
from fireside.core.comparison import ComparedColumn, Comparison
from fireside.core.ids import ConversationId, DraftId, MessageId
from fireside.core.message import AttachedPart


class ThreadComparisonClient:
    """``ComparisonClient`` for an ``App`` that lives on an ``EngineThread``. GUI thread only."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    async def ask(
        self,
        conversation_id: ConversationId | None,
        *,
        text: str,
        columns: Sequence[ComparedColumn],
        attached: Sequence[AttachedPart] = (),
        draft_id: DraftId | None = None,
    ) -> Comparison:
        wanted, parts = tuple(columns), tuple(attached)
        return await self._ask(
            lambda app: app.comparison.ask(
                conversation_id, text=text, columns=wanted, attached=parts, draft_id=draft_id
            )
        )

    async def answer(self, message_id: MessageId, *, columns: Sequence[ComparedColumn]) -> Comparison:
        wanted = tuple(columns)
        return await self._ask(lambda app: app.comparison.answer(message_id, columns=wanted))

    async def open(self, message_id: MessageId) -> Comparison:
        return await self._ask(lambda app: app.comparison.open(message_id))

    async def stop(self, message_id: MessageId) -> None:
        await self._ask(lambda app: app.comparison.stop(message_id))
