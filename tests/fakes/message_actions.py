"""What tests see of the actions of a transcript without the features that do them."""

from __future__ import annotations

from functools import partial

from fireside.core.ids import MessageId
from fireside.ui.chat.answer.actions import MessageAction
from fireside.ui.chat.answer.message_item import Entry
from fireside.ui.chat.transcript.transcript import Transcript

OF_THE_TRANSCRIPT = (
    MessageAction.EDIT,
    MessageAction.COPY,
    MessageAction.COPY_FORMATTED,
    MessageAction.COPY_PLAIN,
)
"""What a transcript does by itself."""


def record_actions(transcript: Transcript) -> list[tuple[MessageId, MessageAction]]:
    """Offer all actions but to read aloud; return the list of those that are asked for from now on."""
    asked: list[tuple[MessageId, MessageAction]] = []

    def record(action: MessageAction, entry: Entry) -> None:
        asked.append((entry.message.id, action))

    for action in set(MessageAction) - {MessageAction.READ_ALOUD, *OF_THE_TRANSCRIPT}:
        transcript.message_actions.register(action, partial(record, action))
    return asked
