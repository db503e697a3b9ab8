"""One generation of an answer, from its request to the saved message."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Final

import msgspec

from fireside.chat.context.prepared_request import PreparedRequest
from fireside.chat.stream_writer import MessageAccumulator, NextFrame, StreamWriter, joined
from fireside.chat.token_scoring import pack_ids, pack_scores, scored
from fireside.chat.tools.tool_use import ToolUse
from fireside.chat.user_message import initial_record
from fireside.core.chat import GenerationRecord, MessageState, StoredMessage
from fireside.core.errors import (
    ErrorInfo,
    FiresideError,
    InvalidParameter,
    NextStep,
    StorageError,
    localized,
)
from fireside.core.events import (
    AnswerProgressed,
    MessageReplaced,
    StorageFailed,
    StorageRecovered,
)
from fireside.core.generation import (
    CallDelta,
    Embedded,
    Failed,
    Finished,
    FinishReason,
    OutputKind,
    Progress,
    TextDelta,
)
from fireside.core.i18n import tr
from fireside.core.ids import MessageId
from fireside.core.inspection import ScoredToken
from fireside.core.message import ChatMessage, Role, TextPart, ToolCallPart, ToolResultPart
from fireside.core.model import ModelSpec
from fireside.core.prompt_input import ChatInput, ReasoningEffort, ToolChoice, ToolMode
from fireside.core.task import LarkConstraint
from fireside.core.tools import CallsEnded
from fireside.engine.request import GenerationRequest
from fireside.services.service_context import ServiceContext
from fireside.settings.definitions import BY_KEY
from fireside.storage.store import RunParameters

if TYPE_CHECKING:
    from fireside.chat.tools.tool_loop import ToolLoop
    from fireside.chat.tools.toolbox import Toolbox

Prepare = Callable[[StoredMessage], Coroutine[object, object, PreparedRequest]]
"""Returns the prepared request for an answer in its current state."""


class Preparation:
    """The work before one request, as a task.

    ``cancel`` may be called before, during or after it and is permanent.
    """

    def __init__(self, work: Prepare) -> None:
        self._work = work
        self._task: asyncio.Task[PreparedRequest] | None = None
        self.is_cancelled = False

    def cancel(self) -> None:
        """Cancel the work for good; ``run`` then returns ``None``."""
        self.is_cancelled = True
        if self._task is not None:
            self._task.cancel()

    async def run(self, answer: StoredMessage) -> PreparedRequest | None:
        """Return the prepared request, or ``None`` after ``cancel``. Raises what the work raises."""
        if self.is_cancelled:
            return None
        self._task = asyncio.create_task(self._work(answer), name="prepare an answer")
        try:
            await asyncio.wait({self._task})
        finally:
            self._task.cancel()
        return None if self._task.cancelled() or self.is_cancelled else self._task.result()


_GROUPS: Final = ("sampling.", "load.", "answer.")
log = logging.getLogger(__name__)

PROSE_ONLY: Final = LarkConstraint(
    grammar=r"""start: TEXT
