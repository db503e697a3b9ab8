"""Slots: KV-cache sequences with their tokens. A ``Sequence`` is the request that occupies one."""

from __future__ import annotations

import re
import threading
import time
from array import array
from collections import deque
from typing import Final, NamedTuple

import msgspec
import numpy as np

from fireside.core.generation import CacheUse, Finished, FinishReason, Timings, Truncation, Usage
from fireside.core.ids import RequestId
from fireside.core.message import Role
from fireside.core.prompt_input import ChatInput, PromptInput
from fireside.core.task import GenerationTask
from fireside.runner.decoder import Sampler
from fireside.runner.output.output_events import ConstraintStart
from fireside.runner.output.output_stream import OutputStream
from fireside.runner.prompt.prompt_fitting import FittedPrompt
from fireside.runner.tokens import NO_TOKENS, Tokens

_N_SINKS: Final = 4
"""Attention sinks: the first tokens, without which a model breaks down after a context shift."""


class PendingConstraint(NamedTuple):
    """A constraint that is being compiled."""

    start: ConstraintStart
    ready: threading.Event


class Sequence:
    """One request from its acceptance to its end. Times are monotonic, in seconds."""

    def __init__(
        self,
        *,
        request_id: RequestId,
        task: GenerationTask,
        fitted: FittedPrompt,
        seed: int,
        output: OutputStream,
        accepted_at: float,
        replay: Tokens | None = None,
    ) -> None:
        self.request_id = request_id
        self.task = task
        self.prompt = fitted.tokens
        self.message_ends = fitted.message_ends
        """Token counts up to the ends of messages, where a later prompt may diverge."""
        self.is_truncated = fitted.truncation is not None
        self.seed = seed
        self.output = output
        self.accepted_at = accepted_at
        self.replay = NO_TOKENS if replay is None else replay
        """Forced tokens at the beginning of the answer."""
        self.sampler: Sampler | None = None
        self.pending_constraint: PendingConstraint | None = None
        """The constraint that must be compiled before anything more is sampled."""
        self.is_paused = False
        """Whether nothing is computed for it because its reader is far behind."""
        self.is_preempted = False
        """Whether it lost its KV cells to others and waits for free ones."""
        self.cache = CacheUse()
        self.n_drafted = 0
        self.n_draft_accepted = 0
        self.n_keep = _n_keep(task.prompt, fitted)
        """Tokens at the beginning of the prompt that a context shift keeps."""
        self.repetition_guard = RepetitionGuard() if task.sampling.guard_repetition else None
        self.reasoning_closed = False
        """Whether its reasoning was closed because the budget was used up."""
        self.has_images = bool(fitted.images)
        self.n_shifted = 0
        """Tokens that context shifts discarded."""
        self._truncation = fitted.truncation
        self._started_at: float | None = None
        self._first_token_at: float | None = None
        self._last_token_at: float | None = None
        self._first_cpu_s = self._last_cpu_s = 0.0

    @property
    def n_cached(self) -> int:
        """Prompt tokens that came from a cache."""
        return self.cache.n_context + self.cache.n_memory + self.cache.n_disk

    @property
    def n_to_replay(self) -> int:
        """Number of forced tokens still to come."""
        return max(0, len(self.replay) - self.output.n_tokens)

    @property
    def is_within_replay(self) -> bool:
        """Whether the next token is a forced one that ends nothing: others follow, or only probabilities are
        wanted."""
        return self.n_to_replay > (0 if self.task.replay is not None and self.task.replay.ends else 1)

    @property
    def ends_with_replay(self) -> bool:
        """Whether the request ends with its forced tokens, and all of them are there."""
        return self.task.replay is not None and self.task.replay.ends and not self.n_to_replay

    def start(self, cache: CacheUse, *, now: float) -> None:
        """Record that the sequence has got a slot, with the tokens that came from ``cache``."""
        self.cache = cache
        self._started_at = now

    def count_token(self, now: float) -> None:
        """Record the time of a token of the answer."""
        self._last_token_at = now
        self._last_cpu_s = time.process_time()
        if self._first_token_at is None:
            self._first_token_at = now
            self._first_cpu_s = self._last_cpu_s

    def close(self) -> None:
        """Free the sampler; nothing is sampled any more."""
        sampler, self.sampler = self.sampler, None
        if sampler is not None:
            sampler.close()

    def finished(
        self, reason: FinishReason, *, now: float, context_full: bool, tokens: bytes = b""
    ) -> Finished:
        """Return the end of this request; ``tokens`` as in ``Finished``."""
        started = now if self._started_at is None else self._started_at
        first = now if self._first_token_at is None else self._first_token_at
        last = first if self._last_token_at is None else self._last_token_at
        return Finished(
            reason=reason,
            usage=Usage(
                n_prompt=len(self.prompt),
                n_cached=self.n_cached,
                n_completion=self.output.n_tokens,
                n_reasoning=self.output.n_reasoning,
                cache=self.cache,
                n_drafted=self.n_drafted,
                n_draft_accepted=self.n_draft_accepted,
            ),
            timings=Timings(
                prompt_s=first - started,
                decode_s=last - first,
                first_token_s=first - self.accepted_at,
                cpu_s=self._last_cpu_s - self._first_cpu_s,
            ),
            seed=self.seed,
            context_full=context_full,
            truncation=self._total_truncation(),
            tool_calls=tuple(self.output.tool_calls),
            cut_call=self.output.cut_call,
            stop_string=self.output.stop_string,
            tokens=tokens,
        )

    def _total_truncation(self) -> Truncation | None:
        if not self.n_shifted:
            return self._truncation
        before = self._truncation or Truncation(n_messages=0, n_tokens=0)
        return msgspec.structs.replace(
            before, n_tokens=before.n_tokens + self.n_shifted, n_shifted=before.n_shifted + self.n_shifted
        )


