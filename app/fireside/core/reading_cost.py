"""Estimate tokens and time of reading all documents of a chat for one question."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from fireside.core.collection import TextExtent
from fireside.core.generation import Timings, Usage

MAX_NOTE_TOKENS: Final = 512
MIN_NOTE_TOKENS: Final = 48
_SHARE: Final = 8
"""The notes on one part take at most this part of the context."""
_BESIDE: Final = 280
"""Tokens of the instruction and of what the template writes, generously."""
_MARGIN: Final = 0.8
"""Tokens are only estimated from bytes here; text that has more is read in smaller parts."""
_CHARS_PER_TOKEN: Final = 4
_USED_OF_NOTE: Final = 0.4
"""Of the most that notes may take: what they usually do."""
_BELIEVED: Final = 32
"""Tokens of an answer whose speed says something."""


class AnswerSpeed(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens a second, as measured."""

    prompt: float
    completion: float


class ReadingCost(msgspec.Struct, frozen=True, kw_only=True):
    """What reading everything takes, about."""

    n_tokens: int
    """Of text and instructions."""
    n_parts: int
    """Requests to the model."""
    seconds: float | None
    """``None`` where the speed of the model is not known yet."""


def note_tokens(n_ctx: int) -> int:
    """Return how long the notes on one part may be."""
    return max(MIN_NOTE_TOKENS, min(MAX_NOTE_TOKENS, n_ctx // _SHARE))


def part_tokens(n_ctx: int) -> int:
    """Return how much text one request reads, in estimated tokens; below 1 the context is too small."""
    return int((n_ctx - note_tokens(n_ctx) - _BESIDE) * _MARGIN)


def reading_cost(extent: TextExtent, *, n_ctx: int, speed: AnswerSpeed | None) -> ReadingCost:
    """Return about what it costs to read everything with a context of ``n_ctx`` tokens."""
    n_text = -(-extent.n_chars // _CHARS_PER_TOKEN)
    n_parts = -(-n_text // max(1, part_tokens(n_ctx)))
    n_tokens = n_text + n_parts * _BESIDE
    seconds = None
    if speed is not None:
        n_written = n_parts * note_tokens(n_ctx) * _USED_OF_NOTE
        seconds = n_tokens / speed.prompt + n_written / speed.completion
    return ReadingCost(n_tokens=n_tokens, n_parts=n_parts, seconds=seconds)


def measured_speed(answers: Iterable[tuple[Usage, Timings]]) -> AnswerSpeed | None:
    """Return how fast a model was in its ``answers``, the latest first; ``None`` if none of them tells."""
    prompt = completion = 0.0
    for usage, timings in answers:
        n_evaluated = usage.n_prompt - usage.n_cached
        if not prompt and n_evaluated >= _BELIEVED and timings.prompt_s > 0:
            prompt = n_evaluated / timings.prompt_s
        if not completion and usage.n_completion >= _BELIEVED:
            completion = timings.tokens_per_second(n_completion=usage.n_completion)
        if prompt and completion:
            return AnswerSpeed(prompt=prompt, completion=completion)
    return None
