"""Estimates of the number of tokens of a text without a model."""

from __future__ import annotations

import math
import string
from typing import Final

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
