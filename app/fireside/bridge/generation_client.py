"""Protocol of the service for generating answers: send, stop, regenerate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from fireside.bridge.branch_client import NO_SETTINGS
from fireside.core.ids import ConversationId, DraftId, MessageId, ModelId
from fireside.core.message import AttachedPart
from fireside.core.options import SettingValue


class GenerationClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``.

    What becomes of an answer arrives as ``MessageAdded``, ``TextAppended``, ``MessageReplaced`` and the
    ``Turn…`` events.
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
        """Commit a user's message and start the answer; ``None`` creates the conversation, with ``settings``
        of its own, out of the new chat that is kept as ``draft_id``.

        With files the text may be empty. ``reads_all``: all documents of the chat are read for it. Returns
        once the message is committed, before anything runs. Clears the draft. While an answer runs, the
        message waits for it to end well; ``QueuedMessagesChanged`` says so. Later failures are events.

        Raises:
            InvalidText: nothing but white space, or characters that no database or model takes.
            AnswerRunning: another message of this conversation is being sent at this moment.
            ImagesUnsupported: there are pictures, and the model has no eyes.
            SettingInvalid: one of ``settings`` will not do.
            ModelNotFound, RemoteUnable, RecordNotFound, StorageError.
        """

    async def stop(self, conversation_id: ConversationId) -> None:
        """Cancel what runs in a conversation and return when it is saved. Does nothing where nothing runs.

        What waits to be sent goes on waiting.
        """

    async def regenerate(self, message_id: MessageId, *, model_id: ModelId) -> None:
        """Answer again in a new branch beside ``message_id`` (an assistant message); also Retry."""
