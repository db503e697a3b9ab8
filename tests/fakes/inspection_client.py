"""An ``InspectionClient`` that knows what a test told it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from fakes.requests import Requests
from fireside.bridge.inspection_client import InspectionClient
from fireside.core.ids import MessageId
from fireside.core.inspection import AnswerProbabilities, SeenPrompt


class FakeInspectionClient(Requests):
    """``continue_from`` begins a new answer where ``on_continue`` says."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: SeenPrompt | None = None
        self.scores: AnswerProbabilities | None = None
        self.computing: asyncio.Event | None = None
        """Probabilities are not there before it is set."""
        self.on_continue: Callable[[MessageId], None] = lambda _message_id: None

    async def prompt(self, message_id: MessageId) -> SeenPrompt | None:
        await self.enter("prompt", message_id)
        return self.seen

    async def probabilities(self, message_id: MessageId) -> AnswerProbabilities | None:
        await self.enter("probabilities", message_id)
        if self.computing is not None:
            await self.computing.wait()
        return self.scores

    async def cancel(self, message_id: MessageId) -> None:
        await self.enter("cancel", message_id)
        self.scores = None
        if self.computing is not None:
            self.computing.set()

    async def continue_from(self, message_id: MessageId, *, tokens: tuple[int, ...]) -> None:
        await self.enter("continue_from", message_id, tokens)
        self.on_continue(message_id)


def as_client(fake: FakeInspectionClient) -> InspectionClient:
    """Let the type checker confirm that the fake keeps the contract."""
    return fake
