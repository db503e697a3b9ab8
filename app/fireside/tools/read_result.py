"""The tool that returns more of a result that was truncated for the model."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from fireside.core.tools import Permission
from fireside.tools.tool import RunnableTool, ToolFailed


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
