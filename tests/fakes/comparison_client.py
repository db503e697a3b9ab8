"""A ``ComparisonClient`` in memory, over the messages of a ``FakeClient``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec.structs import replace

from fakes.requests import Requests
from fireside.bridge.comparison_client import ComparisonClient
from fireside.core.chat import GenerationRecord, MessageState, StoredMessage
from fireside.core.comparison import ComparedColumn, Comparison
from fireside.core.errors import NotStored
from fireside.core.events import AppEvent, MessageAdded
from fireside.core.ids import ConversationId, DraftId, MessageId
from fireside.core.message import AttachedPart, Role


class Conversations(Protocol):
    """What it needs of the client that it belongs to."""

    messages: dict[ConversationId, list[StoredMessage]]

    def publish(self, *events: AppEvent) -> None: ...

    def make_message(
        self,
        conversation_id: ConversationId,
        *,
        role: Role,
        text: str,
        state: MessageState = MessageState.COMPLETE,
    ) -> StoredMessage: ...

    def add_conversation(self, title: str) -> ConversationId: ...


class FakeComparisonClient(Requests):
    """Answers do not write themselves: publish what happens to those of ``last``."""

    def __init__(self, client: Conversations) -> None:
        super().__init__()
        self._client = client
        self.last: Comparison | None = None
        self.asked: list[tuple[ComparedColumn, ...]] = []

    async def ask(
        self,
        conversation_id: ConversationId | None,
        *,
        text: str,
        columns: Sequence[ComparedColumn],
        attached: Sequence[AttachedPart] = (),
        draft_id: DraftId | None = None,
    ) -> Comparison:
        await self.enter("ask", conversation_id, text, tuple(columns), tuple(attached))
        self.asked.append(tuple(columns))
        made = self._client.add_conversation(text) if conversation_id is None else conversation_id
        question = self._client.make_message(made, role=Role.USER, text=text)
        self._client.messages[made].append(question)
        self._client.publish(MessageAdded(message=question))
        return self._begin(question, columns)

    async def answer(self, message_id: MessageId, *, columns: Sequence[ComparedColumn]) -> Comparison:
        await self.enter("answer", message_id, tuple(columns))
        return self._begin(self._question_of(message_id), columns)

    async def open(self, message_id: MessageId) -> Comparison:
        await self.enter("open", message_id)
        if self.last is None:
            raise NotStored(what="answer", id=message_id)
        return self.last

    async def stop(self, message_id: MessageId) -> None:
        await self.enter("stop", message_id)

    def _begin(self, question: StoredMessage, columns: Sequence[ComparedColumn]) -> Comparison:
        answers = []
        for column in columns:
            bare = self._client.make_message(
                question.conversation_id, role=Role.ASSISTANT, text="", state=MessageState.STREAMING
            )
            record = GenerationRecord(model_id=column.model_id, model_name=str(column.model_id))
            answers.append(replace(bare, parent_id=question.id, generation=record))
        self._client.messages[question.conversation_id].append(answers[0])
        self._client.publish(*(MessageAdded(message=answer) for answer in answers))
        self.last = Comparison(
            conversation_id=question.conversation_id, question=question, answers=tuple(answers)
        )
        return self.last

    def _question_of(self, message_id: MessageId) -> StoredMessage:
        for messages in self._client.messages.values():
            for index, message in enumerate(messages):
                if message.id == message_id:
                    return message if message.message.role is Role.USER else messages[index - 1]
        raise NotStored(what="answer", id=message_id)


def as_client(fake: FakeComparisonClient) -> ComparisonClient:
    """Let the type checker confirm that the fake keeps the contract."""
    return fake
