"""Protocol of the service for editing, regenerating and continuing messages, and for branches."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Protocol

from fireside.core.chat import TreeNode
from fireside.core.ids import ConversationId, MessageId, ModelId, QueuedMessageId
from fireside.core.options import SettingValue

NO_SETTINGS: Final[Mapping[str, SettingValue]] = MappingProxyType({})


class BranchClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``.

    What changes arrives as events: ``BranchChanged`` where the shown branch is another one,
    ``MessageReplaced``, ``MessagePinned``, ``QueuedMessagesChanged``. What starts an answer raises
    ``AnswerRunning`` while one is being written.
    """

    async def edit_question(self, message_id: MessageId, *, text: str, model_id: ModelId) -> None:
        """Ask with other words, in a new branch beside the question, and have it answered.

        What came with the question, such as files, stays. Raises ``InvalidText``, ``AnswerRunning`` or
        ``ModelNotFound``.
        """

    async def read_everything(self, message_id: MessageId, *, model_id: ModelId) -> None:
        """Ask a question, or that of an answer, anew beside itself, with all documents of the chat read.

        Raises ``AnswerRunning`` or ``ModelNotFound``.
        """

    async def answer_from_read(self, message_id: MessageId, *, model_id: ModelId) -> None:
        """Answer a question for which all is being read, or that of an answer, from what was read so far.

        Raises ``AnswerRunning``, ``ModelNotFound``, or ``RecordNotFound`` where nothing is being read.
        """

    async def replace_question_text(self, message_id: MessageId, *, text: str) -> None:
        """Give a question other words, in a new branch with the same answers. Nothing runs.

        Raises ``InvalidText`` or ``AnswerRunning``.
        """

    async def edit_answer(self, message_id: MessageId, *, text: str) -> None:
        """Put other words into the model's mouth, in a new branch beside the answer. Nothing runs.

        Raises ``InvalidText`` or ``AnswerRunning``.
        """

    async def answer_again(
        self, message_id: MessageId, *, model_id: ModelId, settings: Mapping[str, SettingValue] = NO_SETTINGS
    ) -> None:
        """Answer again beside an answer, or after a question that has none.

        ``settings`` hold for this answer alone. Raises ``AnswerRunning``, ``ModelNotFound`` or
        ``SettingInvalid``.
        """

    async def continue_answer(self, message_id: MessageId, *, model_id: ModelId) -> None:
        """Let an answer go on where it stops, in the same message.

        Raises ``InvalidParameter`` where other messages follow it or it called a tool, ``AnswerRunning`` or
        ``ModelNotFound``.
        """

    async def choose_branch(self, message_id: MessageId) -> None:
        """Show the branch with this message, down to its newest end."""

    async def tree(self, conversation_id: ConversationId) -> tuple[TreeNode, ...]:
        """Return every message, each after the one that it follows."""

    async def fork(self, message_id: MessageId) -> ConversationId:
        """Copy the branch up to a message into a conversation of its own and return that.

        What the model has read of it counts for the copy too: a prefix is known by its tokens.
        """

    async def delete_from(self, message_id: MessageId) -> None:
        """Hide a message and what follows it; an answer that is being written there is stopped first."""

    async def delete_only(self, message_id: MessageId) -> None:
        """Hide a message alone, in whose place follows what followed it."""

    async def restore_from(self, message_id: MessageId) -> None:
        """Bring back what ``delete_from`` or ``delete_only`` hid, until the program is next started."""

    async def pin(self, message_id: MessageId) -> None: ...

    async def unpin(self, message_id: MessageId) -> None: ...

    async def edit_queued(self, queued_id: QueuedMessageId, *, text: str) -> None:
        """Change the words of a message that waits to be sent. Raises ``InvalidText``."""

    async def save_edit(self, message_id: MessageId, *, text: str | None) -> None:
        """Keep what a message's words are being changed to; ``None`` once they are left as they are."""

    async def save_queued_edit(self, queued_id: QueuedMessageId, *, text: str | None) -> None:
        """Keep what the words of a message that waits are being changed to; ``None`` once they are left."""

    async def cancel_queued(self, queued_id: QueuedMessageId) -> None:
        """Take back a message that waits to be sent; its words and files go on as the draft's."""

    async def send_queued(self, queued_id: QueuedMessageId) -> None:
        """Send it now. Raises ``AnswerRunning`` or ``ModelNotFound``: then it goes on waiting."""
