"""Protocol of the service for generating answers: send, stop, regenerate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from fireside.core.ids import ConversationId, DraftId, MessageId, ModelId, QueuedMessageId
from fireside.core.message import AttachedPart
from fireside.core.options import NO_SETTINGS, SettingValue


class GenerationClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``.

    The answer arrives as ``MessageAdded``, ``TextAppended``, ``AnswerProgressed`` and ``MessageReplaced``.
    """

    async def send(
        self,
        conversation_id: ConversationId | None,
        *,
        text: str,
        model_id: ModelId,
        attached: Sequence[AttachedPart] = (),
        settings: Mapping[str, SettingValue] = NO_SETTINGS,
        draft_id: DraftId | None = None,
        reads_all: bool = False,
    ) -> ConversationId:
        """Commit a user message and start the answer.

        ``None`` as the conversation creates one, with ``settings`` of its own, from the new chat whose draft
        is ``draft_id``. The text may be empty if files are attached. ``reads_all`` reads all documents of the
        chat for it. Returns once the message is committed, before anything is generated, and clears the
        draft. While an answer is generated, the message is queued until that ends well
        (``QueuedMessagesChanged``). Later failures arrive as events.

        Raises:
            InvalidText: only white space, or characters that no database or model accepts.
            AnswerRunning: another message of this conversation is being sent.
            ImagesUnsupported: images are attached, and the model has no vision.
            SettingInvalid: one of ``settings`` is invalid.
            ModelNotFound, RemoteUnable, RecordNotFound, StorageError.
        """

    async def stop(self, conversation_id: ConversationId) -> None:
        """Cancel the running answers of a conversation and return when they are saved.

        Does nothing if none runs. Queued messages stay queued.
        """

    async def regenerate(
        self, message_id: MessageId, *, model_id: ModelId, settings: Mapping[str, SettingValue] = NO_SETTINGS
    ) -> None:
        """Generate another answer as a sibling, or the answer of a question without one.

        ``settings`` apply to this answer only. Raises ``AnswerRunning``, ``ModelNotFound`` or
        ``SettingInvalid``.
        """

    async def send_queued(self, queued_id: QueuedMessageId) -> None:
        """Send a queued message now. Raises ``AnswerRunning`` or ``ModelNotFound``; it stays queued then."""
