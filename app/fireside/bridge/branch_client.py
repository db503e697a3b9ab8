"""Protocol of the service for editing, regenerating and continuing messages, and for branches."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from fireside.core.chat import TreeNode
from fireside.core.ids import ConversationId, MessageId, ModelId, QueuedMessageId


class BranchClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``.

    Changes arrive as events: ``BranchChanged`` when another branch is shown,
    ``MessageReplaced``, ``MessagePinned``, ``QueuedMessagesChanged``. Methods that start an
    answer raise ``AnswerRunning`` while one is being generated.
    """

    async def edit_question(
        self, message_id: MessageId, *, text: str, model_id: ModelId, without: Collection[int] = ()
    ) -> None:
        """Send an edited question as a sibling of the original, and generate its answer.

        Its attachments stay, but for those at the indexes ``without`` of ``ChatMessage.attached``. Raises
        ``InvalidText``, ``AnswerRunning`` or ``ModelNotFound``.
        """

    async def read_everything(self, message_id: MessageId, *, model_id: ModelId) -> None:
        """Ask a question, or that of an answer, again as a sibling, with all documents of the chat read.

        Raises ``AnswerRunning`` or ``ModelNotFound``.
        """

    async def answer_from_read(self, message_id: MessageId, *, model_id: ModelId) -> None:
        """End reading all documents for a question, and answer from what was read so far.

        Raises ``AnswerRunning``, ``ModelNotFound``, or ``RecordNotFound`` where nothing is being read.
        """

    async def replace_question(
        self, message_id: MessageId, *, text: str, without: Collection[int] = ()
    ) -> None:
        """Edit a question in a new branch that keeps its answers. Generates nothing.

        ``without`` is as in ``edit_question``. Raises ``InvalidText`` or ``AnswerRunning``.
        """

    async def edit_answer(self, message_id: MessageId, *, text: str) -> None:
        """Store an edited answer as a sibling of the original. Generates nothing.

        Raises ``InvalidText`` or ``AnswerRunning``.
        """

    async def continue_answer(self, message_id: MessageId, *, model_id: ModelId) -> None:
        """Continue an answer from its end, in the same message.

        Raises ``InvalidParameter`` where other messages follow it or it called a tool, ``AnswerRunning`` or
        ``ModelNotFound``.
        """

    async def choose_branch(self, message_id: MessageId) -> None:
        """Show the branch that contains this message, down to its newest leaf."""

    async def tree(self, conversation_id: ConversationId) -> tuple[TreeNode, ...]:
        """Return every message, each after its parent."""

    async def fork(self, message_id: MessageId) -> ConversationId:
        """Copy the branch up to a message into a new conversation and return its id.

        The copy uses the same cached prompts: a prefix is identified by its tokens.
        """

    async def delete_from(self, message_id: MessageId) -> None:
        """Hide a message and its descendants; an answer that is being generated there is stopped first."""

    async def delete_only(self, message_id: MessageId) -> None:
        """Hide one message; its children take its position."""

    async def restore_from(self, message_id: MessageId) -> None:
        """Restore what ``delete_from`` or ``delete_only`` hid. Possible until the program restarts."""

    async def set_pinned(self, message_id: MessageId, *, pinned: bool) -> None: ...

    async def edit_queued(self, queued_id: QueuedMessageId, *, text: str) -> None:
        """Change the text of a queued message. Raises ``InvalidText``."""

    async def save_edit(self, message_id: MessageId, *, text: str | None) -> None:
        """Save the unfinished edit of a message; ``None`` discards it."""

    async def save_queued_edit(self, queued_id: QueuedMessageId, *, text: str | None) -> None:
        """Save the unfinished edit of a queued message; ``None`` discards it."""

    async def cancel_queued(self, queued_id: QueuedMessageId) -> None:
        """Remove a message from the queue; its text and files become the draft."""
