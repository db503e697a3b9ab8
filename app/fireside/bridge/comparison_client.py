"""Protocol of the service for comparing several answers to one question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from fireside.core.comparison import ComparedColumn, Comparison
from fireside.core.ids import ConversationId, DraftId, MessageId
from fireside.core.message import AttachedPart


class ComparisonClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``.

    The answers are branches like any others: ``BranchClient.choose_branch`` keeps one. What happens to them
    arrives as the same events, by the id of the answer.
    """

    async def ask(
        self,
        conversation_id: ConversationId | None,
        *,
        text: str,
        columns: Sequence[ComparedColumn],
        attached: Sequence[AttachedPart] = (),
        draft_id: DraftId | None = None,
    ) -> Comparison:
        """Send a message and have it answered once for each of two to four ``columns``.

        ``None`` creates the conversation, out of the new chat ``draft_id``. Raises what
        ``GenerationClient.send`` does, and ``AnswerRunning`` where an answer runs.
        """

    async def answer(self, message_id: MessageId, *, columns: Sequence[ComparedColumn]) -> Comparison:
        """Answer once for each of ``columns``, beside an answer or after a question.

        The answer that there was, is not among those that are returned.

        Raises:
            InvalidParameter: fewer than two columns or more than four.
            AnswerRunning, ModelNotFound, SettingInvalid, RecordNotFound.
        """

    async def open(self, message_id: MessageId) -> Comparison:
        """Return all answers to the question that a message is, or answers."""

    async def stop(self, message_id: MessageId) -> None:
        """Cancel one answer; the others go on. What has arrived is kept."""
