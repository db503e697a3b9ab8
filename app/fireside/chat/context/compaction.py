"""Before an answer: summarise the oldest turns of a conversation that no longer fits the context."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from fireside.chat.context.prepared_request import PreparedRequest, RequestPreparation, by_message
from fireside.core.chat import StoredMessage
from fireside.core.context import ContextSummary, FullContext
from fireside.core.errors import ContextLengthExceeded, FiresideError, PromptTooLarge, RequestError
from fireside.core.events import AnswerProgressed, SummaryChanged
from fireside.core.generation import Loading, Summarising
from fireside.core.i18n import tr_noop
from fireside.core.ids import MessageId, RequestId
from fireside.core.load_sizes import effective_n_ctx
from fireside.core.message import (
    AudioPart,
    ChatMessage,
    ImagePart,
    MediaPart,
    Role,
    VideoPart,
    text_message,
    texts_of,
    to_model_messages,
)
from fireside.core.options import SettingValue
from fireside.core.prompt_input import ChatInput
from fireside.core.prompt_query import MessageTokens, PromptMeasure, PromptMeasureRequest
from fireside.engine.request import GenerationRequest, LoadRequest
from fireside.engine.sharing.shared_engine import SharedEngine
from fireside.services.background_generation import background_task, generate_text
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


# Have the model write a summary of messages, in several requests where they do not fit into one


MAX_TOKENS: Final = 512
_MEDIA: Final = {ImagePart: "An image", AudioPart: "An audio file", VideoPart: "A video"}
MIN_TOKENS: Final = 48
_SHARE: Final = 8
"""A summary takes at most one of this many parts of the context, which leaves most of it to messages."""
_OVERHEAD_TOKENS: Final = 220
"""Tokens of the instruction and of the chat template, generously."""
_MARGIN: Final = 0.9
"""Safety factor: the token count of a message depends slightly on its surroundings."""
INSTRUCTION: Final = (
    "Below is the earlier part of a conversation between a user and an assistant. Write a summary that lets "
    "the assistant go on without having read it: what the user wants, names, facts, numbers, decisions, and "
    "what is still open. Be brief, write in the language of the conversation, add nothing of your own, and "
    "answer with the summary alone."
)
_EARLIER: Final = "What came before that, in short:\n"
_CLOSING: Final = "Now write the summary."

Report = Callable[[float], None]


class SummaryInput(msgspec.Struct, frozen=True, kw_only=True):
    """What a summary is written of."""

    messages: tuple[ChatMessage, ...]
    costs: tuple[MessageTokens, ...]
    """The tokens of each message."""
    before: str = ""
    """The summary of all earlier messages; empty where there are none."""
    n_ctx: int


class Summariser:
    """All methods on the engine's loop."""

    def __init__(self, *, engine: SharedEngine, next_id: Callable[[], RequestId]) -> None:
        self._engine = engine
        self._next_id = next_id

    async def write(self, source: SummaryInput, *, base: GenerationRequest, report: Report) -> str:
        """Return the summary, at most an eighth of the context long.

        ``base`` has the model and its load options; ``report`` receives the progress, 0 to 1. Cancelling the
        caller cancels the request. Raises ``summary_failed``, or the ``FiresideError`` of the request.
        """
        max_tokens = max(MIN_TOKENS, min(MAX_TOKENS, source.n_ctx // _SHARE))
        piece_tokens = int((source.n_ctx - 2 * max_tokens - _OVERHEAD_TOKENS) * _MARGIN)
        if piece_tokens < MIN_TOKENS:
            raise RequestError.of("summary_failed", reason=tr_noop("the model's context is too small."))
        pieces = split_messages(source.messages, source.costs, piece_tokens=piece_tokens)
        text = source.before
        for index, piece in enumerate(pieces):

            def report_piece(fraction: float, index: int = index) -> None:
                report((index + fraction) / len(pieces))

            prompt = _prompt(piece, before=text)
            text = await self._ask(prompt, base=base, max_tokens=max_tokens, report=report_piece)
        return text

    async def _ask(self, prompt: str, *, base: GenerationRequest, max_tokens: int, report: Report) -> str:
        task = background_task(text_message(Role.USER, prompt), max_tokens=max_tokens)
        request = replace(base, request_id=self._next_id(), task=task)
        summary = await generate_text(
            self._engine.generate, request, on_tokens=lambda n: report(min(1.0, n / max_tokens))
        )
        if summary is None:
            raise RequestError.of("summary_failed", reason=tr_noop("it was cancelled."))
        if not summary:
            raise RequestError.of("summary_failed", reason=tr_noop("the model wrote nothing."))
        return summary


def split_messages(
    messages: Sequence[ChatMessage], costs: Sequence[MessageTokens], *, piece_tokens: int
) -> list[str]:
    """Return the messages as texts of at most ``piece_tokens`` each; a longer message is cut into parts."""
    pieces: list[str] = []
    current: list[str] = []
    n_current = 0
    for message, cost in zip(messages, costs, strict=True):
        n_tokens = cost.n_tokens + 4
        for part in _parts(_as_text(message), n_tokens=n_tokens, piece_tokens=piece_tokens):
            n_part = min(n_tokens, piece_tokens)
            if current and n_current + n_part > piece_tokens:
                pieces.append("\n\n".join(current))
                current, n_current = [], 0
            current.append(part)
            n_current += n_part
    return [*pieces, "\n\n".join(current)] if current else pieces


def _parts(text: str, *, n_tokens: int, piece_tokens: int) -> list[str]:
    n_parts = -(-n_tokens // piece_tokens)
    length = -(-len(text) // n_parts)
    return [text[start : start + length] for start in range(0, len(text), length)]


def _as_text(message: ChatMessage) -> str:
    speaker = {Role.USER: "User", Role.ASSISTANT: "Assistant"}.get(message.role, "Note")
    texts = [
        f"[{_MEDIA[type(part)]} “{part.name}”]" if isinstance(part, MediaPart) else "".join(texts_of(part))
        for part in message.parts
        if part not in message.tool_calls
    ]
    return f"{speaker}: {''.join(texts).strip()}"


def _prompt(piece: str, *, before: str) -> str:
    earlier = f"{_EARLIER}{before}\n\n" if before else ""
    return f"{INSTRUCTION}\n\n{earlier}{piece}\n\n{_CLOSING}"
