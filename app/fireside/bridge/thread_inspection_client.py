"""The façade over the engine thread for what lies behind an answer."""

from __future__ import annotations

from fireside.bridge.remote_call import Ask
from fireside.core.ids import MessageId
from fireside.core.inspection import AnswerProbabilities, SeenPrompt


class ThreadInspectionClient:
    """``InspectionClient`` for an ``App`` that lives on an ``EngineThread``. GUI thread only."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    async def prompt(self, message_id: MessageId) -> SeenPrompt | None:
        return await self._ask(lambda app: app.inspection.prompt(message_id))

    async def probabilities(self, message_id: MessageId) -> AnswerProbabilities | None:
        return await self._ask(lambda app: app.inspection.probabilities(message_id))

    async def cancel(self, message_id: MessageId) -> None:
        await self._ask(lambda app: app.inspection.cancel(message_id))

    async def continue_from(self, message_id: MessageId, *, tokens: tuple[int, ...]) -> None:
        await self._ask(lambda app: app.inspection.continue_from(message_id, tokens=tokens))
