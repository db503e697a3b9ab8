"""What a model is shown of a result: no invisible characters, and of a long one both ends."""

from __future__ import annotations

from typing import Final

from fireside.core.invisible import without_invisible
from fireside.tools.tool import CHARACTERS_A_TOKEN

PROMPT_TOKENS_PER_FRAME: Final = 8_000
MAX_CHARACTERS: Final = 4_000_000
"""Of a result; a tool that would say more is cut off."""


def cleaned(text: str) -> str:
    """Return a result without characters that a model reads and no user sees."""
    return without_invisible(text)[:MAX_CHARACTERS].encode(errors="replace").decode()


def truncated(text: str, *, handle: str, n_tokens: int) -> str:
    """Return what the model is shown in place of ``text``; empty where that is all of it.

    ``handle`` is what ``read_result`` takes to read on.
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
