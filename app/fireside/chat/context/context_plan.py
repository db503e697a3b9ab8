"""Say how the next request of a branch fills the context, and where the model's memory ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from fireside.chat.context.context_estimate import estimated, likely_context
from fireside.chat.context.prepared_request import (
    Branch,
    RequestPreparation,
    branch_input,
    branch_of,
    by_message,
)
from fireside.core.chat import StoredMessage
from fireside.core.context import (
    STEP_SHARE,
    ContextPlan,
    FullContext,
    MessageCost,
    PromptMeasure,
    PromptMeasureRequest,
)
from fireside.core.errors import ContextLengthExceeded, PromptTooLarge
from fireside.core.ids import ConversationId, ModelId
from fireside.core.message import AttachedPart, ChatMessage, MessagePart, PassagesPart, Role, TextPart
from fireside.core.model import ModelSpec
from fireside.core.options import SettingValue
from fireside.core.prompt_input import ChatInput
from fireside.core.status import ModelStatus, Ready
from fireside.services.library.model_service import ModelService
from fireside.services.preferences import Preferences
from fireside.services.request_builder import Resolved, reserved_reply_tokens, without_pictures
from fireside.settings.conversions import full_context, load_options, overflow
from fireside.storage.store import Store


class PromptMeasurer(Protocol):
    """What it needs of the engine."""

    async def measure_prompt(
        self, model_id: ModelId, question: PromptMeasureRequest
    ) -> PromptMeasure | None: ...

    def statuses(self) -> tuple[ModelStatus, ...]: ...


class ContextPlanner:
    """All methods on the engine's loop."""

    def __init__(
        self,
        *,
        store: Store,
        engine: PromptMeasurer,
        models: ModelService,
        preferences: Preferences,
        preparation: RequestPreparation,
    ) -> None:
        self._store = store
        self._engine = engine
        self._models = models
        self._preferences = preferences
        self._preparation = preparation

    async def plan(
        self,
        conversation_id: ConversationId | None,
        *,
        draft: str,
        attached: Sequence[AttachedPart],
        passages: PassagesPart | None,
        model_id: ModelId,
        opening: Mapping[str, SettingValue],
    ) -> ContextPlan:
        """Return the plan of the request that would send ``draft`` now, with ``passages`` if documents are
        looked through for it; ``opening`` are the settings that a chat without a message gets with its first.

        Counted by the model, and equal to what the runner then reports, or estimated while it is not loaded.
        Raises ``ModelNotFound``, ``RecordNotFound``, or a ``RequestError`` for a text that no model takes.
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
        collections = await self._preparation.collections(resolved, conversation_id)
        toolbox = await self._preparation.toolbox(
            spec, resolved, path, options=load_options(resolved), collections=collections
        )
        tools = () if toolbox is None else toolbox.definitions
        looks_itself = toolbox is not None and toolbox.has_documents
        found = passages if collections and not looks_itself else None
        question = _question(draft, attached=attached, passages=found, sees=spec.sees_images)
        facts = await self._preparation.facts(spec, resolved, path)
        prompt = branch_input(
            resolved, branch, question=question, sees=spec.sees_images, tools=tools, facts=facts
        )
        measure, is_exact = await self._measured(spec, resolved, prompt=prompt, branch=branch)
        measure = by_message(measure, (stored.message for stored in branch.said))
        n_ctx = self._n_ctx(spec.id) if is_exact else None
        if n_ctx is None:
            n_ctx = likely_context(spec, branch, wanted=load_options(resolved))
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
        asked = PromptMeasureRequest(
            prompt=prompt,
            overflow=overflow(resolved),
            n_reserve=reserved_reply_tokens(resolved),
            drop_to=STEP_SHARE,
        )
        try:
            measure = await self._engine.measure_prompt(spec.id, asked)
        except (ContextLengthExceeded, PromptTooLarge):
            guess = estimated(prompt, branch, model_id=spec.id)
            return _not_fitting(guess), False
        if measure is not None:
            return measure, True
        return estimated(prompt, branch, model_id=spec.id), False

    def _n_ctx(self, model_id: ModelId) -> int | None:
        for status in self._engine.statuses():
            if status.model_id == model_id and isinstance(status.state, Ready):
                return status.state.loaded.n_ctx
        return None


def _question(
    draft: str, *, attached: Sequence[AttachedPart], passages: PassagesPart | None, sees: bool
) -> ChatMessage | None:
    words: tuple[MessagePart, ...] = (TextPart(text=draft),) if draft.strip() else ()
    if words and passages is not None:
        words = (passages, *words)
    if not words and not attached:
        return None
    question = ChatMessage(role=Role.USER, parts=(*attached, *words))
    return question if sees else without_pictures((question,))[0]


def _not_fitting(measure: PromptMeasure) -> PromptMeasure:
    return PromptMeasure(
        n_prompt=measure.n_prompt, n_system=measure.n_system, messages=measure.messages, fits=False
    )


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
    n_said, n_dropped = len(branch.said), min(measure.n_dropped, len(branch.said))
    counted = measure.messages[:n_said]
    kept = counted[n_dropped:]
    draft = measure.messages[n_said] if has_draft and len(measure.messages) > n_said else None
    n_attached = sum(each.n_attached for each in kept) + (draft.n_attached if draft else 0)
    n_history = sum(each.n_tokens - each.n_attached for each in kept)
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
            for stored, each in zip(branch.said, counted, strict=False)
        ),
        seen_from=branch.said[n_dropped].id if n_unseen and n_dropped < n_said else None,
        n_unseen=n_unseen,
        policy=policy,
        summary=branch.summary,
        will_summarise=policy is FullContext.COMPACT and n_dropped > 0,
        fits=measure.fits,
        is_exact=is_exact,
    )


def _summary_tokens(measure: PromptMeasure, branch: Branch, prompt: ChatInput) -> int:
    """Return the summary's part of the system prompt, by its length."""
    if not branch.words or not prompt.messages:
        return 0
    n_whole = len(prompt.messages[0].text)
    return round(measure.n_system * len(branch.words) / n_whole) if n_whole else 0
