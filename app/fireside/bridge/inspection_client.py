"""What the window may ask about what lies behind an answer."""

from __future__ import annotations

from typing import Protocol

from fireside.core.ids import MessageId
from fireside.core.inspection import AnswerProbabilities, SeenPrompt


class InspectionClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``."""

    async def prompt(self, message_id: MessageId) -> SeenPrompt | None:
        """Return the tokens that the answer's model is given for it; ``None`` while it is not loaded."""

    async def probabilities(self, message_id: MessageId) -> AnswerProbabilities | None:
        """Return what the model thought of each token of an answer; ``None`` if the engine was told to stop.

        May take as long as the model needs to read the answer; ``ScoringProgressed`` says how far it is, and
        cancelling the call ends it.
        """

    async def continue_from(self, message_id: MessageId, *, tokens: tuple[int, ...]) -> None:
        """Write another answer beside this one, which begins with ``tokens``. Raises ``AnswerRunning``."""
