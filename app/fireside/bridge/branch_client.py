"""What the window may ask to steer a conversation: other words, other branches, going on, taking back."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Protocol

from fireside.core.chat import TreeNode
from fireside.core.ids import ConversationId, MessageId, ModelId, WaitingId
from fireside.core.options import SettingValue

NO_SETTINGS: Final[Mapping[str, SettingValue]] = MappingProxyType({})


class BranchClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``.

    What changes arrives as events: ``BranchChanged`` where the shown branch is another one,
    ``MessageReplaced``, ``MessagePinned``, ``WaitingChanged``. What starts an answer raises ``AnswerRunning``
    while one is being written.
    """

    async def edit_question(self, message_id: MessageId, *, text: str, model_id: ModelId) -> None:
        """Ask with other words beside a question, and have it answered. Raises ``InvalidText``."""

    async def read_everything(self, message_id: MessageId, *, model_id: ModelId) -> None:
        """Ask a question anew, or that of an answer, with all documents of the chat read for it."""

    async def answer_from_read(self, message_id: MessageId, *, model_id: ModelId) -> None:
        """Answer a question for which all is being read, or that of an answer, from what was read so far."""

    async def reword_question(self, message_id: MessageId, *, text: str) -> None:
        """Give a question other words and keep the answers; nothing runs. Raises ``InvalidText``."""

    async def edit_answer(self, message_id: MessageId, *, text: str) -> None:
        """Put other words beside an answer; nothing runs. Raises ``InvalidText``."""

    async def answer_again(
        self, message_id: MessageId, *, model_id: ModelId, settings: Mapping[str, SettingValue] = NO_SETTINGS
    ) -> None:
        """Answer again beside an answer, or after a question without one; ``settings`` hold for it alone."""

    async def continue_answer(self, message_id: MessageId, *, model_id: ModelId) -> None:
        """Let the last answer go on where it stops."""

    async def choose_branch(self, message_id: MessageId) -> None:
        """Show the branch with this message, down to its newest end."""

    async def tree(self, conversation_id: ConversationId) -> tuple[TreeNode, ...]:
        """Return all messages, each after the one that it follows."""

    async def fork(self, message_id: MessageId) -> ConversationId:
        """Copy the branch up to a message into a conversation of its own."""

    async def delete_from(self, message_id: MessageId) -> None:
        """Hide a message and what follows it."""

    async def delete_only(self, message_id: MessageId) -> None:
        """Hide a message alone, in whose place follows what followed it."""

    async def restore_from(self, message_id: MessageId) -> None:
        """Bring back what ``delete_from`` or ``delete_only`` hid, until the program is next started."""

    async def pin(self, message_id: MessageId) -> None: ...

    async def unpin(self, message_id: MessageId) -> None: ...

    async def edit_waiting(self, waiting_id: WaitingId, *, text: str) -> None:
        """Change the words of a message that waits to be sent. Raises ``InvalidText``."""

    async def keep_edit(self, message_id: MessageId, *, text: str | None) -> None:
        """Keep what a message's words are being changed to; ``None`` once they are left as they are."""

    async def keep_waiting_edit(self, waiting_id: WaitingId, *, text: str | None) -> None:
        """The same for a message that waits to be sent."""

    async def cancel_waiting(self, waiting_id: WaitingId) -> None:
        """Take back a message that waits to be sent; its words and files go on as the draft's."""

    async def send_waiting(self, waiting_id: WaitingId) -> None:
        """Send a message that waits now."""
