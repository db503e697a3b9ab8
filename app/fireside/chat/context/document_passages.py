"""Before an answer: find in the collections of a chat what its question is about, and send it along."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Final
from weakref import WeakValueDictionary

from msgspec.structs import replace

from fireside.chat.context.context_estimate import likely_context
from fireside.chat.context.prepared_request import PreparedRequest, RequestPreparation
from fireside.chat.context.whole_reader import WholeReader
from fireside.core.chat import StoredMessage
from fireside.core.context import passages_budget
from fireside.core.events import MessageReplaced
from fireside.core.ids import MessageId
from fireside.core.message import ChatMessage, PassagesPart, Role, texts_of
from fireside.core.options import SettingValue
from fireside.core.task import GenerationTask
from fireside.core.token_estimate import estimated_tokens
from fireside.services.collections.collection_service import CollectionService
from fireside.services.service_context import ServiceContext
from fireside.settings.definitions_answer import DEFAULT_RESERVE

UNKNOWN_CONTEXT: Final = 4096
"""Of an engine that does not say how much its model holds."""


class DocumentPassages:
    """All methods on the engine's loop.

    What was found is stored with the question: asking again, exports and the prompt cache have the same.
    """

    def __init__(
        self,
        context: ServiceContext,
        *,
        asking: RequestPreparation,
        collections: CollectionService,
        clock: Callable[[], float],
    ) -> None:
        """Take ``clock`` as seconds."""
        self._store = context.store
        self._emit = context.emit
        self._asking = asking
        self._collections = collections
        self._reader = WholeReader(context, collections=collections, clock=clock)
        self._turns: WeakValueDictionary[MessageId, asyncio.Lock] = WeakValueDictionary()
        """Answers that are compared have one question, which is looked for once."""

    async def added(
        self, asked: PreparedRequest, *, answer: StoredMessage, run: Mapping[str, SettingValue]
    ) -> PreparedRequest:
        """Return ``asked`` with passages for its question; as it is where the chat has no collections."""
        if not asked.collections or answer.parent_id is None:
            return asked
        if any(each.id == answer.parent_id and _has_all(each.message) for each in asked.branch.said):
            return asked
        if asked.toolbox is not None and asked.toolbox.has_documents and not self._is_read(asked, answer):
            return asked
        async with self._turns.setdefault(answer.parent_id, asyncio.Lock()):
            question = await self._store.messages.get(answer.parent_id)
            if question.message.role is not Role.USER or not question.message.text.strip():
                return asked
            if not _has_all(question.message):
                await self._find(asked, question, answer=answer)
        again = await self._asking.ask(asked.request.spec, answer=answer, run=run)
        task = replace(again.request.task, replay=asked.request.task.replay)
        return replace(again, request=replace(again.request, request_id=asked.request.request_id, task=task))

    def _is_read(self, asked: PreparedRequest, answer: StoredMessage) -> bool:
        """Tell whether everything is read for the question, which comes before what the model looks for."""
        part = next(
            (each.message.passages for each in asked.branch.said if each.id == answer.parent_id), None
        )
        return part is not None and part.reading is not None

    async def _find(self, asked: PreparedRequest, question: StoredMessage, *, answer: StoredMessage) -> None:
        known = {collection.id for collection in await self._collections.collections()}
        ids = [id_ for id_ in asked.collections if id_ in known]
        if not ids:
            return
        branch, request = asked.branch, asked.request
        n_ctx = likely_context(request.spec, branch, wanted=request.options)
        history = [stored.message for stored in branch.said if stored.id != question.id]
        n_tokens = room_for_passages(n_ctx, task=request.task, history=history)
        before = question.message.passages
        if before is not None and before.reading is not None:
            await self._reader.read(
                asked,
                question,
                collection_ids=ids,
                answer=answer,
                n_ctx=n_ctx or UNKNOWN_CONTEXT,
                n_tokens=n_tokens,
            )
            return
        part = await self._collections.passages_for(
            question.message.text, collection_ids=ids, n_tokens=n_tokens, history=history
        )
        if before is not None:
            part = _behind(part, before)
        stored = await self._store.messages.set_passages(question.id, part)
        self._emit(MessageReplaced(message=stored))


def _has_all(question: ChatMessage) -> bool:
    """Tell whether there is nothing left to find for a question."""
    part = question.passages
    if part is None:
        return False
    return not part.is_called if part.reading is None else not part.reading.is_unfinished


def _behind(part: PassagesPart, before: PassagesPart) -> PassagesPart:
    """Return what was found with what the model found itself, whose numbers answers cite, in front of it."""
    first = len(before.citations) + 1
    numbered = (replace(each, number=n) for n, each in enumerate(part.citations, start=first))
    return replace(part, citations=(*before.citations, *numbered))


def room_for_passages(n_ctx: int, *, task: GenerationTask, history: Sequence[ChatMessage]) -> int:
    """Return how many tokens passages may take of a context of ``n_ctx``; 0 is one that is not known."""
    n_ctx = n_ctx or UNKNOWN_CONTEXT
    reserve = min(task.sampling.max_tokens or task.n_reserve or DEFAULT_RESERVE, n_ctx // 4)
    texts = (text for message in history for part in message.parts for text in texts_of(part))
    used = sum(map(estimated_tokens, texts))
    return passages_budget(n_ctx, n_taken=reserve + used)
