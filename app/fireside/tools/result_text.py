"""Prepare results for the model: no invisible characters, and long ones truncated in the middle."""

from __future__ import annotations

from typing import Final

from fireside.core.graphemes import without_invisible
from fireside.tools.tool import CHARS_PER_TOKEN

MAX_RESULT_TOKENS: Final = 8_000
MAX_CHARACTERS: Final = 4_000_000
"""Of a result; the rest is dropped, and a note says so."""


def cleaned(text: str) -> str:
    """Return a result without characters that a model reads and no user sees."""
    text = without_invisible(text).encode(errors="replace").decode()
    n_dropped = len(text) - MAX_CHARACTERS
    return text if n_dropped <= 0 else f"{text[:MAX_CHARACTERS]}\n[{n_dropped} characters were dropped.]"


def truncated(text: str, *, handle: str, n_tokens: int) -> str:
    """Return the excerpt of ``text`` for the model; empty if the whole fits.

    ``handle`` is the id for ``read_result``, which returns the rest.
    """
    max_chars = n_tokens * CHARS_PER_TOKEN
    if len(text) <= max_chars:
        return ""
    head, tail = text[: max_chars * 3 // 4], text[len(text) - max_chars // 4 :]
    note = (
        f"[{len(text) - len(head) - len(tail)} characters left out. To read them call read_result with "
        f'id "{handle}" and offset {len(head)}.]'
    )
    return f"{head}\n\n{note}\n\n{tail}"
