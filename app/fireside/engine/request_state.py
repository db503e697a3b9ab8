"""One accepted request, from its acceptance to its ``Finished`` or ``Failed``."""

from __future__ import annotations

import msgspec

from fireside.core.errors import FiresideError
from fireside.core.generation import (
    Embedded,
    Failed,
    Finished,
    FinishReason,
    Loading,
    OutputKind,
    PromptProgress,
    Queued,
    Stopping,
    TextDelta,
    Timings,
    Usage,
)
from fireside.core.i18n import tr_noop
from fireside.engine.clock import Clock
from fireside.engine.event_buffer import EventBuffer
from fireside.engine.request import GenerationRequest
from fireside.wire import messages as wire

MAX_ANSWER_CHARACTERS = 64 * 1024 * 1024
"""An answer longer than this, reasoning and all, is not one: the largest contexts hold a tenth of it."""


STEPS_TOLD = 10
"""A place in the queue is told anew when it is better by this part of it."""


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
