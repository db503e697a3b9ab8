"""Protocol of the service for comparing several answers to one question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from fireside.core.comparison import ComparedColumn, Comparison
from fireside.core.ids import ConversationId, DraftId, MessageId
from fireside.core.message import AttachedPart


class ComparisonClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``.

    The answers are ordinary branches, of which ``BranchClient.choose_branch`` selects one. Their events are
    the usual ones, with the id of the answer.
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
        """Send a message and generate one answer for each of two to four ``columns``.

        ``None`` creates a conversation from the new chat ``draft_id``. Raises what ``GenerationClient.send``
        raises, and ``AnswerRunning`` while an answer is generated.
        """

    async def answer(self, message_id: MessageId, *, columns: Sequence[ComparedColumn]) -> Comparison:
        """Generate one answer for each of ``columns``, as siblings of an answer or after a question.

        The result has the new answers only.

        Raises:
            InvalidParameter: fewer than two columns or more than four.
            AnswerRunning, ModelNotFound, SettingInvalid, RecordNotFound.
        """

    async def open(self, message_id: MessageId) -> Comparison:
        """Return all answers to a question, which is the message itself or the one that it answers."""

    async def stop(self, message_id: MessageId) -> None:
        """Cancel one answer; the others continue. Its text so far is kept."""
