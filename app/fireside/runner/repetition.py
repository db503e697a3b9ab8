"""Notice that an answer goes in circles."""

from __future__ import annotations

from array import array
from typing import Final

import numpy as np

from fireside.runner.prompt_cache.common_prefix import Tokens

CHECK_EVERY: Final = 32
"""Tokens between two looks."""
MAX_PERIOD: Final = 256
"""Longest block, in tokens, whose repetition is noticed."""
WINDOW: Final = 2048
"""Tokens at the end of an answer that are looked at."""

_MIN_TOKENS: Final = 1024
_MIN_TOKENS_OF_ONE: Final = 512
_MIN_BLOCKS: Final = 8
_MAX_BLANK: Final = 256
_ITEM: Final = 4


class RepetitionGuard:
    """Watches one answer. It keeps all of its tokens, since a context that was full has forgotten some."""

    def __init__(self) -> None:
        self._tokens = array("i")
        self._n_blank = 0

    def detects_loop(self, token: int, piece: bytes) -> bool:
        """Take the next token and its bytes; tell whether the answer goes in circles.

        Every so many tokens it looks; in between the answer is no.
        """
        self._tokens.append(token)
        self._n_blank = 0 if piece.strip() else self._n_blank + 1
        if len(self._tokens) % CHECK_EVERY:
            return False
        # Endless space need not repeat itself to be no layout any more.
        return self._n_blank >= _MAX_BLANK or is_repeating(np.frombuffer(self._tokens, np.int32)[-WINDOW:])


def is_repeating(answer: Tokens) -> bool:
    """Tell whether the end of ``answer`` is one block of tokens over and over.

    What the user may ask for is let through: a line written a hundred times, a matrix of zeros, a wide table
    with the same rows. So the same block must come eight times and fill 1,024 tokens, or, where it is a
    single token, 512; to the token, so that a list that counts is never meant.
    """
    n = len(answer)
    if n < _MIN_TOKENS_OF_ONE:
        return False
    # The last tokens, looked for in the bytes before them: a microsecond where nothing repeats.
    recent = answer[-(MAX_PERIOD + CHECK_EVERY) :].tobytes()
    end = recent[-CHECK_EVERY * _ITEM :]
    at = len(recent) - len(end)
    while (at := recent.rfind(end, 0, at + len(end) - 1)) >= 0:
        if at % _ITEM:
            continue
        period = (len(recent) - len(end) - at) // _ITEM
        n_needed = max(_MIN_BLOCKS * period, _MIN_TOKENS_OF_ONE if period == 1 else _MIN_TOKENS)
        if n_needed <= n:
            tail = answer[-n_needed:]
            if (tail[period:] == tail[:-period]).all():
                return True
    return False
