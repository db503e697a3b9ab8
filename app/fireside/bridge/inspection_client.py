"""Protocol of the service for inspecting an answer: its prompt and its token probabilities."""

from __future__ import annotations

from typing import Protocol

from fireside.core.ids import MessageId
from fireside.core.inspection import AnswerProbabilities, SeenPrompt


class InspectionClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``."""

    async def prompt(self, message_id: MessageId) -> SeenPrompt | None:
        """Return the tokens that the answer's model is given for it; ``None`` while it is not loaded.

        They are made by the model's own runner, with the settings of then as far as those were kept.
        ``SeenPrompt.notes`` says what is not as it was.

        Raises:
            RequestError: there is no such prompt: it does not fit, or its template fails.
        """

    async def probabilities(self, message_id: MessageId) -> AnswerProbabilities | None:
        """Return what the model thought of each token of an answer; ``None`` if the engine was told to stop.

        What was noted while it was written is returned at once. Else the model reads the answer again, behind
        all other work, until the call is cancelled; ``ScoringProgressed`` says how far it is.

        Raises:
            FiresideError: why it could not.
        """

    async def continue_from(self, message_id: MessageId, *, tokens: tuple[int, ...]) -> None:
        """Write another answer beside this one, which begins with ``tokens`` of its model.

        Raises ``AnswerRunning``.
        """
