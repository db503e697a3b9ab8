"""The answers that run now, by conversation: one as a rule, several where they are compared."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import NamedTuple

from fireside.chat.answer_generation import Turn
from fireside.core.ids import ConversationId, MessageId


class RunningTurn(NamedTuple):
    conversation_id: ConversationId
    turn: Turn
    task: asyncio.Task[None]


class Running:
    """Knows who runs; starts and stops nobody."""

    def __init__(self) -> None:
        self._by_answer: dict[MessageId, RunningTurn] = {}

    def __iter__(self) -> Iterator[RunningTurn]:
        return iter(tuple(self._by_answer.values()))

    def add(self, conversation_id: ConversationId, turn: Turn, task: asyncio.Task[None]) -> None:
        self._by_answer[turn.message_id] = RunningTurn(conversation_id, turn, task)

    def remove(self, answer_id: MessageId) -> None:
        """Forget an answer. Does nothing for one that is not known."""
        self._by_answer.pop(answer_id, None)

    def answer(self, answer_id: MessageId) -> RunningTurn | None:
        return self._by_answer.get(answer_id)

    def within(self, conversation_id: ConversationId | None) -> tuple[RunningTurn, ...]:
        """Return what runs in a conversation, the oldest first."""
        return tuple(each for each in self if each.conversation_id == conversation_id)
