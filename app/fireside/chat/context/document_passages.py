"""Before an answer: search the collections of its chat for passages on the question."""

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

DEFAULT_CONTEXT: Final = 4096
"""The context length assumed for engines that do not report one."""


class DocumentPassages:
    """All methods on the engine's loop.

    Passages are stored with the question, so that retries, exports and the prompt cache have the same ones.
    """

    def __init__(
        self,
        context: ServiceContext,
        *,
        requests: RequestPreparation,
        collections: CollectionService,
        clock: Callable[[], float],
    ) -> None:
        """``clock`` returns seconds, for durations."""
        self._store = context.store
        self._emit = context.emit
        self._requests = requests
        self._collections = collections
        self._reader = WholeReader(context, collections=collections, clock=clock)
        self._locks: WeakValueDictionary[MessageId, asyncio.Lock] = WeakValueDictionary()
        """By question: answers that are compared share one, for which documents are searched once."""

    async def add(
        self, prepared: PreparedRequest, *, answer: StoredMessage, run: Mapping[str, SettingValue]
    ) -> PreparedRequest:
        """Return the request with passages for its question; unchanged where the chat has no collections."""
        if not prepared.collections or answer.parent_id is None:
            return prepared
        if any(
            each.id == answer.parent_id and _is_searched(each.message) for each in prepared.branch.messages
        ):
            return prepared
        if (
            prepared.toolbox is not None
            and prepared.toolbox.has_documents
            and not _is_whole_reading(prepared, answer)
        ):
            return prepared
        async with self._locks.setdefault(answer.parent_id, asyncio.Lock()):
            question = await self._store.messages.get(answer.parent_id)
            if question.message.role is not Role.USER or not question.message.text.strip():
                return prepared
            if not _is_searched(question.message):
                await self._find(prepared, question, answer=answer)
        return await self._requests.rebuild(prepared, answer=answer, run=run)

    async def _find(
        self, prepared: PreparedRequest, question: StoredMessage, *, answer: StoredMessage
    ) -> None:
        known = {collection.id for collection in await self._collections.collections()}
        ids = [id_ for id_ in prepared.collections if id_ in known]
        if not ids:
            return
        branch, request = prepared.branch, prepared.request
        n_ctx = likely_context(request.spec, branch, options=request.options)
        history = [stored.message for stored in branch.messages if stored.id != question.id]
        n_tokens = passage_tokens(n_ctx, task=request.task, history=history)
        before = question.message.passages
        if before is not None and before.reading is not None:
            await self._reader.read(
                prepared,
                question,
                collection_ids=ids,
                answer=answer,
                n_ctx=n_ctx or DEFAULT_CONTEXT,
                n_tokens=n_tokens,
            )
            return
        part = await self._collections.passages_for(
            question.message.text, collection_ids=ids, n_tokens=n_tokens, history=history
        )
        if before is not None:
            part = _appended(before, part)
        stored = await self._store.messages.set_passages(question.id, part)
        self._emit(MessageReplaced(message=stored))


def _is_whole_reading(prepared: PreparedRequest, answer: StoredMessage) -> bool:
    """Return whether all documents are to be read for the question, also where the model can search them."""
    part = next(
        (each.message.passages for each in prepared.branch.messages if each.id == answer.parent_id), None
    )
    return part is not None and part.reading is not None


def _is_searched(question: ChatMessage) -> bool:
    """Return whether the documents have been searched, or read to the end, for a question."""
    part = question.passages
    if part is None:
        return False
    return not part.is_called if part.reading is None else not part.reading.is_unfinished


def _appended(before: PassagesPart, part: PassagesPart) -> PassagesPart:
    """Return ``part`` with its citations numbered after those of ``before``, which answers may cite."""
    first = len(before.citations) + 1
    numbered = (replace(each, number=n) for n, each in enumerate(part.citations, start=first))
    return replace(part, citations=(*before.citations, *numbered))


def passage_tokens(n_ctx: int, *, task: GenerationTask, history: Sequence[ChatMessage]) -> int:
    """Return how many tokens passages may take of a context of ``n_ctx`` tokens; 0 is an unknown length."""
    n_ctx = n_ctx or DEFAULT_CONTEXT
    reserve = min(task.sampling.max_tokens or task.n_reserve or DEFAULT_RESERVE, n_ctx // 4)
    texts = (text for message in history for part in message.parts for text in texts_of(part))
    used = sum(map(estimated_tokens, texts))
    return passages_budget(n_ctx, n_taken=reserve + used)