def _n_keep(prompt: PromptInput, fitted: FittedPrompt) -> int:
    """Return the length of the system prompt; without one, of the attention sinks."""
    messages = prompt.messages if isinstance(prompt, ChatInput) else ()
    has_system = bool(messages) and messages[0].role is Role.SYSTEM
    return fitted.message_ends[0] if has_system and fitted.message_ends else min(_N_SINKS, len(fitted.tokens))


class Slot:
    """One KV-cache sequence of the model.

    ``tokens[:n_past]`` are in the KV cache; ``tokens[n_past:n_tokens]`` are still to be decoded. The next
    token is sampled when both are equal. There is space for one token more than the context: the last sampled
    one is emitted, and never decoded.
    """

    def __init__(self, index: int, *, n_ctx: int) -> None:
        self.index = index
        self.n_ctx = n_ctx
        self.n_past = 0
        self.n_tokens = 0
        self.n_unshifted = n_ctx
        """Tokens from the beginning whose KV values were not shifted, and so are valid for other prompts."""
        self.last_used = 0.0
        self.sequence: Sequence | None = None
        self._tokens = np.zeros(n_ctx + 1, np.int32)

    @property
    def cached(self) -> Tokens:
        """The tokens in the KV cache that another prompt may reuse."""
        return self._tokens[: min(self.n_past, self.n_unshifted)]

    @property
    def held(self) -> Tokens:
        """All tokens in the KV cache, including shifted ones."""
        return self._tokens[: self.n_past]

    @property
    def tokens(self) -> Tokens:
        """All tokens, including the last sampled one."""
        return self._tokens[: self.n_tokens]

    @property
    def answer_tokens(self) -> Tokens:
        """The generated tokens of the sequence, without those that a context shift discarded."""
        if self.sequence is None:
            return self._tokens[:0]
        n_kept = min(self.sequence.output.n_tokens, self.n_tokens - self.sequence.n_keep)
        return self._tokens[self.n_tokens - n_kept : self.n_tokens]

    @property
    def n_pending(self) -> int:
        """Number of tokens that are not in the KV cache yet."""
        return self.n_tokens - self.n_past

    @property
    def is_full(self) -> bool:
        """Whether the last token does not fit into the context."""
        return self.n_tokens > self.n_ctx

    def pending(self, n_tokens: int) -> Tokens:
        """Return the next ``n_tokens`` to be decoded."""
        return self._tokens[self.n_past : self.n_past + n_tokens]

    def occupy(self, sequence: Sequence, *, n_kept: int) -> None:
        """Assign ``sequence`` to this slot; the KV cache holds the first ``n_kept`` tokens of its prompt."""
        self.sequence = sequence
        self.n_past = n_kept
        self.n_unshifted = self.n_ctx
        self.n_tokens = len(sequence.prompt)
        self._tokens[: self.n_tokens] = sequence.prompt

    def append(self, token: int) -> None:
        """Append a token that is still to be decoded."""
        self._tokens[self.n_tokens] = token
        self.n_tokens += 1

    def discard(self, start: int, n: int, *, n_past: int) -> None:
        """Remove ``n`` tokens at ``start``; the KV cache then holds the first ``n_past``."""
        self._tokens[start : self.n_tokens - n] = self._tokens[start + n : self.n_tokens].copy()
        self.n_tokens -= n
        self.n_past = n_past

    def release(self, *, now: float) -> None:
        """End the sequence; the KV cache is kept for the next one."""
        sequence, self.sequence = self.sequence, None
        if sequence is not None:
            sequence.close()
        self.n_tokens = self.n_past
        self.last_used = now


# Detect answers that loop: one block of tokens, or a few sentences, over and over


CHECK_EVERY: Final = 32
"""Tokens between two checks."""
MAX_PERIOD: Final = 256
"""Longest block, in tokens, whose repetition is detected."""
WINDOW: Final = 2048
"""Tokens at the end of an answer that are checked."""

