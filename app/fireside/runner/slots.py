"""A slot is a KV-cache sequence of the runner and its tokens; a ``Sequence`` is the request in it."""

from __future__ import annotations

import threading
from typing import Final, NamedTuple

import msgspec
import numpy as np

from fireside.core.generation import CacheUse, FinishReason, Timings, Truncation, Usage
from fireside.core.ids import RequestId
from fireside.core.message import Role
from fireside.core.prompt_input import ChatInput, PromptInput
from fireside.core.task import GenerationTask
from fireside.runner.decoder import Sampler
from fireside.runner.output.output_events import ConstraintBegins
from fireside.runner.output.output_stream import OutputStream
from fireside.runner.prompt.prompt_fitting import FittedPrompt
from fireside.runner.repetition import RepetitionGuard
from fireside.runner.tokens import Tokens
from fireside.wire.messages import Finished

_N_SINKS: Final = 4
"""The first tokens: attention that has nowhere else to go goes there, and without them a model is lost."""


class Awaited(NamedTuple):
    """A rule that is being compiled."""

    rule: ConstraintBegins
    ready: threading.Event


class Sequence:
    """One request from its acceptance to its end. Times are those of one monotonic clock, in seconds."""

    def __init__(
        self,
        *,
        request_id: RequestId,
        task: GenerationTask,
        fitted: FittedPrompt,
        seed: int,
        answer: OutputStream,
        accepted_at: float,
        replay: Tokens | None = None,
    ) -> None:
        self.request_id = request_id
        self.task = task
        self.prompt = fitted.tokens
        self.message_ends = fitted.message_ends
        """Where a later prompt may part from this one: numbers of tokens, the ends of turns."""
        self.is_truncated = fitted.truncation is not None
        self.seed = seed
        self.answer = answer
        self.accepted_at = accepted_at
        self.replay = np.empty(0, np.int32) if replay is None else replay
        """Tokens that the answer begins with, whatever the model would have chosen."""
        self.sampler: Sampler | None = None
        self.awaited: Awaited | None = None
        """The rule without which nothing more may be sampled."""
        self.is_paused = False
        """Its reader is far behind: nothing is computed for it."""
        self.is_preempted = False
        """Whether it waits for cells that others use; it has none then."""
        self.cache = CacheUse()
        self.n_drafted = 0
        self.n_draft_accepted = 0
        self.n_keep = _n_keep(task.prompt, fitted)
        """Tokens at the beginning of the prompt that stay when the context is full."""
        self.guard = RepetitionGuard() if task.sampling.guard_repetition else None
        self.reasoning_closed = False
        """Whether the reasoning was closed for it because its budget was used up."""
        self.has_images = bool(fitted.images)
        self.n_shifted = 0
        """Tokens that were forgotten because the context was full."""
        self._truncation = fitted.truncation
        self._started_at: float | None = None
        self._first_token_at: float | None = None
        self._last_token_at: float | None = None

    @property
    def n_cached(self) -> int:
        """Tokens of the prompt that were found in a cache."""
        return self.cache.n_context + self.cache.n_memory + self.cache.n_disk

    @property
    def n_to_replay(self) -> int:
        """Given tokens that are still to come."""
        return max(0, len(self.replay) - self.answer.n_tokens)

    @property
    def ends_with_replay(self) -> bool:
        """Whether only the given tokens were wanted, and all of them are there."""
        return self.task.replay is not None and self.task.replay.ends and not self.n_to_replay

    def start(self, cache: CacheUse, *, now: float) -> None:
        """Occupy a slot: reading the prompt begins behind what came from ``cache``."""
        self.cache = cache
        self._started_at = now

    def count_token(self, now: float) -> None:
        """Note the time of a token of the answer."""
        self._last_token_at = now
        if self._first_token_at is None:
            self._first_token_at = now

    def close(self) -> None:
        """Free what the sequence owns; it samples no more."""
        sampler, self.sampler = self.sampler, None
        if sampler is not None:
            sampler.close()

    def finished(
        self, reason: FinishReason, *, now: float, context_full: bool, tokens: bytes = b""
    ) -> Finished:
        """Return the report of this request's end; ``tokens`` as in ``core.generation.Finished``."""
        started = now if self._started_at is None else self._started_at
        first = now if self._first_token_at is None else self._first_token_at
        last = first if self._last_token_at is None else self._last_token_at
        return Finished(
            request_id=self.request_id,
            reason=reason,
            usage=Usage(
                n_prompt=len(self.prompt),
                n_cached=self.n_cached,
                n_completion=self.answer.n_tokens,
                n_reasoning=self.answer.n_reasoning,
                cache=self.cache,
                n_drafted=self.n_drafted,
                n_draft_accepted=self.n_draft_accepted,
            ),
            timings=Timings(
                prompt_s=first - started, decode_s=last - first, first_token_s=first - self.accepted_at
            ),
            seed=self.seed,
            context_full=context_full,
            truncation=self._what_is_missing(),
            tool_calls=tuple(self.answer.tool_calls),
            stop_string=self.answer.stop_string,
            tokens=tokens,
        )

    def _what_is_missing(self) -> Truncation | None:
        if not self.n_shifted:
            return self._truncation
        before = self._truncation or Truncation(n_messages=0, n_tokens=0)
        return msgspec.structs.replace(
            before, n_tokens=before.n_tokens + self.n_shifted, n_shifted=before.n_shifted + self.n_shifted
        )


