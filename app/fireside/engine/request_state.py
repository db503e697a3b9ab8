"""One accepted request until its ``Finished`` or ``Failed``, and its events on their way to the reader."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

import msgspec

from fireside.core.errors import FiresideError
from fireside.core.generation import (
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
from fireside.engine.clock import Clock
from fireside.engine.request import GenerationRequest
from fireside.wire import messages as wire

MAX_ANSWER_CHARACTERS = 64 * 1024 * 1024
"""An answer longer than this, reasoning and all, is not one: the largest contexts hold a tenth of it."""
STEPS_TOLD = 10
"""A place in the queue is told anew when it is better by this part of it."""
MAX_UNREAD_CHARACTERS = 512 * 1024
"""With more text than this unread, the answer is paused."""
MAX_FLOOD_CHARACTERS = 8 * MAX_UNREAD_CHARACTERS
"""As much does not come from a sound runner that was told to pause."""

_STRETCH_WEIGHT = 256
"""What a stretch of another kind costs besides its text, in characters: a runner may not fill the memory with
empty ones."""
_PROBABILITY_WEIGHT = 64
"""What one candidate of ``logprobs`` costs."""


class _Text:
    """Neighbouring ``TextDelta`` of one kind that are joined when they are read."""

    def __init__(self, kind: OutputKind) -> None:
        self.kind = kind
        self.weight = _STRETCH_WEIGHT
        self._parts: list[str] = []
        self._logprobs: list[TokenLogprobs] = []
        self._n_completion = 0

    def add(self, tokens: TextDelta) -> None:
        self._parts.append(tokens.text)
        self._logprobs += tokens.logprobs
        self._n_completion = tokens.n_completion
        self.weight += _weight(tokens)

    def joined(self) -> TextDelta:
        return TextDelta(
            text="".join(self._parts),
            n_completion=self._n_completion,
            kind=self.kind,
            logprobs=tuple(self._logprobs),
        )


def _weight(tokens: TextDelta) -> int:
    n_candidates = sum(1 + len(token.top) for token in tokens.logprobs)
    return len(tokens.text) + _PROBABILITY_WEIGHT * n_candidates


class EventBuffer:
    """Keeps events until they are read, joined so that a slow reader finds few of them.

    Text is joined to text of its kind, a newer progress replaces an older one. Ends with ``Finished`` or
    ``Failed``; what is posted after that, or after ``close``, is dropped. One writer, one reader, on the
    loop's thread.
    """

    def __init__(self) -> None:
        self._waiting: deque[GenerationEvent | _Text] = deque()
        self._n_unread = 0
        self._is_ended = False
        self._posted = asyncio.Event()
        self.is_full = False
        """Whether the writer should pause until ``on_room``."""
        self.on_room: Callable[[], None] = lambda: None
        """Called when it is full no longer."""

    @property
    def is_flooded(self) -> bool:
        """Whether the writer has gone on for long although it is full."""
        return self._n_unread > MAX_FLOOD_CHARACTERS

    def post(self, event: GenerationEvent) -> None:
        """Add an event; after the last one, or once it is closed, nothing is added."""
        if self._is_ended:
            return
        last = self._waiting[-1] if self._waiting else None
        if isinstance(event, TextDelta):
            if not isinstance(last, _Text) or last.kind is not event.kind:
                last = _Text(event.kind)
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
        """There is no reader any more: drop everything."""
        self._is_ended = True
        self._waiting.clear()
        self._n_unread = 0
        self.make_room()
        self._posted.set()

    def make_room(self) -> None:
        """Let the writer go on, however much is unread."""
        if self.is_full:
            self.is_full = False
            self.on_room()

    async def take(self) -> GenerationEvent | None:
        """Return the oldest event once there is one; ``None`` after the last, or after ``close``."""
        while not self._waiting:
            if self._is_ended:
                return None
            self._posted.clear()
            await self._posted.wait()
        event = self._waiting.popleft()
        if not isinstance(event, _Text):
            return event
        self._n_unread -= event.weight
        self.make_room()
        return event.joined()


class RequestState:
    """Turns what the scheduler and the runner say of a request into its events, and knows how far it is.

    The first end counts; the event buffer drops what comes after it.
    """

    def __init__(self, request: GenerationRequest, *, clock: Clock) -> None:
        self.request = request
        self.events = EventBuffer()
        self._clock = clock
        self._accepted_at = clock.now()
        self._sent_at: float | None = None
        self._first_text_at: float | None = None
        self._last_text_at: float | None = None
        self._shown: Queued | Loading | None = None
        self._n_prompt = 0
        self._n_cached = 0
        self._n_completion = 0
        self._n_reasoning = 0
        self._n_characters = 0
        self._n_ctx = 0
        self._is_cancelled = False
        self._has_begun = False
        self.was_alone = True
        """Whether no other request was answered meanwhile."""
        self.report: wire.Finished | None = None
        """What the runner said at its end."""
        self.was_requeued = False
        """Whether it went back to the queue since its runner ended before it began."""

    @property
    def has_begun(self) -> bool:
        """Whether the runner has said anything of it."""
        return self._has_begun

    @property
    def is_cancelled(self) -> bool:
        """Whether the end was asked for, which comes when the runner has heard of it."""
        return self._is_cancelled

    def wait_in_queue(self, standing: Queued) -> None:
        """Note its place. Far back in the queue, small steps are not told."""
        shown = self._shown
        if (
            isinstance(shown, Queued)
            and msgspec.structs.replace(shown, position=standing.position) == standing
            and 0 <= shown.position - standing.position < shown.position // STEPS_TOLD
        ):
            return
        self._show(standing)

    def wait_for_load(self, *, fraction: float) -> None:
        """Tell that its model is being loaded, and how far: 0 to 1."""
        self._show(Loading(fraction=fraction))

    def start(self, *, n_ctx: int) -> None:
        """The request goes to a runner whose sequences hold ``n_ctx`` tokens."""
        self._sent_at = self._clock.now()
        self._n_ctx = n_ctx

    def read_prompt(self, progress: wire.PromptRead) -> None:
        """Tell how much of its prompt is read."""
        self._has_begun = True
        self._n_prompt = progress.n_total
        self._n_cached = progress.n_cached
        self.events.post(
            PromptProgress(n_done=progress.n_done, n_total=progress.n_total, n_cached=progress.n_cached)
        )

    def add_text(self, piece: wire.Piece) -> None:
        """Take output of any kind.

        Raises:
            OverflowError: it is more than any answer has, or comes though the answer is paused.
        """
        self._has_begun = True
        n_before, self._n_completion = self._n_completion, piece.n_completion
        self._n_characters += len(piece.text)
        if self._n_characters > MAX_ANSWER_CHARACTERS:
            raise OverflowError(tr_noop("an answer without end."))
        if not piece.text and not piece.logprobs:
            return
        self._last_text_at = self._clock.now()
        if self._first_text_at is None:
            self._first_text_at = self._last_text_at
        if piece.kind is OutputKind.REASONING:
            self._n_reasoning += piece.n_completion - n_before
        if self._is_cancelled and self.events.is_full:
            return
        if self.events.is_flooded:
            raise OverflowError(tr_noop("an answer that does not pause when it is told to."))
        self.events.post(
            TextDelta(
                text=piece.text, n_completion=piece.n_completion, kind=piece.kind, logprobs=piece.logprobs
            )
        )

    def add_vector(self, made: wire.VectorMade) -> None:
        """Take the vector of one input."""
        self._has_begun = True
        self.events.post(Embedded(index=made.index, vector=made.vector, n_tokens=made.n_tokens))

    def wait_for_step(self) -> None:
        """Tell that it was cancelled, and that what is being computed cannot be interrupted."""
        self.events.post(Stopping())

    def cancel(self) -> None:
        """Note that the end was asked for."""
        self._is_cancelled = True
        self.events.make_room()

    def finish(self, report: wire.Finished) -> None:
        """End with the runner's own report."""
        self.report = report
        self.events.post(
            Finished(
                reason=report.reason,
                usage=report.usage,
                timings=msgspec.structs.replace(report.timings, first_token_s=self._first_token_s()),
                seed=report.seed,
                n_ctx=self._n_ctx,
                context_full=report.context_full,
                truncation=report.truncation,
                tool_calls=report.tool_calls,
                stop_string=report.stop_string,
                tokens=report.tokens,
            )
        )

    def finish_cancelled(self) -> None:
        """End without a word of the runner, with what is known here."""
        sent = self._accepted_at if self._sent_at is None else self._sent_at
        first = sent if self._first_text_at is None else self._first_text_at
        last = first if self._last_text_at is None else self._last_text_at
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
                    prompt_s=first - sent, decode_s=last - first, first_token_s=self._first_token_s()
                ),
                seed=self.request.task.sampling.seed or 0,
                n_ctx=self._n_ctx,
            )
        )

    def fail(self, error: FiresideError) -> None:
        """End with ``error``."""
        self.events.post(Failed(error=error.info()))

    def _first_token_s(self) -> float:
        return 0.0 if self._first_text_at is None else self._first_text_at - self._accepted_at

    def _show(self, event: Queued | Loading) -> None:
        if event != self._shown:
            self._shown = event
            self.events.post(event)
