"""The context of conversations: its plan, the policy when it is full, and summaries."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence

import msgspec

from fireside.chat.context.compaction import Compaction
from fireside.chat.context.context_estimate import estimate_measure, likely_context
from fireside.chat.context.document_passages import DocumentPassages
from fireside.chat.context.prepared_request import (
    Branch,
    PreparedRequest,
    RequestPreparation,
    branch_input,
    branch_of,
    by_message,
)
from fireside.core.chat import StoredMessage
from fireside.core.context import STEP_SHARE, ContextPlan, ContextSummary, FullContext, MessageCost
from fireside.core.errors import ContextLengthExceeded, InvalidText, PromptTooLarge, RequestError
from fireside.core.events import SummaryChanged
from fireside.core.for_window import for_window
from fireside.core.i18n import tr_noop
from fireside.core.ids import ConversationId, ModelId, SummaryId
from fireside.core.message import AttachedPart, ChatMessage, MessagePart, PassagesPart, Role, TextPart
from fireside.core.model import ModelSpec, Senses
from fireside.core.options import NO_SETTINGS, SettingValue
from fireside.core.prompt_input import ChatInput
from fireside.core.prompt_query import PromptMeasure, PromptMeasureRequest
from fireside.core.status import ready_state
from fireside.services.collections.collection_service import CollectionService
from fireside.services.request_builder import Resolved, perceived, reserved_reply_tokens
from fireside.services.service_context import ServiceContext
from fireside.settings.conversions import full_context, load_options, overflow
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


# Plan how the next request of a branch fills the context, and which messages the model no longer sees


class ContextPlanner:
    """All methods on the engine's loop."""

    def __init__(self, context: ServiceContext, *, requests: RequestPreparation) -> None:
        self._store = context.store
        self._engine = context.engine
        self._models = context.models
        self._preferences = context.preferences
        self._requests = requests

    @for_window
    async def plan(
        self,
        conversation_id: ConversationId | None,
        *,
        draft: str,
        attached: Sequence[AttachedPart] = (),
        passages: PassagesPart | None = None,
        model_id: ModelId,
        opening: Mapping[str, SettingValue] = NO_SETTINGS,
    ) -> ContextPlan:
        """Return how ``draft`` would fill the context if it were sent now.

        ``passages`` are those found for it in the chat's documents; ``opening`` are the settings that a new
        chat gets with its first message. The counts are the model's own and equal what the runner then
        reports, or estimates while the model is not loaded. Raises ``ModelNotFound``, ``RecordNotFound``, or
        a ``RequestError`` for invalid text.
        """
        spec = self._models.answering_spec(model_id)
        resolved = await self._preferences.resolved(
            model_id=model_id, conversation_id=conversation_id, run=opening
        )
        policy = full_context(resolved)
        path: tuple[StoredMessage, ...] = ()
        if conversation_id is not None:
            path = (await self._store.conversations.open(conversation_id)).messages
        summary = await self._store.summaries.for_branch(path[-1].id) if path else None
        branch = branch_of(path, summary=summary, policy=policy)
        collections = await self._requests.collections(resolved, conversation_id)
        toolbox = await self._requests.toolbox(
            spec, resolved, path, options=load_options(resolved), collections=collections
        )
        if not collections or (toolbox is not None and toolbox.has_documents):
            passages = None  # no documents, or the model searches them itself
        question = _question(draft, attached=attached, passages=passages, senses=spec.senses)
        facts = await self._requests.facts(spec, resolved, path)
        prompt = branch_input(
            resolved, branch, question=question, senses=spec.senses, toolbox=toolbox, facts=facts
        )
        measure, is_exact = await self._measured(spec, resolved, prompt=prompt, branch=branch)
        measure = by_message(measure, (stored.message for stored in branch.messages))
        ready = ready_state(self._engine.statuses(), spec.id) if is_exact else None
        if ready is None:
            n_ctx = likely_context(spec, branch, options=load_options(resolved))
        else:
            n_ctx = ready.loaded.n_ctx
        return _plan(
            measure,
            branch,
            prompt=prompt,
            has_draft=question is not None,
            n_ctx=n_ctx,
            n_reserve=min(reserved_reply_tokens(resolved), n_ctx // 4),
            policy=policy,
            is_exact=is_exact,
        )

    async def _measured(
        self, spec: ModelSpec, resolved: Resolved, *, prompt: ChatInput, branch: Branch
    ) -> tuple[PromptMeasure, bool]:
        """Return the measure, and whether it was counted."""
        request = PromptMeasureRequest(
            prompt=prompt,
            overflow=overflow(resolved),
            n_reserve=reserved_reply_tokens(resolved),
            drop_to=STEP_SHARE,
        )
        try:
            measure = await self._engine.ask(spec.id, request)
        except (ContextLengthExceeded, PromptTooLarge):
            estimate = estimate_measure(prompt, branch, model_id=spec.id)
            return msgspec.structs.replace(estimate, n_dropped=0, fits=False), False
        if measure is not None:
            return measure, True
        return estimate_measure(prompt, branch, model_id=spec.id), False


def _question(
    draft: str, *, attached: Sequence[AttachedPart], passages: PassagesPart | None, senses: Senses
) -> ChatMessage | None:
    parts: tuple[MessagePart, ...] = (TextPart(text=draft),) if draft.strip() else ()
    if parts and passages is not None:
        parts = (passages, *parts)
    if not parts and not attached:
        return None
    question = ChatMessage(role=Role.USER, parts=(*attached, *parts))
    return perceived((question,), senses)[0]


def _plan(
    measure: PromptMeasure,
    branch: Branch,
    *,
    prompt: ChatInput,
    has_draft: bool,
    n_ctx: int,
    n_reserve: int,
    policy: FullContext,
    is_exact: bool,
) -> ContextPlan:
    n_messages, n_dropped = len(branch.messages), min(measure.n_dropped, len(branch.messages))
    costs = measure.messages[:n_messages]
    sent = costs[n_dropped:]
    draft = measure.messages[n_messages] if has_draft and len(measure.messages) > n_messages else None
    n_attached = sum(each.n_attached for each in sent) + (draft.n_attached if draft else 0)
    n_history = sum(each.n_tokens - each.n_attached for each in sent)
    n_history = max(0, n_history - measure.n_cut)
    n_draft = draft.n_tokens - draft.n_attached if draft else 0
    n_rest = max(0, measure.n_prompt - n_history - n_attached - n_draft)
    n_summary = min(n_rest, _summary_tokens(measure, branch, prompt))
    n_unseen = len(branch.covered) + n_dropped
    return ContextPlan(
        n_ctx=n_ctx,
        n_reserve=n_reserve,
        n_prompt=measure.n_prompt,
        n_system=n_rest - n_summary,
        n_summary=n_summary,
        n_history=n_history,
        n_attached=n_attached,
        n_draft=n_draft,
        messages=tuple(
            MessageCost(id=stored.id, n_tokens=each.n_tokens, n_attached=each.n_attached)
            for stored, each in zip(branch.messages, costs, strict=False)
        ),
        seen_from=branch.messages[n_dropped].id if n_unseen and n_dropped < n_messages else None,
        n_unseen=n_unseen,
        policy=policy,
        summary=branch.summary,
        will_summarise=policy is FullContext.COMPACT and n_dropped > 0,
        fits=measure.fits,
        is_exact=is_exact,
    )


def _summary_tokens(measure: PromptMeasure, branch: Branch, prompt: ChatInput) -> int:
    """Return the tokens of the summary: its share of the system prompt by length."""
    if not branch.summary_text or not prompt.messages:
        return 0
    n_characters = len(prompt.messages[0].text)
    return round(measure.n_system * len(branch.summary_text) / n_characters) if n_characters else 0
