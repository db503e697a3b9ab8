"""The tool that suggests a fact to remember: the user confirms the wording."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec

from fireside.core.tools import LONGEST_FACT, MEMORY_NAME, Taint
from fireside.tools.confirmed_text_tool import ConfirmedTextTool
from fireside.tools.tool import RunnableTool, ToolFailed

Remember = Callable[[str], Awaitable[None]]
"""Stores one line. Raises ``ToolFailed`` at the limit."""


class _Fact(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    fact: str


def memory_tool(remember: Remember) -> RunnableTool[_Fact]:
    """Return the tool."""

    async def run(arguments: _Fact) -> str:
        await remember(checked_fact(arguments.fact))
        return "The user confirmed it. It is known in chats that begin from now on."

    return ConfirmedTextTool(
        MEMORY_NAME,
        description="Suggests a short fact about the user to be known in later chats. The user confirms it.",
        arguments=_Fact,
        field="fact",
        run=run,
        taints=frozenset({Taint.OUTBOUND}),
    )


def checked_fact(text: str) -> str:
    """Return a fact on one line. Raises ``ToolFailed`` if it is empty or too long."""
    fact = " ".join(text.split())
    if not fact or len(fact) > LONGEST_FACT:
        raise ToolFailed(f"fact: 1 to {LONGEST_FACT} characters are wanted.")
    return fact
