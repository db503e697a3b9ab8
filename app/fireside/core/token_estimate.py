"""Estimate the number of tokens of a text without a model."""

from __future__ import annotations

import math
import string
from typing import Final

_PER_BYTE: Final = (
    (string.digits.encode(), 0.9),
    (string.punctuation.encode(), 0.5),
    (bytes(range(0x80, 0x100)), 0.25),
)
"""Most models take each digit for itself, some up to three; signs stand alone or in twos. A letter outside of
ASCII has two or three bytes."""
_PER_OTHER_BYTE: Final = 1 / 4.5
"""Of words of English, with the spaces between them."""


def estimated_tokens(text: str) -> int:
    """Return about how many tokens ``text`` has.

    Within an eighth of the usual models for English; the models themselves differ, for numbers by twice.
    """
    data = text.encode("utf-8", "surrogatepass")
    n_others, n_tokens = len(data), 0.0
    for kind, per_byte in _PER_BYTE:
        n_bytes = len(data) - len(data.translate(None, kind))
        n_others -= n_bytes
        n_tokens += n_bytes * per_byte
    return math.ceil(n_tokens + n_others * _PER_OTHER_BYTE)
