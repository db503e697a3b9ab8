"""Lists of words, written as text."""

from __future__ import annotations


def word_list(text: str) -> frozenset[str]:
    """Return what stands in ``text``, parted by white space."""
    return frozenset(text.split())
