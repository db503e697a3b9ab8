"""Before an answer: where the conversation no longer fits and is to be compacted, have a summary written."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from msgspec.structs import replace

from fireside.chat.context.prepared_request import PreparedRequest, RequestPreparation, by_message
from fireside.chat.context.summary_writer import Report, Summariser, SummaryInput
from fireside.core.chat import StoredMessage
from fireside.core.context import ContextSummary, FullContext, PromptMeasure, PromptMeasureRequest
from fireside.core.context_length import effective_n_ctx
from fireside.core.errors import ContextLengthExceeded, FiresideError, PromptTooLarge, SummaryFailed
from fireside.core.events import AnswerProgressed, SummaryChanged
from fireside.core.generation import Loading, Summarising
from fireside.core.i18n import tr_noop
from fireside.core.ids import MessageId
from fireside.core.message import ChatMessage, ImagePart, Role, texts_of, to_model_messages
from fireside.core.options import SettingValue
from fireside.core.prompt_input import ChatInput
from fireside.engine.request import GenerationRequest
from fireside.services.service_context import ServiceContext

log = logging.getLogger(__name__)


class Compaction:
    """All methods on the engine's loop. A cancelled caller ends what runs; nothing is lost by it."""

    def __init__(self, context: ServiceContext, *, asking: RequestPreparation) -> None:
        self._store = context.store
        self._engine = context.engine
        self._asking = asking
        self._summariser = Summariser(engine=context.engine, next_id=context.next_id)
        self._emit = context.emit

    async def make_room(
        self, asked: PreparedRequest, *, answer: StoredMessage, run: Mapping[str, SettingValue]
    ) -> PreparedRequest:
        """Return ``asked``, or where that does not fit the request with a summary of its oldest turns.

        Where none can be written, the oldest turns are left out as they would be anyway, and ``problem`` of
        what is returned says why. Never raises for that.
        """
        if asked.policy is not FullContext.COMPACT or certainly_fits(asked.request):
            return asked
        if asked.request.spec.remote is not None:  # summaries are written on this computer alone
            return asked
        try:
            through = await self._compact(asked, answer=answer)
        except FiresideError as exc:
            log.info("no summary was written: %s", exc)
            return replace(asked, problem=exc.info().sentence)
        if through is None:
            return asked
        again = await self._asking.ask(asked.request.spec, answer=answer, run=run)
        task = replace(again.request.task, replay=asked.request.task.replay)
        request = replace(again.request, request_id=asked.request.request_id, task=task)
        return replace(again, request=request)

    async def write_again(
        self, summary: ContextSummary, *, like: GenerationRequest, report: Report
    ) -> ContextSummary:
        """Write a summary of the same messages anew. Raises ``SummaryFailed`` or why it cannot be."""
        loaded = await self._engine.load(like.spec, like.options, keep_alive_s=like.keep_alive_s)
        path = await self._store.messages.path_to(summary.through)
        messages = tuple(stored.message for stored in path if stored.message.text.strip())
        told = tuple(one for message in messages for one in to_model_messages(message))
        measure = by_message(await self._measured(like, ChatInput(messages=told)), messages)
        wanted = SummaryInput(messages=messages, costs=measure.messages, n_ctx=loaded.n_ctx)
        text = await self._summariser.write(wanted, like=like, report=report)
        return await self._store.summaries.put(
            summary.through, text=text, n_messages=summary.n_messages, model_name=like.spec.name
        )

    async def _compact(self, asked: PreparedRequest, *, answer: StoredMessage) -> MessageId | None:
        """Write and store a summary of what does not fit; returns the last message that it stands for."""
        request, branch = asked.request, asked.branch
        self._emit(
            AnswerProgressed(
                conversation_id=answer.conversation_id,
                message_id=answer.id,
                progress=Loading(fraction=0.0),
            )
        )
        loaded = await self._engine.load(request.spec, request.options, keep_alive_s=request.keep_alive_s)
        if not isinstance(request.task.prompt, ChatInput):
            return None
        measure = await self._measured(request, request.task.prompt)
        measure = by_message(measure, (stored.message for stored in branch.said))
        gone = branch.said[: measure.n_dropped]
        if not gone:
            return None
        n_messages = asked.n_summarised + len(gone)

        def report(fraction: float) -> None:
            self._emit(
                AnswerProgressed(
                    conversation_id=answer.conversation_id,
                    message_id=answer.id,
                    progress=Summarising(n_messages=n_messages, fraction=fraction),
                )
            )

        report(0.0)
        wanted = SummaryInput(
            messages=tuple(stored.message for stored in gone),
            costs=measure.messages[: len(gone)],
            before=branch.words,
            n_ctx=loaded.n_ctx,
        )
        text = await self._summariser.write(wanted, like=request, report=report)
        through = gone[-1].id
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
            measure = await self._engine.measure_prompt(request.spec.id, question)
        except (ContextLengthExceeded, PromptTooLarge) as exc:
            raise SummaryFailed(reason=tr_noop("the last message alone is too long.")) from exc
        if measure is None:
            raise SummaryFailed(reason=tr_noop("the model is not loaded."))
        return measure


def certainly_fits(request: GenerationRequest) -> bool:
    """Tell whether a prompt fits however its words are cut into tokens; none has more tokens than bytes."""
    prompt = request.task.prompt
    if not isinstance(prompt, ChatInput):
        return True
    n_ctx = effective_n_ctx(request.options, n_ctx_train=request.spec.n_ctx_train)
    n_most = sum(map(_most_tokens, prompt.messages))
    return n_most < n_ctx // 2


def _most_tokens(message: ChatMessage) -> int:
    if any(isinstance(part, ImagePart) for part in message.parts):
        return 1 << 20
    n_bytes = sum(
        len(text.encode("utf-8", "surrogatepass")) for part in message.parts for text in texts_of(part)
    )
    return n_bytes + (256 if message.role is Role.SYSTEM else 32)
