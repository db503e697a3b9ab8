"""The tool that returns more of a result that was truncated for the model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from fireside.core.graphemes import without_invisible
from fireside.core.tools import Permission
from fireside.tools.tool import CHARS_PER_TOKEN, RunnableTool, ToolFailed


class _Arguments(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: str
    offset: int = 0


def read_result_tool(result: Callable[[str], str | None], *, n_characters: int) -> RunnableTool[_Arguments]:
    """Return the tool; ``result`` returns the complete result of a call in this chat by the call's id, of
    which ``n_characters`` are returned.

    The chat has the taints of that result already, so the tool has none.
    """

    async def run(arguments: _Arguments) -> str:
        text = result(arguments.id)
        if text is None:
            raise ToolFailed(f"id: there is no result “{arguments.id}” in this chat.")
        if not 0 <= arguments.offset < max(1, len(text)):
            raise ToolFailed(f"offset: 0 to {max(0, len(text) - 1)} is possible.")
        end = arguments.offset + n_characters
        rest = f"\n\n[{len(text) - end} characters follow, from offset {end}.]" if end < len(text) else ""
        return text[arguments.offset : end] + rest

    return RunnableTool(
        "read_result",
        description="Reads on in an earlier result that was cut.",
        arguments=_Arguments,
        run=run,
        permission=Permission.ALWAYS,
    )


# Prepare results for the model: no invisible characters, and long ones truncated in the middle


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
