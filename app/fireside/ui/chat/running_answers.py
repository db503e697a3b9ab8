"""What has been heard of answers that are being written, in every conversation. Pure: no Qt.

A conversation that is read from the database is up to a second behind the text that streams, and the reply
may arrive before or after events that belong to it. What the events said, in their order, is exact.
"""

from __future__ import annotations

from collections import OrderedDict

import msgspec

from fireside.core.chat import MessageState, StoredMessage
from fireside.core.events import AppEvent, MessageAdded, MessageReplaced, TextAppended
from fireside.core.ids import MessageId
from fireside.core.message import text_message

_REMEMBERED = 16
"""Finished answers kept, for a reply that was made before they were done and arrives after."""


class RunningAnswers:
    """Listens to all events and brings messages that were read up to date."""

    def __init__(self) -> None:
        self._texts: dict[MessageId, list[str]] = {}
        self._done: OrderedDict[MessageId, StoredMessage] = OrderedDict()

    def hear(self, event: AppEvent) -> None:
        """Take note of one event."""
        match event:
            case MessageAdded(message=message) if message.state is MessageState.STREAMING:
                self._texts[message.id] = [message.message.text]
            case TextAppended(message_id=message_id, text=text) if message_id in self._texts:
                self._texts[message_id].append(text)
            case MessageReplaced(message=message) if message.state is not MessageState.STREAMING:
                if self._texts.pop(message.id, None) is not None:
                    self._done[message.id] = message
                    while len(self._done) > _REMEMBERED:
                        self._done.popitem(last=False)
            case _:
                pass

    def up_to_date(self, message: StoredMessage) -> StoredMessage:
        """Return ``message`` with all that has been heard of it."""
        if message.state is not MessageState.STREAMING:
            return message
        if message.id in self._done:
            return self._done[message.id]
        if message.id not in self._texts:
            return message
        text = "".join(self._texts[message.id])
        self._texts[message.id] = [text]
        return msgspec.structs.replace(message, message=text_message(message.message.role, text))