_MIN_TOKENS: Final = 1024
_MIN_TOKENS_OF_ONE: Final = 512
_MIN_BLOCKS: Final = 8
_MAX_BLANK: Final = 256
_ITEM: Final = 4
_SENTENCE_WINDOWS: Final = ((1024, 8), (4096, 5))
"""Tokens at the end that are checked, and how often each of their sentences must then occur."""
_SENTENCE_END: Final = re.compile(rb"(?<=[^0-9][.!?;:])\s+|\n+|(?<=\xe3\x80\x82)")
"""Including the ideographic full stop, but not the point after a number: a list that counts is no loop."""
_MAX_SENTENCE: Final = 4096
"""Text of so many bytes without an end counts as a sentence."""
_MIN_SENTENCE: Final = 24
"""Shorter sentences, in bytes, may well repeat: a coin flip, a bracket."""
_SENTENCE_PART: Final = 0.8
"""Minimum fraction of the checked tokens that are in such sentences."""
_NOT_WORD: Final = re.compile(rb"[^\w\x80-\xff]+")


class _Sentence(NamedTuple):
    normalized: bytes
    """Without punctuation and space, in lower case; empty if it is too short to count."""
    n_tokens: int


class _Sentences:
    """The sentences at the end of an answer."""

    def __init__(self) -> None:
        self._sentences: deque[_Sentence] = deque(maxlen=_SENTENCE_WINDOWS[-1][0])
        self._text = bytearray()
        self._n_tokens = 0

    def add(self, piece: bytes) -> None:
        """Add the bytes of the next token."""
        self._text += piece
        self._n_tokens += 1
        end = _SENTENCE_END.search(self._text, max(0, len(self._text) - len(piece) - 1))
        if end is None and len(self._text) < _MAX_SENTENCE:
            return
        end_index = len(self._text) if end is None else end.end()
        text = bytes(self._text[:end_index])
        del self._text[:end_index]
        normalized = _NOT_WORD.sub(b"", text).lower() if len(text) >= _MIN_SENTENCE else b""
        self._sentences.append(_Sentence(normalized, self._n_tokens))
        self._n_tokens = 0

    def are_repeating(self) -> bool:
        """Whether the end of the answer consists of a few sentences, each many times, in any order."""
        return any(self._repeat(n_tokens, n_repeats) for n_tokens, n_repeats in _SENTENCE_WINDOWS)

    def _repeat(self, n_tokens: int, n_repeats: int) -> bool:
        n_seen, recent = 0, list[_Sentence]()
        for sentence in reversed(self._sentences):
            recent.append(sentence)
            n_seen += sentence.n_tokens
            if n_seen >= n_tokens:
                break
        else:
            return False
        long_sentences = [sentence for sentence in recent if sentence.normalized]
        n_distinct = len({sentence.normalized for sentence in long_sentences})
        n_in_sentences = sum(sentence.n_tokens for sentence in long_sentences)
        return n_in_sentences >= _SENTENCE_PART * n_seen and len(long_sentences) >= n_repeats * n_distinct


class RepetitionGuard:
    """Detects loops in one answer. Keeps all its tokens, since a context shift discards some."""

    def __init__(self) -> None:
        self._tokens = array("i")
        self._sentences = _Sentences()
        self._n_blank = 0

    def detects_loop(self, token: int, piece: bytes) -> bool:
        """Add the next token and its bytes; return whether the answer loops.

        Checks every ``CHECK_EVERY`` tokens, and returns false in between.
        """
        self._tokens.append(token)
        self._sentences.add(piece)
        self._n_blank = 0 if piece.strip() else self._n_blank + 1
        if len(self._tokens) % CHECK_EVERY:
            return False
        # Endless white space is a loop even if it does not repeat exactly.
        return (
            self._n_blank >= _MAX_BLANK
            or is_repeating(np.frombuffer(self._tokens, np.int32)[-WINDOW:])
            or self._sentences.are_repeating()
        )


def is_repeating(answer: Tokens) -> bool:
    """Whether the end of ``answer`` is one block of tokens over and over.

    What the user may ask for is allowed: a line written a hundred times, a matrix of zeros, a wide table
    with equal rows. So the same block must occur eight times and fill 1,024 tokens, or 512 if it is a single
    token; exactly, so that a list that counts never matches.
    """
    n = len(answer)
    if n < _MIN_TOKENS_OF_ONE:
        return False
    # Search for the last tokens in the bytes before them: a microsecond if nothing repeats.
    recent = answer[-(MAX_PERIOD + CHECK_EVERY) :].tobytes()
    end = recent[-CHECK_EVERY * _ITEM :]
    index = len(recent) - len(end)
    while (index := recent.rfind(end, 0, index + len(end) - 1)) >= 0:
        if index % _ITEM:
            continue
        period = (len(recent) - len(end) - index) // _ITEM
        n_needed = max(_MIN_BLOCKS * period, _MIN_TOKENS_OF_ONE if period == 1 else _MIN_TOKENS)
        if n_needed <= n:
            tail = answer[-n_needed:]
            if (tail[period:] == tail[:-period]).all():
                return True
    return False
