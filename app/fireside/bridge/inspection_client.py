"""Protocol of the service for inspecting an answer: its prompt and its token probabilities."""

from __future__ import annotations

from typing import Protocol

from fireside.core.ids import MessageId
from fireside.core.inspection import AnswerProbabilities, SeenPrompt


class InspectionClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``."""

    async def prompt(self, message_id: MessageId) -> SeenPrompt | None:
        """Return the prompt of an answer as tokens; ``None`` while its model is not loaded.

        The model's runner builds it with the settings of that time, as far as they were stored.
        ``SeenPrompt.notes`` says what differs.

        Raises:
            RequestError: the prompt does not fit, or its template fails.
        """

    async def probabilities(self, message_id: MessageId) -> AnswerProbabilities | None:
        """Return the probability of each token of an answer; ``None`` if the engine was stopped meanwhile.

        Probabilities that were stored with the answer are returned at once. Otherwise the model evaluates the
        answer again with the lowest priority, until the call is cancelled; progress arrives as
        ``ScoringProgressed``.

        Raises:
            FiresideError: the answer could not be evaluated.
        """

    async def continue_from(self, message_id: MessageId, *, tokens: tuple[int, ...]) -> None:
        """Generate a sibling of this answer that begins with ``tokens`` of its model.

        Raises ``AnswerRunning``.
        """
