"""The running generations by conversation: usually one, several where answers are compared."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import NamedTuple

from fireside.chat.answer_generation import AnswerGeneration
from fireside.core.ids import ConversationId, MessageId


class ActiveGeneration(NamedTuple):
    conversation_id: ConversationId
    generation: AnswerGeneration
    task: asyncio.Task[None]


class ActiveGenerations:
    """The registry of running generations; it does not start or stop them."""

    def __init__(self) -> None:
        self._by_answer: dict[MessageId, ActiveGeneration] = {}

    def __iter__(self) -> Iterator[ActiveGeneration]:
        return iter(tuple(self._by_answer.values()))

    def add(
        self, conversation_id: ConversationId, generation: AnswerGeneration, task: asyncio.Task[None]
    ) -> None:
        self._by_answer[generation.message_id] = ActiveGeneration(conversation_id, generation, task)

    def remove(self, answer_id: MessageId) -> None:
        """Remove an answer. Does nothing where it is not registered."""
        self._by_answer.pop(answer_id, None)

    def answer(self, answer_id: MessageId) -> ActiveGeneration | None:
        return self._by_answer.get(answer_id)

    def within(self, conversation_id: ConversationId | None) -> tuple[ActiveGeneration, ...]:
        """Return the running generations of a conversation, oldest first."""
        return tuple(each for each in self if each.conversation_id == conversation_id)
