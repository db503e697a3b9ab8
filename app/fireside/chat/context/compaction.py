"""Before an answer: summarise the oldest turns of a conversation that no longer fits the context."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from msgspec.structs import replace

from fireside.chat.context.prepared_request import PreparedRequest, RequestPreparation, by_message
from fireside.chat.context.summary_writer import Report, Summariser, SummaryInput
from fireside.core.chat import StoredMessage
from fireside.core.context import ContextSummary, FullContext
from fireside.core.errors import ContextLengthExceeded, FiresideError, PromptTooLarge, RequestError
from fireside.core.events import AnswerProgressed, SummaryChanged
from fireside.core.generation import Loading, Summarising
from fireside.core.i18n import tr_noop
from fireside.core.ids import MessageId
from fireside.core.load_sizes import effective_n_ctx
from fireside.core.message import ChatMessage, MediaPart, Role, texts_of, to_model_messages
from fireside.core.options import SettingValue
from fireside.core.prompt_input import ChatInput
from fireside.core.prompt_query import PromptMeasure, PromptMeasureRequest
from fireside.engine.request import GenerationRequest, LoadRequest
from fireside.services.request_builder import perceived
from fireside.services.service_context import ServiceContext

log = logging.getLogger(__name__)


class Compaction:
    """All methods on the engine's loop. Cancelling the caller cancels the model's work; nothing is lost."""

    def __init__(self, context: ServiceContext, *, requests: RequestPreparation) -> None:
        self._store = context.store
        self._engine = context.engine
        self._requests = requests
        self._summariser = Summariser(engine=context.engine, next_id=context.next_id)
        self._emit = context.emit

    async def compact(
        self, prepared: PreparedRequest, *, answer: StoredMessage, run: Mapping[str, SettingValue]
    ) -> PreparedRequest:
        """Return the request, or where it does not fit one with a summary of its oldest turns.

        If no summary can be written, the oldest turns are left out instead, and ``problem`` says why. Never
        raises for that.
        """
        if prepared.policy is not FullContext.COMPACT or certainly_fits(prepared.request):
            return prepared
        if prepared.request.spec.remote is not None:  # summaries are only written on this computer
            return prepared
        try:
            through = await self._write_summary(prepared, answer=answer)
        except FiresideError as exc:
            log.info("no summary was written: %s", exc)
            return replace(prepared, problem=exc.info().sentence)
        if through is None:
            return prepared
        return await self._requests.rebuild(prepared, answer=answer, run=run)

    async def rewrite(
        self, summary: ContextSummary, *, base: GenerationRequest, report: Report
    ) -> ContextSummary:
        """Write and store a summary of the same messages again. Raises ``FiresideError`` if that fails."""
        loaded = await self._engine.load(
            LoadRequest(spec=base.spec, options=base.options, keep_alive_s=base.keep_alive_s)
        )
        path = await self._store.messages.path_to(summary.through)
        messages = tuple(stored.message for stored in path if stored.message.text.strip())
        messages = perceived(messages, base.spec.senses)
        model_messages = tuple(each for message in messages for each in to_model_messages(message))
        measure = by_message(await self._measured(base, ChatInput(messages=model_messages)), messages)
        summary_input = SummaryInput(messages=messages, costs=measure.messages, n_ctx=loaded.n_ctx)
        text = await self._summariser.write(summary_input, base=base, report=report)
        return await self._store.summaries.put(
            summary.through, text=text, n_messages=summary.n_messages, model_name=base.spec.name
        )

    async def _write_summary(self, prepared: PreparedRequest, *, answer: StoredMessage) -> MessageId | None:
        """Write and store a summary of what does not fit; return the last message that it covers, if any."""
        request, branch = prepared.request, prepared.branch
        self._emit(
            AnswerProgressed(
                conversation_id=answer.conversation_id,
                message_id=answer.id,
                progress=Loading(fraction=0.0),
            )
        )
        loaded = await self._engine.load(
            LoadRequest(spec=request.spec, options=request.options, keep_alive_s=request.keep_alive_s)
        )
        if not isinstance(request.task.prompt, ChatInput):
            return None
        measure = await self._measured(request, request.task.prompt)
        measure = by_message(measure, (stored.message for stored in branch.messages))
        dropped = branch.messages[: measure.n_dropped]
        if not dropped:
            return None
        n_messages = prepared.n_summarised + len(dropped)

        def report(fraction: float) -> None:
            self._emit(
                AnswerProgressed(
                    conversation_id=answer.conversation_id,
                    message_id=answer.id,
                    progress=Summarising(n_messages=n_messages, fraction=fraction),
                )
            )

        report(0.0)
        summary_input = SummaryInput(
            messages=tuple(stored.message for stored in dropped),
            costs=measure.messages[: len(dropped)],
            before=branch.summary_text,
            n_ctx=loaded.n_ctx,
        )
        text = await self._summariser.write(summary_input, base=request, report=report)
        through = dropped[-1].id
        await self._store.summaries.put(
            through, text=text, n_messages=n_messages, model_name=request.spec.name
        )
        self._emit(SummaryChanged(conversation_id=answer.conversation_id))
        return through

    async def _measured(self, request: GenerationRequest, prompt: ChatInput) -> PromptMeasure:
        task = request.task
        question = PromptMeasureRequest(
            prompt=prompt,
            overflow=task.overflow,
            n_reserve=task.sampling.max_tokens or task.n_reserve,
            drop_to=task.drop_to,
        )
        try:
            measure = await self._engine.ask(request.spec.id, question)
        except (ContextLengthExceeded, PromptTooLarge) as exc:
            raise RequestError.of(
                "summary_failed", reason=tr_noop("the last message alone is too long.")
            ) from exc
        if measure is None:
            raise RequestError.of("summary_failed", reason=tr_noop("the model is not loaded."))
        return measure


def certainly_fits(request: GenerationRequest) -> bool:
    """Return whether a prompt fits however it is tokenised: text has at most one token a byte."""
    prompt = request.task.prompt
    if not isinstance(prompt, ChatInput):
        return True
    n_ctx = effective_n_ctx(request.options, n_ctx_train=request.spec.n_ctx_train)
    max_tokens = sum(map(_max_tokens, prompt.messages))
    return max_tokens < n_ctx // 2


def _max_tokens(message: ChatMessage) -> int:
    if any(isinstance(part, MediaPart) for part in message.parts):
        return 1 << 20
    n_bytes = sum(
        len(text.encode("utf-8", "surrogatepass")) for part in message.parts for text in texts_of(part)
    )
    return n_bytes + (256 if message.role is Role.SYSTEM else 32)