def _n_keep(prompt: PromptInput, fitted: FittedPrompt) -> int:
    """Return the length of the system prompt; where there is none, a few tokens."""
    messages = prompt.messages if isinstance(prompt, ChatInput) else ()
    has_system = bool(messages) and messages[0].role is Role.SYSTEM
    return fitted.message_ends[0] if has_system and fitted.message_ends else min(_N_SINKS, len(fitted.tokens))


class Slot:
    """One KV-cache sequence of the model.

    ``tokens[:n_past]`` is what the KV cache holds; ``tokens[:n_tokens]`` is what it is to hold. A sequence
    samples when both are equal. There is room for one token more than the context: the last one sampled is
    given out, and never evaluated.
    """

    def __init__(self, index: int, *, n_ctx: int) -> None:
        self.index = index
        self.n_ctx = n_ctx
        self.n_past = 0
        self.n_tokens = 0
        self.n_unshifted = n_ctx
        """Tokens from the beginning whose KV values, where there are any, are those of a fresh evaluation."""
        self.last_used = 0.0
        self.sequence: Sequence | None = None
        self._tokens = np.zeros(n_ctx + 1, np.int32)

    @property
    def cached(self) -> Tokens:
        """What another prompt may find in the KV cache."""
        return self._tokens[: min(self.n_past, self.n_unshifted)]

    @property
    def held(self) -> Tokens:
        """All that the KV cache holds, with what was shifted."""
        return self._tokens[: self.n_past]

    @property
    def tokens(self) -> Tokens:
        """Everything known here, the last sampled token included."""
        return self._tokens[: self.n_tokens]

    @property
    def answer(self) -> Tokens:
        """Tokens that the sequence here has generated, without those that the context has forgotten."""
        if self.sequence is None:
            return self._tokens[:0]
        n_here = min(self.sequence.answer.n_tokens, self.n_tokens - self.sequence.n_keep)
        return self._tokens[self.n_tokens - n_here : self.n_tokens]

    @property
    def n_pending(self) -> int:
        """Tokens that the KV cache lacks."""
        return self.n_tokens - self.n_past

    @property
    def is_full(self) -> bool:
        """Whether the last token has no place in the KV cache any more."""
        return self.n_tokens > self.n_ctx

    def pending(self, n_tokens: int) -> Tokens:
        """Return the next ``n_tokens`` that the KV cache lacks."""
        return self._tokens[self.n_past : self.n_past + n_tokens]

    def occupy(self, sequence: Sequence, *, n_kept: int) -> None:
        """Let ``sequence`` in; the KV cache holds the first ``n_kept`` tokens of its prompt."""
        self.sequence = sequence
        self.n_past = n_kept
        self.n_unshifted = self.n_ctx
        self.n_tokens = len(sequence.prompt)
        self._tokens[: self.n_tokens] = sequence.prompt

    def append(self, token: int) -> None:
        """Add a token that is still to be evaluated."""
        self._tokens[self.n_tokens] = token
        self.n_tokens += 1

    def forget(self, start: int, n: int, *, n_past: int) -> None:
        """Cut ``n`` tokens out at ``start``; the KV cache then holds the first ``n_past``."""
        self._tokens[start : self.n_tokens - n] = self._tokens[start + n : self.n_tokens].copy()
        self.n_tokens -= n
        self.n_past = n_past

    def release(self, *, now: float) -> None:
        """End the sequence; what the KV cache holds stays for the next one."""
        sequence, self.sequence = self.sequence, None
        if sequence is not None:
            sequence.close()
        self.n_tokens = self.n_past
        self.last_used = now