TEXT: /[\p{L}\p{N}](?s:.)*/ & ~/(?s:.)*\{\s*"name"(?s:.)*/
"""
)
"""Constrains an answer to text: it begins with a letter or digit and contains no tool call as JSON."""
RETRY_SAVE_S = 2.0
"""Seconds between attempts to save a finished answer while the database cannot be written."""


class AnswerGeneration:
    """Run one generation and write its answer into the message that was stored for it.

    Text that the message already contains is continued. However the generation ends, the message is saved
    as complete or failed with all text that arrived. ``MessageReplaced`` is emitted when
    tool calls report results, and once at the end.
    """

    def __init__(
        self,
        *,
        context: ServiceContext,
        clock: Callable[[], float],
        next_frame: NextFrame,
        spec: ModelSpec,
        answer: StoredMessage,
        prepare: Prepare,
        tools: ToolUse,
    ) -> None:
        """``prepare`` frees space in the context and builds the request for ``spec``: before the answer, and
        again after each step in which the model called tools."""
        self._preparation = Preparation(prepare)
        self._tools = tools
        self._clock = clock
        self._next_frame = next_frame
        self._store = context.store
        self._router = context.answer_router
        self._emit = context.emit
        self._spec = spec
        self._request: GenerationRequest | None = None
        """The current request; ``None`` until the first one is prepared."""
        self._answer = answer
        self._parameters: RunParameters | None = None
        self._final: StoredMessage | None = None
        self._scores: list[ScoredToken] = []
        self._tool_calls: tuple[ToolCallPart, ...] = ()
        self._toolbox: Toolbox | None = None
        self._tool_loop: ToolLoop | None = None
        self._begin_writing()

    def _begin_writing(self) -> None:
        """Start a new accumulator and writer; their output is appended to the answer so far."""
        self._output = MessageAccumulator(clock=self._clock)
        self._writer = StreamWriter(
            self._output,
            store=self._store,
            emit=self._emit,
            clock=self._clock,
            next_frame=self._next_frame,
            conversation_id=self._answer.conversation_id,
            message_id=self._answer.id,
        )
        self._has_begun = False
        """Whether answer text has arrived since the writer was started."""

    @property
    def message_id(self) -> MessageId:
        """The id of the answer."""
        return self._answer.id

    @property
    def reported(self) -> StoredMessage:
        """The answer as the events so far have reported it: with the text shown, or in its final state."""
        if self._final is not None:
            return self._final
        parts = joined(self._answer.message.parts, self._output.parts(last=self._writer.n_shown))
        message = ChatMessage(role=Role.ASSISTANT, parts=parts or (TextPart(text=""),))
        return msgspec.structs.replace(self._answer, message=message)

    @property
    def thinking_started_at(self) -> float | None:
        """When the first reasoning arrived, in seconds of ``clock``; ``None`` while there is none."""
        return self._output.thinking_started_at

    def cancel(self) -> None:
        """Cancel preparation, tool calls and request; ``run`` returns once they have ended."""
        self._preparation.cancel()
        if self._tool_loop is not None:
            self._tool_loop.cancel()
        if self._request is not None:
            self._router.cancel(self._request.request_id)

    async def run(self) -> bool:
        """Generate, stream and save. Returns whether the answer ended without an error or a cancellation."""
        record, continues = self._initial_record(), True
        state, error = MessageState.COMPLETE, None
        try:
            while continues:
                record, request = await self._next_request(record)
                if request is not None:
                    record, error = await self._stream_answer(request, record)
                if error is not None and error.code == "remote_tools_refused" and record.calls_ended is None:
                    record = msgspec.structs.replace(record, calls_ended=CallsEnded.REFUSED)
                    continue
                state = MessageState.COMPLETE if error is None else MessageState.FAILED
                record, continues = await self._run_tool_calls(record)
        except FiresideError as exc:
            state, error = MessageState.FAILED, with_setting_label(exc.info())
        except Exception as exc:
            log.exception("a generation ended with a bug")
            state, error = MessageState.FAILED, _internal_error(exc)
        try:
            await self._writer.finish()
        except Exception as exc:
            # Text that could not be streamed is part of the message that is saved next.
            log.exception("the text of an answer could not be streamed")
            state, error = MessageState.FAILED, error or _internal_error(exc)
        await self._save(record, state=state, error=error)
        return state is MessageState.COMPLETE and record.finish_reason is not FinishReason.CANCELLED

    async def _stream_answer(
        self, request: GenerationRequest, record: GenerationRecord
    ) -> tuple[GenerationRecord, ErrorInfo | None]:
        """Run one request; return the updated record, and the error if it failed."""
        error = None
        async for event in self._router.generate(request):
            match event:
                case Finished():
                    record = _with_result(record, event)
                    self._tool_calls = event.tool_calls
                    self._record_tokens(event)
                case Failed():
                    error = with_setting_label(event.error)
                case Embedded():
                    log.warning("a vector came in an answer")
                case TextDelta(ends_reasoning=True):
                    record = await self._fold_reasoning(event, record)
                case _:
                    self._report(event)
        return record, error

    async def _run_tool_calls(self, record: GenerationRecord) -> tuple[GenerationRecord, bool]:
        """Run the model's tool calls, if any; return the record, and whether another request follows.

        Where ``calls_ended`` of the record is set, that request offers no tools.
        """
        calls, box = self._tool_calls, self._toolbox
        if record.calls_ended is not None:
            self._tool_calls = ()  # an engine elsewhere may call what it was not offered
        if box is None or record.calls_ended is not None:
            return record, False
        if not calls:
            is_silent = not self._output.parts() and self._answer.message.ends_with_result
            can_retry = is_silent and record.finish_reason is FinishReason.STOP
            ended = CallsEnded.SILENT if can_retry else None
            return msgspec.structs.replace(record, calls_ended=ended), can_retry
        self._tool_calls = ()
        await self._writer.finish()
        record = msgspec.structs.replace(record, thought_s=_total(record.thought_s, self._output.thought_s))
        parts = joined(self._answer.message.parts, self._output.parts(tool_calls=calls))
        raw = await self._raw_output()
        if self._tool_loop is None:
            self._tool_loop = self._tools.loop(n_steps=box.options.n_steps)
        if self._preparation.is_cancelled:
            self._tool_loop.cancel()

        async def report(results: tuple[ToolResultPart, ...]) -> None:
            message = ChatMessage(role=Role.ASSISTANT, parts=(*parts, *results))
            self._answer = msgspec.structs.replace(self._answer, message=message, generation=record)
            await self._store_step(raw)

        message = ChatMessage(role=Role.ASSISTANT, parts=parts)
        self._answer = msgspec.structs.replace(self._answer, message=message)
        self._begin_writing()
        ended = await self._tool_loop.run(calls, box=box, message_id=self._answer.id, report=report)
        return msgspec.structs.replace(record, calls_ended=ended), True

    async def _fold_reasoning(self, event: TextDelta, record: GenerationRecord) -> GenerationRecord:
        """Take the output so far for reasoning, and show and store it so; return the updated record."""
        self._output.add(msgspec.structs.replace(event, kind=OutputKind.MARKUP))
        await self._writer.finish()
        self._output.end_reasoning()
        record = msgspec.structs.replace(record, thought_s=_total(record.thought_s, self._output.thought_s))
        raw = await self._raw_output()
        message = ChatMessage(
            role=Role.ASSISTANT, parts=joined(self._answer.message.parts, self._output.parts())
        )
        self._answer = msgspec.structs.replace(self._answer, message=message, generation=record)
        self._begin_writing()
        await self._store_step(raw)
        return record

    async def _store_step(self, raw: str | None) -> None:
        """Store the answer as it stands between two requests or within one, and show it."""
        try:
            await self._store.messages.finish(self._answer, parameters=self._parameters, raw=raw)
        except StorageError as exc:
            self._emit(StorageFailed(error=exc.info()))
        self._emit(MessageReplaced(message=self._answer))

    async def _next_request(
        self, record: GenerationRecord
    ) -> tuple[GenerationRecord, GenerationRequest | None]:
        """Prepare the context; return the record with its result, and the request unless cancelled."""
        prepared = await self._preparation.run(self._answer)
        if prepared is None:
            return msgspec.structs.replace(record, finish_reason=FinishReason.CANCELLED), None
        self._toolbox = prepared.toolbox
        self._request = prepared.request
        if record.calls_ended is not None:
            self._request = without_calls(prepared.request, ended=record.calls_ended)
        self._parameters = _parameters(prepared.request)
        record = msgspec.structs.replace(
            record, n_summarised=prepared.n_summarised, summary_problem=prepared.problem
        )
        return record, self._request

    def _record_tokens(self, event: Finished) -> None:
        """Store the tokens with the answer, where they cover the whole answer."""
        if self._parameters is None or self._called_tools(event):
            return
        if self._answer.message.text or self._answer.message.reasoning:
            return
        self._parameters = msgspec.structs.replace(
            self._parameters,
            tokens=pack_ids(event.tokens),
            probabilities=pack_scores(tuple(self._scores)),
        )

    def _called_tools(self, event: Finished) -> bool:
        return bool(event.written_calls or self._answer.message.tool_calls)

    def _initial_record(self) -> GenerationRecord:
        """Return the record before generation; for an answer that is continued, with its figures so far."""
        record = initial_record(self._spec)
        before = self._answer.generation
        if before is None or not self._answer.message.parts:
            return record
        return msgspec.structs.replace(
            record,
            usage=before.usage,
            timings=before.timings,
            thought_s=before.thought_s,
            edited=before.edited,
        )

    def _report(self, event: Progress | TextDelta | CallDelta) -> None:
        if isinstance(event, TextDelta):
            self._output.add(self._separated(event))
            self._scores += scored(event.logprobs, kind=event.kind)
            self._writer.write()
        elif not isinstance(event, CallDelta):
            answer = self._answer
            self._emit(
                AnswerProgressed(conversation_id=answer.conversation_id, message_id=answer.id, progress=event)
            )

    def _separated(self, event: TextDelta) -> TextDelta:
        """Return output, after an empty line where it continues the answer after tool calls."""
        if self._has_begun or event.kind is not OutputKind.ANSWER or not event.text:
            return event
        self._has_begun = True
        if not (self._answer.message.text and self._answer.message.ends_with_result):
            return event
        return msgspec.structs.replace(event, text="\n\n" + event.text.lstrip("\n"))

    async def _save(self, record: GenerationRecord, *, state: MessageState, error: ErrorInfo | None) -> None:
        """Store the whole answer, retrying while the error is retryable, and report its final state."""
        parts = joined(self._answer.message.parts, self._output.parts(tool_calls=self._tool_calls))
        message = ChatMessage(role=Role.ASSISTANT, parts=parts or (TextPart(text=""),))
        record = msgspec.structs.replace(record, thought_s=_total(record.thought_s, self._output.thought_s))
        final = msgspec.structs.replace(
            self._answer, message=message, state=state, generation=record, error=error
        )
        error_shown = self._writer.failed
        saved = await self._try_to_save(final, error_shown=error_shown)
        self._final = final
        self._emit(MessageReplaced(message=final))
        if saved and error_shown:
            self._emit(StorageRecovered())
        while not saved:
            await asyncio.sleep(RETRY_SAVE_S)
            saved = await self._try_to_save(final, error_shown=True)
            if saved:
                self._emit(StorageRecovered())

    async def _raw_output(self) -> str | None:
        """Return the model's verbatim output, or ``None`` where it equals the text of the answer."""
        current = self._output.raw
        if not self._answer.message.parts:
            return current
        stored = await self._store.messages.raw_output(self._answer.id)
        if stored is None and current is None:
            return None
        text = current if current is not None else self._output.text
        return (self._answer.message.text if stored is None else stored) + text

    async def _try_to_save(self, final: StoredMessage, *, error_shown: bool) -> bool:
        """Return whether to stop retrying: the answer is saved, or the error is not retryable."""
        try:
            await self._store.messages.finish(
                final, parameters=self._parameters, raw=await self._raw_output()
            )
        except StorageError as exc:
            if not error_shown:
                self._emit(StorageFailed(error=exc.info()))
            return not exc.retryable
        return True


def _parameters(request: GenerationRequest) -> RunParameters:
    task = request.task
    return RunParameters(
        load=request.options,
        sampling=task.sampling,
        reasoning=task.prompt.reasoning if isinstance(task.prompt, ChatInput) else ReasoningEffort.DEFAULT,
        thinking_budget=task.thinking_budget,
        constraint=task.constraint,
        overflow=task.overflow,
        when_full=task.when_full,
        system_prompt=_system_prompt(task.prompt) if isinstance(task.prompt, ChatInput) else None,
    )


def without_calls(request: GenerationRequest, *, ended: CallsEnded) -> GenerationRequest:
    """Return a request without tools, so that the model answers with the results it has.

    Engines elsewhere get the definitions of earlier calls, unless they refuse those, but may not call. Small
    models keep calling any tool they are shown, whatever the instructions; without tools they write
    calls as text unless ``PROSE_ONLY`` prevents it. A constraint of the request takes precedence over it.
    """
    task = request.task
    if not isinstance(task.prompt, ChatInput):
        return request
    if request.spec.remote is not None and ended is not CallsEnded.REFUSED:
        prompt = msgspec.structs.replace(task.prompt, tool_choice=ToolChoice(mode=ToolMode.NONE))
        return msgspec.structs.replace(request, task=msgspec.structs.replace(task, prompt=prompt))
    prompt = msgspec.structs.replace(task.prompt, tools=())
    if request.spec.remote is not None:
        return msgspec.structs.replace(request, task=msgspec.structs.replace(task, prompt=prompt))
    constraint = PROSE_ONLY if task.constraint is None else task.constraint
    task = msgspec.structs.replace(task, prompt=prompt, constraint=constraint)
    return msgspec.structs.replace(request, task=task)


def _system_prompt(chat: ChatInput) -> str:
    first = chat.messages[0] if chat.messages else None
    return first.text if first is not None and first.role is Role.SYSTEM else ""


def _with_result(record: GenerationRecord, event: Finished) -> GenerationRecord:
    usage, timings = event.usage, event.timings
    if (before := record.usage) is not None:
        usage = msgspec.structs.replace(
            usage,
            n_completion=before.n_completion + usage.n_completion,
            n_reasoning=before.n_reasoning + usage.n_reasoning,
        )
    if (earlier := record.timings) is not None:
        timings = msgspec.structs.replace(
            timings,
            decode_s=earlier.decode_s + timings.decode_s,
            cpu_s=earlier.cpu_s + timings.cpu_s,
        )
    return msgspec.structs.replace(
        record,
        finish_reason=event.reason,
        context_full=event.context_full,
        usage=usage,
        timings=timings,
        truncation=event.truncation,
        seed=event.seed,
        n_ctx=event.n_ctx,
        n_not_understood=record.n_not_understood + event.n_not_understood,
    )


def _total(before: float | None, now: float | None) -> float | None:
    return now if before is None else before + (now or 0.0)


def _internal_error(exc: Exception) -> ErrorInfo:
    """Return an unexpected exception as an ``ErrorInfo``."""
    return ErrorInfo(
        code="internal",
        sentence=tr("Internal error ({kind}). Your chat is safe.").format(kind=type(exc).__name__),
        retryable=True,
        next_step=NextStep.RETRY,
    )


def with_setting_label(error: ErrorInfo) -> ErrorInfo:
    """Return ``error`` with a parameter called by its label on the settings page instead of its key."""
    if error.code != InvalidParameter.code:
        return error
    keys = (f"{group}{error.data.get('name')}" for group in _GROUPS)
    definition = next((BY_KEY[key] for key in keys if key in BY_KEY), None)
    if definition is None:
        return error
    return localized(msgspec.structs.replace(error, data={**error.data, "name": definition.label}))
