"""The tool that suggests a fact to remember: the user confirms the wording, and where it holds."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec

from fireside.core.facts import LONGEST_FACT, FactScope
from fireside.core.tools import MEMORY_NAME, Taint
from fireside.tools.confirmed_text_tool import ConfirmedTextTool
from fireside.tools.tool import RunnableTool, ToolFailed

Remember = Callable[[str, FactScope], Awaitable[None]]
"""Stores one line. Raises ``ToolFailed`` at the limit."""
_STORED = {
    FactScope.EVERYWHERE: "It is known in chats that begin from now on.",
    FactScope.PROJECT: "It is known in the chats of this project.",
    FactScope.CHAT: "It is known in this chat.",
}


class _Fact(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    fact: str
    scope: FactScope | None = None


class _MemoryTool(ConfirmedTextTool[_Fact]):
    def __init__(self, remember: Remember, *, usual: FactScope) -> None:
        async def run(arguments: _Fact) -> str:
            scope = self.scope(arguments)
            await remember(checked_fact(arguments.fact), scope)
            return f"The user confirmed it. {_STORED[scope]}"

        super().__init__(
            MEMORY_NAME,
            description="Suggests a short fact about the user to be known in later chats. The user confirms "
            "it. It holds in the project of this chat if there is one, else everywhere, unless the scope "
            "says otherwise.",
            arguments=_Fact,
            field="fact",
            run=run,
            taints=frozenset({Taint.OUTBOUND}),
        )
        self._usual = usual

    def scope(self, arguments: _Fact) -> FactScope:
        is_elsewhere = arguments.scope is FactScope.PROJECT is not self._usual
        return self._usual if arguments.scope is None or is_elsewhere else arguments.scope

    def with_scope(self, arguments: _Fact, scope: FactScope) -> _Fact:
        return msgspec.structs.replace(arguments, scope=scope)


def memory_tool(remember: Remember, *, usual: FactScope = FactScope.EVERYWHERE) -> RunnableTool[_Fact]:
    """Return the tool; ``usual`` is where a fact holds if the model does not say: in the project of the chat,
    or everywhere."""
    return _MemoryTool(remember, usual=usual)


def checked_fact(text: str) -> str:
    """Return a fact on one line. Raises ``ToolFailed`` if it is empty or too long."""
    fact = " ".join(text.split())
    if not fact or len(fact) > LONGEST_FACT:
        raise ToolFailed(f"fact: 1 to {LONGEST_FACT} characters are wanted.")
    return fact
