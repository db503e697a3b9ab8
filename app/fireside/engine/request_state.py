"""The state of one accepted request until its ``Finished`` or ``Failed``, and the stream of its events."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import Self

import msgspec

from fireside.core.errors import FiresideError, RunnerCrashed, error_from_info
from fireside.core.generation import (
    CallDelta,
    Embedded,
    Failed,
    Finished,
    FinishReason,
    GenerationEvent,
    Loading,
    OutputKind,
    PromptProgress,
    Queued,
    Stopping,
    TextDelta,
    Timings,
    TokenLogprobs,
    Usage,
)
from fireside.core.i18n import tr_noop
from fireside.core.ids import RequestId
from fireside.engine.clock import Clock
from fireside.engine.request import GenerationRequest
from fireside.wire.messages import Piece

MAX_ANSWER_CHARACTERS = 64 * 1024 * 1024
"""A runner that sends a longer answer is faulty: the largest contexts hold a tenth of it."""
POSITION_STEPS = 10
"""A queue position is posted again once it has improved by one part of this many."""
MAX_UNREAD_CHARACTERS = 512 * 1024
"""With more unread text than this, the answer is paused."""
MAX_FLOOD_CHARACTERS = 8 * MAX_UNREAD_CHARACTERS
"""A working runner does not send as much after ``Pause``."""

_SEGMENT_WEIGHT = 256
"""Each change of the kind of text counts as so many characters, so that a runner cannot fill the memory with
empty segments."""
_PROBABILITY_WEIGHT = 64
"""Each candidate of ``logprobs`` counts as so many characters."""


class _Text:
    """Consecutive ``TextDelta`` of one kind, or ``CallDelta`` of one call, joined when they are read."""

    def __init__(self, first: TextDelta | CallDelta) -> None:
        self._first = first
        self.weight = _SEGMENT_WEIGHT
        if isinstance(first, CallDelta):
            self.weight += len(first.id) + len(first.name)
        self._parts: list[str] = []
        self._logprobs: list[TokenLogprobs] = []
        self._n_completion = 0

    def continues_with(self, delta: TextDelta | CallDelta) -> bool:
        """Whether ``delta`` can be added."""
        return _subject(self._first) == _subject(delta)

    def add(self, delta: TextDelta | CallDelta) -> None:
        self.weight += _weight(delta)
        if isinstance(delta, CallDelta):
            self._parts.append(delta.arguments)
            return
        self._parts.append(delta.text)
        self._logprobs += delta.logprobs
        self._n_completion = delta.n_completion

    def joined(self) -> TextDelta | CallDelta:
        text = "".join(self._parts)
        if isinstance(self._first, CallDelta):
            return msgspec.structs.replace(self._first, arguments=text)
        return TextDelta(
            text=text,
            n_completion=self._n_completion,
            kind=self._first.kind,
            logprobs=tuple(self._logprobs),
        )


def _subject(delta: TextDelta | CallDelta) -> str:
    return f"call {delta.id}" if isinstance(delta, CallDelta) else delta.kind


def _weight(tokens: TextDelta | CallDelta) -> int:
    if isinstance(tokens, CallDelta):
        return len(tokens.arguments)
    n_candidates = sum(1 + len(token.top) for token in tokens.logprobs)
    return len(tokens.text) + _PROBABILITY_WEIGHT * n_candidates


class EventBuffer:
    """Buffers events until they are read, and joins them so that a slow reader gets few.

    Text is joined to text of its kind, and newer progress replaces older. Ends with ``Finished`` or
    ``Failed``; what is posted after that, or after ``close``, is dropped. One writer, one reader, on the
    loop's thread.
    """

    def __init__(self) -> None:
        self._waiting: deque[GenerationEvent | _Text] = deque()
        self._n_unread = 0
        self._is_ended = False
        self._posted = asyncio.Event()
        self.is_full = False
        """Whether the writer should pause until ``on_resume``."""
        self.on_resume: Callable[[], None] = lambda: None
        """Called when it is no longer full."""

    @property
    def is_flooded(self) -> bool:
        """Whether the writer has ignored for long that it is full."""
        return self._n_unread > MAX_FLOOD_CHARACTERS

    def post(self, event: GenerationEvent) -> None:
        """Add an event; ignored after the last event and after ``close``."""
        if self._is_ended:
            return
        last = self._waiting[-1] if self._waiting else None
        if isinstance(event, TextDelta | CallDelta):
            if not isinstance(last, _Text) or not last.continues_with(event):
                last = _Text(event)
                self._waiting.append(last)
                self._n_unread += last.weight
            last.add(event)
            self._n_unread += _weight(event)
            if self._n_unread > MAX_UNREAD_CHARACTERS:
                self.is_full = True
        elif type(last) is type(event) and not isinstance(event, Embedded):
            self._waiting[-1] = event
        else:
            self._waiting.append(event)
        self._is_ended = isinstance(event, Finished | Failed)
        self._posted.set()

    def close(self) -> None:
        """Drop everything: there is no reader any more."""
        self._is_ended = True
        self._waiting.clear()
        self._n_unread = 0
        self.resume_writer()
        self._posted.set()

    def resume_writer(self) -> None:
        """Let the writer continue, however much is unread."""
        if self.is_full:
            self.is_full = False
            self.on_resume()

    async def get(self) -> GenerationEvent | None:
        """Wait for the oldest event and return it; ``None`` after the last, or after ``close``."""
        while not self._waiting:
            if self._is_ended:
                return None
            self._posted.clear()
            await self._posted.wait()
        event = self._waiting.popleft()
        if not isinstance(event, _Text):
            return event
        self._n_unread -= event.weight
        self.resume_writer()
        return event.joined()


class GenerationStream(AsyncIterator[GenerationEvent]):
    """The events of one request. Ends after its one ``Finished`` or ``Failed``.

    Iterate to the end, or call ``aclose``, which cancels the request (``contextlib.aclosing`` does). So does
    the cancellation of the task that iterates.
    """

    def __init__(self, request_id: RequestId, events: EventBuffer, *, cancel: Callable[[], None]) -> None:
        self.request_id = request_id
        self._events = events
        self._cancel = cancel
        self._loop = asyncio.get_running_loop()
        self._is_done = False

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> GenerationEvent:
        try:
            event = await self._events.get()
        except asyncio.CancelledError:
            self._abandon()
            raise
        if event is None:
            raise StopAsyncIteration
        self._is_done = isinstance(event, Finished | Failed)
        return event

    async def aclose(self) -> None:
        """Cancel the request if it has not ended. Returns at once. Idempotent."""
        self._abandon()

    def __del__(self) -> None:
        # Left by `break`: the garbage collector may run in any thread.
        if not self._is_done and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._cancel)

    def _abandon(self) -> None:
        if not self._is_done:
            self._is_done = True
            self._events.close()
            self._cancel()


class RequestState:
    """Turns what the engine and the runner report about a request into its events.

    Only the first end counts; the event buffer drops later events.
    """

    def __init__(self, request: GenerationRequest, *, clock: Clock) -> None:
        self.request = request
        self.events = EventBuffer()
        self._clock = clock
        self._accepted_at = clock.now()
        self._sent_at: float | None = None
        self._first_text_at: float | None = None
        self._last_text_at: float | None = None
        self._last_posted: Queued | Loading | None = None
        self._n_prompt = 0
        self._n_cached = 0
        self._n_completion = 0
        self._n_reasoning = 0
        self._n_characters = 0
        self._n_ctx = 0
        self._is_cancelled = False
        self._has_started = False
        self.was_alone = True
        """Whether no other request ran at the same time."""
        self.report: Finished | None = None
        """The runner's report at its end."""
        self.was_requeued = False
        """Whether it was queued again because its runner ended before it started."""

    @property
    def has_started(self) -> bool:
        """Whether the runner has reported anything about it."""
        return self._has_started

    @property
    def is_cancelled(self) -> bool:
        """Whether it was cancelled; it ends once the runner has handled that."""
        return self._is_cancelled

    def set_queued(self, queued: Queued) -> None:
        """Post its queue position. Far back in the queue, small changes are left out."""
        last = self._last_posted
        if (
            isinstance(last, Queued)
            and msgspec.structs.replace(last, position=queued.position) == queued
            and 0 <= last.position - queued.position < last.position // POSITION_STEPS
        ):
            return
        self._post_change(queued)

    def set_loading(self, progress: Loading) -> None:
        """Post the load progress of its model."""
        self._post_change(progress)

    def start(self, *, n_ctx: int) -> None:
        """Record that the request is sent to a runner whose sequences hold ``n_ctx`` tokens."""
        self._sent_at = self._clock.now()
        self._n_ctx = n_ctx

    def add_event(self, event: PromptProgress | Embedded) -> None:
        """Post progress of its prompt, or the embedding of one input."""
        self._has_started = True
        if isinstance(event, PromptProgress):
            self._n_prompt, self._n_cached = event.n_total, event.n_cached
        self.events.post(event)

    def add_text(self, piece: Piece) -> None:
        """Post output of any kind.

        Raises:
            OverflowError: it is more than any answer has, or the runner ignores the pause.
        """
        self._has_started = True
        n_before, self._n_completion = self._n_completion, piece.n_completion
        n_of_call = len(piece.call.arguments) if piece.call is not None else 0
        self._n_characters += len(piece.text) + n_of_call
        if self._n_characters > MAX_ANSWER_CHARACTERS:
            raise OverflowError("an answer without end")
        if not piece.text and not piece.logprobs and not n_of_call:
            return
        self._last_text_at = self._clock.now()
        if self._first_text_at is None:
            self._first_text_at = self._last_text_at
        if piece.kind is OutputKind.REASONING:
            self._n_reasoning += piece.n_completion - n_before
        if self._is_cancelled and self.events.is_full:
            return
        if self.events.is_flooded:
            raise OverflowError("an answer that does not pause when it is told to")
        if piece.call is not None:
            self.events.post(piece.call)
        if piece.text or piece.logprobs:
            self.events.post(
                TextDelta(
                    text=piece.text, n_completion=piece.n_completion, kind=piece.kind, logprobs=piece.logprobs
                )
            )

    def report_stopping(self) -> None:
        """Post that it was cancelled while the runner is in a step that cannot be interrupted."""
        self.events.post(Stopping())

    def cancel(self) -> None:
        """Record that it was cancelled; its reader no longer pauses the runner."""
        self._is_cancelled = True
        self.events.resume_writer()

    def finish(self, report: Finished) -> None:
        """End as the runner reports, with what is known here alone."""
        self.report = report
        timings = msgspec.structs.replace(report.timings, first_token_s=self._first_token_s())
        self.events.post(msgspec.structs.replace(report, timings=timings, n_ctx=self._n_ctx))

    def finish_cancelled(self) -> None:
        """End as cancelled without the runner's report, with what is known here."""
        sent_at = self._accepted_at if self._sent_at is None else self._sent_at
        first_at = sent_at if self._first_text_at is None else self._first_text_at
        last = first_at if self._last_text_at is None else self._last_text_at
        self.events.post(
            Finished(
                reason=FinishReason.CANCELLED,
                usage=Usage(
                    n_prompt=self._n_prompt,
                    n_cached=self._n_cached,
                    n_completion=self._n_completion,
                    n_reasoning=max(0, min(self._n_reasoning, self._n_completion)),
                ),
                timings=Timings(
                    prompt_s=first_at - sent_at, decode_s=last - first_at, first_token_s=self._first_token_s()
                ),
                seed=self.request.task.sampling.seed or 0,
                n_ctx=self._n_ctx,
            )
        )

    def fail(self, error: FiresideError) -> None:
        """End with ``error``."""
        self.events.post(Failed(error=error.info()))

    async def output(self) -> AsyncIterator[TextDelta | Finished]:
        """Yield the text and the end of the request, for a caller that needs no other events.

        Raises:
            FiresideError: the request failed.
        """
        while (event := await self.events.get()) is not None:
            if isinstance(event, Failed):
                raise error_from_info(event.error)
            if isinstance(event, TextDelta | Finished):
                yield event
            if isinstance(event, Finished):
                return
        cause = tr_noop("it ended in the middle of its answer.")
        raise RunnerCrashed(model=self.request.spec.name, cause=cause)

    def _first_token_s(self) -> float:
        return 0.0 if self._first_text_at is None else self._first_text_at - self._accepted_at

    def _post_change(self, event: Queued | Loading) -> None:
        if event != self._last_posted:
            self._last_posted = event
            self.events.post(event)
