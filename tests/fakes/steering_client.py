"""A ``BranchClient`` in memory: branches, pins and a queue over the messages of a ``FakeClient``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Protocol

import msgspec

from fakes.requests import Requests
from fireside.bridge.branch_client import NO_SETTINGS, BranchClient
from fireside.core.chat import (
    Branches,
    ConversationSummary,
    GenerationRecord,
    MessageState,
    StoredMessage,
    TreeNode,
    WaitingMessage,
)
from fireside.core.errors import NotStored
from fireside.core.events import (
    AppEvent,
    BranchChanged,
    ConversationChanged,
    MessageAdded,
    MessagePinned,
    MessageReplaced,
    WaitingChanged,
)
from fireside.core.ids import ConversationId, MessageId, ModelId, WaitingId
from fireside.core.message import AttachedPart, ChatMessage, Role, TextPart, text_message
from fireside.core.options import SettingValue

Tail = list[StoredMessage]


class Conversations(Protocol):
    """What it needs of the client that it belongs to."""

    messages: dict[ConversationId, list[StoredMessage]]
    summaries: dict[ConversationId, ConversationSummary]

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


class FakeBranchClient(Requests):
    """Answers do not write themselves: use ``stream`` and ``finish`` of the client."""

    def __init__(self, client: Conversations) -> None:
        super().__init__()
        self._client = client
        self._tails: dict[tuple[ConversationId, MessageId | None], list[Tail]] = {}
        self._pinned: set[MessageId] = set()
        self._hidden: dict[MessageId, tuple[ConversationId, int, Tail]] = {}
        self._waiting: dict[ConversationId, list[WaitingMessage]] = {}
        self._ids = count(1)
        self.edits: dict[MessageId, str] = {}

    # What a conversation shows of it

    def branches(self, conversation_id: ConversationId) -> Branches:
        siblings: dict[MessageId, tuple[MessageId, ...]] = {}
        parent: MessageId | None = None
        messages = self._client.messages[conversation_id]
        for message in messages:
            heads = sorted(tail[0].id for tail in self._tails.get((conversation_id, parent), []))
            if len(heads) > 1:
                siblings[message.id] = tuple(heads)
            parent = message.id
        return Branches(siblings=siblings, pinned=frozenset(m.id for m in messages if m.id in self._pinned))

    def running(self, conversation_id: ConversationId) -> frozenset[MessageId]:
        """Return the answers that are being written, on whichever branch."""
        here = self._client.messages[conversation_id]
        tails = [
            tail for (where, _), all_ in self._tails.items() if where == conversation_id for tail in all_
        ]
        return frozenset(
            message.id
            for message in (*here, *(message for tail in tails for message in tail))
            if message.state is MessageState.STREAMING
        )

    def waiting(self, conversation_id: ConversationId) -> tuple[WaitingMessage, ...]:
        return tuple(self._waiting.get(conversation_id, ()))

    def queue(
        self,
        conversation_id: ConversationId,
        *,
        text: str,
        model_id: ModelId,
        attached: Sequence[AttachedPart] = (),
    ) -> None:
        """Let a message wait, and say so."""
        words = (TextPart(text=text),) if text else ()
        message = WaitingMessage(
            id=WaitingId(next(self._ids)),
            conversation_id=conversation_id,
            message=ChatMessage(role=Role.USER, parts=(*attached, *words)),
            model_id=model_id,
            created_at=0.0,
        )
        self._waiting.setdefault(conversation_id, []).append(message)
        self._say_waiting(conversation_id)

    def send_next(self, conversation_id: ConversationId) -> None:
        """Send what waits first, if anything does."""
        if waiting := self._waiting.get(conversation_id):
            self._send(waiting[0])

    # SteeringClient

    async def edit_question(self, message_id: MessageId, *, text: str, model_id: ModelId) -> None:
        await self.enter("edit_question", message_id, text, model_id)
        conversation_id, index = self._place(message_id)
        make = self._client.make_message
        question = make(conversation_id, role=Role.USER, text=text)
        answer = make(conversation_id, role=Role.ASSISTANT, text="", state=MessageState.STREAMING)
        self._branch(conversation_id, index, [question, answer])

    async def edit_answer(self, message_id: MessageId, *, text: str) -> None:
        await self.enter("edit_answer", message_id, text)
        conversation_id, index = self._place(message_id)
        edited = self._client.make_message(conversation_id, role=Role.ASSISTANT, text=text)
        record = GenerationRecord(model_id=ModelId("m"), model_name="SmolLM2 135M Instruct", edited=True)
        self._branch(conversation_id, index, [msgspec.structs.replace(edited, generation=record)])

    async def answer_again(
        self, message_id: MessageId, *, model_id: ModelId, settings: Mapping[str, SettingValue] = NO_SETTINGS
    ) -> None:
        await self.enter("answer_again", message_id, model_id, dict(settings))
        conversation_id, index = self._place(message_id)
        answer = self._client.make_message(
            conversation_id, role=Role.ASSISTANT, text="", state=MessageState.STREAMING
        )
        if self._client.messages[conversation_id][index].message.role is Role.USER:
            index += 1
        self._branch(conversation_id, index, [answer])

    async def continue_answer(self, message_id: MessageId, *, model_id: ModelId) -> None:
        await self.enter("continue_answer", message_id, model_id)
        conversation_id, index = self._place(message_id)
        messages = self._client.messages[conversation_id]
        messages[index] = msgspec.structs.replace(messages[index], state=MessageState.STREAMING, error=None)
        self._client.publish(MessageReplaced(message=messages[index]))

    async def choose_branch(self, message_id: MessageId) -> None:
        await self.enter("choose_branch", message_id)
        for (conversation_id, parent), tails in self._tails.items():
            for tail in tails:
                if tail[0].id == message_id:
                    messages = self._client.messages[conversation_id]
                    ids = [message.id for message in messages]
                    index = ids.index(parent) + 1 if parent is not None else 0
                    self._keep(conversation_id, index)
                    messages[index:] = tail
                    self._client.publish(BranchChanged(conversation_id=conversation_id))
                    return

    async def tree(self, conversation_id: ConversationId) -> tuple[TreeNode, ...]:
        await self.enter("tree", conversation_id)
        active = {message.id for message in self._client.messages[conversation_id]}
        lines: list[tuple[MessageId | None, Tail]] = [(None, self._client.messages[conversation_id])]
        lines += [
            (parent, tail)
            for (owner, parent), tails in self._tails.items()
            if owner == conversation_id
            for tail in tails
        ]
        nodes: dict[MessageId, TreeNode] = {}
        for before, line in lines:
            parent = before
            for message in line:
                node = self._node(message, parent=parent, active=message.id in active)
                nodes.setdefault(message.id, node)
                parent = message.id
        return tuple(nodes[id_] for id_ in sorted(nodes))

    async def fork(self, message_id: MessageId) -> ConversationId:
        await self.enter("fork", message_id)
        conversation_id, index = self._place(message_id)
        made = self._client.add_conversation(f"{self._client.summaries[conversation_id].title} (2)")
        self._client.messages[made] = [
            self._client.make_message(made, role=m.message.role, text=m.message.text)
            for m in self._client.messages[conversation_id][: index + 1]
        ]
        self._client.publish(ConversationChanged(summary=self._client.summaries[made]))
        return made

    async def delete_from(self, message_id: MessageId) -> None:
        await self.enter("delete_from", message_id)
        conversation_id, index = self._place(message_id)
        messages = self._client.messages[conversation_id]
        self._hidden[message_id] = (conversation_id, index, messages[index:])
        del messages[index:]
        self._client.publish(BranchChanged(conversation_id=conversation_id))

    async def restore_from(self, message_id: MessageId) -> None:
        await self.enter("restore_from", message_id)
        conversation_id, index, tail = self._hidden.pop(message_id)
        self._client.messages[conversation_id][index:] = tail
        self._client.publish(BranchChanged(conversation_id=conversation_id))

    async def pin(self, message_id: MessageId) -> None:
        await self.enter("pin", message_id)
        self._pinned.add(message_id)
        self._say_pinned(message_id, pinned=True)

    async def unpin(self, message_id: MessageId) -> None:
        await self.enter("unpin", message_id)
        self._pinned.discard(message_id)
        self._say_pinned(message_id, pinned=False)

    async def edit_waiting(self, waiting_id: WaitingId, *, text: str) -> None:
        await self.enter("edit_waiting", waiting_id, text)
        waiting = self._waiting_message(waiting_id)
        line = self._waiting[waiting.conversation_id]
        changed = msgspec.structs.replace(waiting, message=text_message(Role.USER, text))
        line[line.index(waiting)] = changed
        self._say_waiting(waiting.conversation_id)

    async def keep_edit(self, message_id: MessageId, *, text: str | None) -> None:
        await self.enter("keep_edit", message_id, text)
        self.edits.pop(message_id, None)
        if text is not None:
            self.edits[message_id] = text

    async def keep_waiting_edit(self, waiting_id: WaitingId, *, text: str | None) -> None:
        await self.enter("keep_waiting_edit", waiting_id, text)
        waiting = self._waiting_message(waiting_id)
        line = self._waiting[waiting.conversation_id]
        line[line.index(waiting)] = msgspec.structs.replace(waiting, edit=text)

    async def cancel_waiting(self, waiting_id: WaitingId) -> None:
        await self.enter("cancel_waiting", waiting_id)
        waiting = self._waiting_message(waiting_id)
        self._waiting[waiting.conversation_id].remove(waiting)
        self._say_waiting(waiting.conversation_id)

    async def send_waiting(self, waiting_id: WaitingId) -> None:
        await self.enter("send_waiting", waiting_id)
        self._send(self._waiting_message(waiting_id))

    # Inside

    def _place(self, message_id: MessageId) -> tuple[ConversationId, int]:
        for conversation_id, messages in self._client.messages.items():
            for index, message in enumerate(messages):
                if message.id == message_id:
                    return conversation_id, index
        raise NotStored(what="message", id=message_id)

    def _keep(self, conversation_id: ConversationId, index: int) -> list[Tail]:
        """Remember what is shown from ``index`` on, as one of the branches there."""
        messages = self._client.messages[conversation_id]
        parent = messages[index - 1].id if index else None
        tails = self._tails.setdefault((conversation_id, parent), [])
        shown = messages[index:]
        if shown:
            tails[:] = [tail for tail in tails if tail[0].id != shown[0].id] + [shown]
        return tails

    def _branch(self, conversation_id: ConversationId, index: int, tail: Tail) -> None:
        self._keep(conversation_id, index).append(list(tail))
        self._client.messages[conversation_id][index:] = tail
        added = [MessageAdded(message=m) for m in tail if m.state is MessageState.STREAMING]
        self._client.publish(BranchChanged(conversation_id=conversation_id), *added)

    def _send(self, waiting: WaitingMessage) -> None:
        conversation_id = waiting.conversation_id
        self._waiting[conversation_id].remove(waiting)
        make = self._client.make_message
        question = make(conversation_id, role=Role.USER, text=waiting.message.text)
        answer = make(conversation_id, role=Role.ASSISTANT, text="", state=MessageState.STREAMING)
        self._client.messages[conversation_id] += [question, answer]
        self._say_waiting(conversation_id)
        events: list[AppEvent] = [MessageAdded(message=question), MessageAdded(message=answer)]
        self._client.publish(*events)

    def _waiting_message(self, waiting_id: WaitingId) -> WaitingMessage:
        for waiting in self._waiting.values():
            for message in waiting:
                if message.id == waiting_id:
                    return message
        raise NotStored(what="message", id=waiting_id)

    def _say_waiting(self, conversation_id: ConversationId) -> None:
        waiting = self.waiting(conversation_id)
        self._client.publish(WaitingChanged(conversation_id=conversation_id, waiting=waiting))

    def _say_pinned(self, message_id: MessageId, *, pinned: bool) -> None:
        conversation_id, _ = self._place(message_id)
        self._client.publish(
            MessagePinned(conversation_id=conversation_id, message_id=message_id, pinned=pinned)
        )

    def _node(self, message: StoredMessage, *, parent: MessageId | None, active: bool) -> TreeNode:
        texts = [part.text for part in message.message.parts if isinstance(part, TextPart)]
        return TreeNode(
            id=message.id,
            parent_id=parent,
            role=message.message.role,
            excerpt=" ".join("".join(texts).split())[:160],
            state=message.state,
            created_at=message.created_at,
            model_name=message.generation.model_name if message.generation is not None else "",
            pinned=message.id in self._pinned,
            active=active,
        )


def as_client(fake: FakeBranchClient) -> BranchClient:
    """Let the type checker confirm that the fake keeps the contract."""
    return fake
