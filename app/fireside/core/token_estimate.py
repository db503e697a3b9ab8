"""Estimates of tokens without a model: of a text, and of reading all documents of a chat for one question."""

from __future__ import annotations

import math
import string
from collections.abc import Iterable
from typing import Final

import msgspec

from fireside.core.collection import TextExtent
from fireside.core.generation import Timings, Usage

_PER_BYTE: Final = (
    (string.digits.encode(), 0.9),
    (string.punctuation.encode(), 0.5),
    (bytes(range(0x80, 0x100)), 0.25),
)
"""Tokens per byte. Most models have a token for each digit, some for up to three; punctuation is in tokens of
one or two characters; letters outside of ASCII have two or three bytes."""
_PER_OTHER_BYTE: Final = 1 / 4.5
"""Tokens per byte of English words, with spaces."""


def estimated_tokens(text: str) -> int:
    """Return the estimated number of tokens of ``text``.

    For English it differs by at most an eighth from common models. These differ from each other too, for
    numbers by a factor of two.
    """
    data = text.encode("utf-8", "surrogatepass")
    n_others, n_tokens = len(data), 0.0
    for characters, per_byte in _PER_BYTE:
        n_bytes = len(data) - len(data.translate(None, characters))
        n_others -= n_bytes
        n_tokens += n_bytes * per_byte
    return math.ceil(n_tokens + n_others * _PER_OTHER_BYTE)


MAX_NOTE_TOKENS: Final = 512
MIN_NOTE_TOKENS: Final = 48
_NOTE_DIVISOR: Final = 8
"""The notes on one part take at most this fraction (1/8) of the context."""
_OVERHEAD_TOKENS: Final = 280
"""An upper estimate of the tokens of instruction and template."""
_MARGIN: Final = 0.8
"""For the error of the estimated tokens; text with more tokens is read in smaller parts."""
_CHARS_PER_TOKEN: Final = 4
_NOTE_USAGE: Final = 0.4
"""The typical length of notes, as a fraction of the maximum."""
_MIN_TOKENS: Final = 32
"""Answers with fewer tokens are too short to measure the speed."""


class AnswerSpeed(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens a second, as measured."""

    prompt: float
    completion: float


class ReadingCost(msgspec.Struct, frozen=True, kw_only=True):
    """Estimated cost of reading everything."""

    n_tokens: int
    """Text and instructions."""
    n_parts: int
    """Requests to the model."""
    seconds: float | None
    """``None`` if the speed of the model is unknown."""


def note_tokens(n_ctx: int) -> int:
    """Return the maximum tokens of the notes on one part."""
    return max(MIN_NOTE_TOKENS, min(MAX_NOTE_TOKENS, n_ctx // _NOTE_DIVISOR))


def part_tokens(n_ctx: int) -> int:
    """Return the estimated tokens of text per request; below 1 if the context is too small."""
    return int((n_ctx - note_tokens(n_ctx) - _OVERHEAD_TOKENS) * _MARGIN)


def reading_cost(extent: TextExtent, *, n_ctx: int, speed: AnswerSpeed | None) -> ReadingCost:
    """Return the estimated cost of reading everything with a context of ``n_ctx`` tokens."""
    n_text = -(-extent.n_chars // _CHARS_PER_TOKEN)
    n_parts = -(-n_text // max(1, part_tokens(n_ctx)))
    n_tokens = n_text + n_parts * _OVERHEAD_TOKENS
    seconds = None
    if speed is not None:
        n_written = n_parts * note_tokens(n_ctx) * _NOTE_USAGE
        seconds = n_tokens / speed.prompt + n_written / speed.completion
    return ReadingCost(n_tokens=n_tokens, n_parts=n_parts, seconds=seconds)


def measured_speed(answers: Iterable[tuple[Usage, Timings]]) -> AnswerSpeed | None:
    """Return the speed of a model in its latest long ``answers``, given latest first; ``None`` if there is
    none."""
    prompt = completion = 0.0
    for usage, timings in answers:
        n_evaluated = usage.n_prompt - usage.n_cached
        if not prompt and n_evaluated >= _MIN_TOKENS and timings.prompt_s > 0:
            prompt = n_evaluated / timings.prompt_s
        if not completion and usage.n_completion >= _MIN_TOKENS:
            completion = timings.tokens_per_second(n_completion=usage.n_completion)
        if prompt and completion:
            return AnswerSpeed(prompt=prompt, completion=completion)
    return None
