"""The context of conversations: its plan, the policy when it is full, and summaries."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from fireside.chat.context.compaction import Compaction
from fireside.chat.context.context_plan import ContextPlanner
from fireside.chat.context.document_passages import DocumentPassages
from fireside.chat.context.prepared_request import PreparedRequest, RequestPreparation
from fireside.core.chat import StoredMessage
from fireside.core.context import ContextSummary, FullContext
from fireside.core.errors import InvalidText, RequestError
from fireside.core.events import SummaryChanged
from fireside.core.for_window import for_window
from fireside.core.i18n import tr_noop
from fireside.core.ids import ConversationId, ModelId, SummaryId
from fireside.core.options import SettingValue
from fireside.services.collections.collection_service import CollectionService
from fireside.services.service_context import ServiceContext
from fireside.settings.values import AppLayer, ConversationLayer

OVERFLOW_KEY = "answer.overflow"


class ContextService:
    """The context of conversations, on the engine's loop.

    Methods that change something raise ``StorageError``. Changes of a summary arrive as ``SummaryChanged``,
    of the policy as ``SettingsChanged``.
    """

    def __init__(
        self, context: ServiceContext, *, collections: CollectionService, clock: Callable[[], float]
    ) -> None:
        """``clock`` returns seconds, for durations."""
        self.requests = RequestPreparation(context, collections=collections)
        self.compaction = Compaction(context, requests=self.requests)
        self._passages = DocumentPassages(
            context, requests=self.requests, collections=collections, clock=clock
        )
        self.plan = ContextPlanner(context, requests=self.requests).plan
        """See ``ContextPlanner.plan``."""
        self._store = context.store
        self._models = context.models
        self._preferences = context.preferences
        self._emit = context.emit
        self._writing: dict[ConversationId, asyncio.Task[ContextSummary]] = {}

    async def prepare(
        self, prepared: PreparedRequest, *, answer: StoredMessage, run: Mapping[str, SettingValue]
    ) -> PreparedRequest:
        """Return the request with passages of documents, and a summary where it does not fit otherwise.

        Raises ``FiresideError`` where the collections cannot be searched.
        """
        prepared = await self._passages.add(prepared, answer=answer, run=run)
        return await self.compaction.compact(prepared, answer=answer, run=run)

    @for_window
    async def set_policy(self, conversation_id: ConversationId | None, *, policy: FullContext) -> None:
        """Store what happens when a conversation no longer fits; ``None`` is for new ones too."""
        layer = AppLayer() if conversation_id is None else ConversationLayer(conversation_id=conversation_id)
        await self._preferences.change(layer, key=OVERFLOW_KEY, value=policy.value)

    @for_window
    async def edit_summary(self, summary_id: SummaryId, *, text: str) -> None:
        """Replace the text of a summary. Raises ``InvalidText`` if it is empty, or ``RecordNotFound``."""
        if not text.strip():
            raise InvalidText(reason=tr_noop("it is empty."))
        changed = await self._store.summaries.edit(summary_id, text=text.strip())
        self._emit(SummaryChanged(conversation_id=changed.conversation_id))

    @for_window
    async def remove_summary(self, summary_id: SummaryId) -> None:
        """Delete a summary; its messages are sent again. Raises ``RecordNotFound``."""
        conversation_id = await self._store.summaries.remove(summary_id)
        self._emit(SummaryChanged(conversation_id=conversation_id))

    @for_window
    async def regenerate_summary(self, summary_id: SummaryId, *, model_id: ModelId) -> None:
        """Generate a summary of the same messages again and return when it is stored.

        Raises ``summary_failed``, ``ModelNotFound`` or ``RecordNotFound``; the old summary stays then.
        """
        spec = self._models.chat_spec(model_id)
        summary = await self._store.summaries.get(summary_id)
        if summary.conversation_id in self._writing:
            raise RequestError.of("summary_failed", reason=tr_noop("a summary is already being written."))
        last = await self._store.messages.get(summary.through)
        prepared = await self.requests.build(spec, answer=last, run={})
        task = asyncio.create_task(
            self.compaction.rewrite(summary, base=prepared.request, report=lambda _: None),
            name=f"summary-{summary_id}",
        )
        self._writing[summary.conversation_id] = task
        try:
            await asyncio.wait({task})
        finally:
            task.cancel()
            self._writing.pop(summary.conversation_id, None)
        if task.cancelled():
            raise RequestError.of("summary_failed", reason=tr_noop("it was cancelled."))
        task.result()
        self._emit(SummaryChanged(conversation_id=summary.conversation_id))

    @for_window
    async def cancel_summary(self, conversation_id: ConversationId) -> None:
        """Cancel ``regenerate_summary``; the old summary stays."""
        if (task := self._writing.get(conversation_id)) is not None:
            task.cancel()

    async def close(self) -> None:
        """Cancel summaries that are being written."""
        tasks = tuple(self._writing.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
