"""Split text so that no tokenizer gets an overlong word."""

from __future__ import annotations

import re
from typing import Final

MAX_RUN_CHARS: Final = 4096
"""Longer runs without (or of nothing but) white space are split: some tokenizers take quadratic time for one
word, and no call can be interrupted. A split changes at most the tokens at its two sides."""

_LONG_RUN: Final = re.compile(rf"\S{{{MAX_RUN_CHARS}}}|\s{{{MAX_RUN_CHARS}}}")


def cut_long_runs(text: str) -> list[str]:
    """Return ``text`` in parts without an unbroken run much longer than ``MAX_RUN_CHARS``."""
    parts: list[str] = []
    start = 0
    while (match := _LONG_RUN.search(text, start)) is not None:
        parts.append(text[start : match.end()])
        start = match.end()
    if start < len(text):
        parts.append(text[start:])
    return parts
