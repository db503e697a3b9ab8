"""What has been heard of answers that are being written, in every conversation. Pure: no Qt.

A conversation that is read from the database is up to a second behind the text that streams, and the reply
may arrive before or after events that belong to it. What the events said, in their order, is exact.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from itertools import groupby

from msgspec.structs import replace

from fireside.core.chat import MessageState, StoredMessage
from fireside.core.events import AppEvent, MessageAdded, MessageReplaced, TextAppended
from fireside.core.generation import OutputKind
from fireside.core.ids import ConversationId, MessageId
from fireside.core.message import MessagePart, ReasoningPart, TextPart

_REMEMBERED = 16
"""Finished answers kept, for a reply that was made before they were done and arrives after."""


class RunningAnswers:
    """Listens to all events and brings messages that were read up to date."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Take ``clock`` in seconds; it tells since when a model thinks."""
        self._clock = clock
        self._parts: dict[MessageId, list[MessagePart]] = {}
        self._places: dict[MessageId, ConversationId] = {}
        self._thinking_since: dict[MessageId, float] = {}
        self._done: OrderedDict[MessageId, StoredMessage] = OrderedDict()

    def hear(self, event: AppEvent) -> None:
        """Take note of one event."""
        match event:
            case MessageAdded(message=message) | MessageReplaced(message=message) if (
                message.state is MessageState.STREAMING
            ):
                self._done.pop(message.id, None)
                self._places[message.id] = message.conversation_id
                self._parts[message.id] = list(message.message.parts)
            case TextAppended(message_id=message_id) if message_id in self._parts:
                self._append(event)
            case MessageReplaced(message=message) if message.state is not MessageState.STREAMING:
                self._thinking_since.pop(message.id, None)
                self._places.pop(message.id, None)
                if self._parts.pop(message.id, None) is not None:
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
        if message.id not in self._parts:
            return message
        parts = tuple(_joined(self._parts[message.id]))
        self._parts[message.id] = list(parts)
        return replace(message, message=replace(message.message, parts=parts))

    def runs_in(self, conversation_id: ConversationId) -> bool:
        """Whether an answer is being written in a conversation, as far as that was heard."""
        return conversation_id in self._places.values()

    def thinking_since(self, message_id: MessageId) -> float | None:
        """When the model began to think for this answer, if that was heard."""
        return self._thinking_since.get(message_id)

    def _append(self, event: TextAppended) -> None:
        if event.kind is OutputKind.REASONING:
            self._thinking_since.setdefault(event.message_id, self._clock())
            self._parts[event.message_id].append(ReasoningPart(text=event.text))
        elif event.kind is OutputKind.ANSWER:
            self._parts[event.message_id].append(TextPart(text=event.text))


def _joined(parts: list[MessagePart]) -> Iterator[MessagePart]:
    """Yield the parts, neighbours of one kind as one."""
    for kind, same in groupby(parts, key=type):
        if issubclass(kind, TextPart | ReasoningPart):
            text = "".join(part.text for part in same if isinstance(part, TextPart | ReasoningPart))
            yield kind(text=text)
        else:
            yield from same
