"""The tool that searches the user's chats."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Final

import msgspec

from fireside.core.message import Role
from fireside.core.search import SearchQuery, SearchResult
from fireside.core.tools import Taint
from fireside.tools.tool import RunnableTool, ToolFailed

Find = Callable[[SearchQuery], Awaitable[SearchResult]]
_LIMIT: Final = 20
_ROLE_LABELS: Final = {Role.USER: "User", Role.ASSISTANT: "Answer"}


class _Arguments(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    words: str


def chat_search_tool(find: Find) -> RunnableTool[_Arguments]:
    """Return the tool. Chats may quote untrusted text, so its results are untrusted, too."""

    async def run(arguments: _Arguments) -> str:
        if not arguments.words.strip():
            raise ToolFailed("words: there are none.")
        result = await find(SearchQuery(text=arguments.words, limit=_LIMIT))
        chats = [
            f"Chat “{match.summary.title}”, {_day(match.summary.updated_at)}\n"
            + "\n".join(
                f"- {_ROLE_LABELS.get(hit.role, 'Note')}, {_day(hit.created_at)}: {hit.snippet.text}"
                for hit in match.hits
            )
            for match in result.matches
        ]
        return "\n\n".join(chats) or "Nothing was found."

    return RunnableTool(
        "search_chats",
        description="Searches the user's earlier chats; all words must occur in a message.",
        arguments=_Arguments,
        run=run,
        taints=frozenset({Taint.PRIVATE, Taint.UNTRUSTED}),
    )


def _day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d")
