"""Detect answers that loop: one block of tokens, or a few sentences, over and over."""

from __future__ import annotations

import re
from array import array
from collections import deque
from typing import Final, NamedTuple

import numpy as np

from fireside.runner.tokens import Tokens

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
