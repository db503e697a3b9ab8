"""Prepare results for the model: no invisible characters, and long ones truncated in the middle."""

from __future__ import annotations

from typing import Final

from fireside.core.invisible import without_invisible
from fireside.tools.tool import CHARACTERS_A_TOKEN

MAX_RESULT_TOKENS: Final = 8_000
MAX_CHARACTERS: Final = 4_000_000
"""Of a result; what a tool returns beyond that is cut off."""


def cleaned(text: str) -> str:
    """Return a result without characters that a model reads and no user sees."""
    return without_invisible(text)[:MAX_CHARACTERS].encode(errors="replace").decode()


def truncated(text: str, *, handle: str, n_tokens: int) -> str:
    """Return the excerpt of ``text`` for the model; empty if the whole fits.

    ``handle`` is the id for ``read_result``, which returns the rest.
    """
    most = n_tokens * CHARACTERS_A_TOKEN
    if len(text) <= most:
        return ""
    head, tail = text[: most * 3 // 4], text[len(text) - most // 4 :]
    note = (
        f"[{len(text) - len(head) - len(tail)} characters left out. To read them call read_result with "
        f'id "{handle}" and offset {len(head)}.]'
    )
    return f"{head}\n\n{note}\n\n{tail}"
