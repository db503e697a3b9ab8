"""Sets of words in the source code."""

from __future__ import annotations


def word_list(text: str) -> frozenset[str]:
    """Return the words of ``text``, separated by white space."""
    return frozenset(text.split())
