"""The tools that come with the program, in the order in which a model is told of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from fireside.settings.definitions_tools import CALCULATOR, CHAT_SEARCH, DATE_TIME, FILES, SWITCHES
from fireside.tools.calculator import calculator_tool
from fireside.tools.chat_search import Find, chat_search_tool
from fireside.tools.date_time import date_time_tool
from fireside.tools.folder_files import folder_tools
from fireside.tools.read_result import read_result_tool
from fireside.tools.result_text import CHARACTERS_A_TOKEN
from fireside.tools.tool import Tool

MOST_TOOLS: Final = 20
CONTEXT_SHARE: Final = 0.05
"""Of the context, at most, for what a model is told of its tools."""


class Reach(msgspec.Struct, frozen=True, kw_only=True):
    """What tools of a chat can get at."""

    now: Callable[[], float]
    """Seconds since the epoch."""
    find: Find
    """Searches the chats."""
    folders: Sequence[Path]
    result: Callable[[str], str | None]
    """Returns a whole result of the chat by the id of its call."""
    n_shown: int
    """Tokens of a result that the model is shown at most."""


def tools_of(switch: str, reach: Reach) -> tuple[Tool[Any], ...]:
    """Return the tools that one of ``SWITCHES`` turns on."""
    make: dict[str, Callable[[], tuple[Tool[Any], ...]]] = {
        CALCULATOR: lambda: (calculator_tool(),),
        DATE_TIME: lambda: (date_time_tool(reach.now),),
        CHAT_SEARCH: lambda: (chat_search_tool(reach.find),),
        FILES: lambda: folder_tools(reach.folders),
    }
    return make[switch]()


def built_in_tools(switches: Collection[str], reach: Reach) -> tuple[Tool[Any], ...]:
    """Return the tools that are on, and what reads on in their results."""
    found = [tool for switch in SWITCHES if switch in switches for tool in tools_of(switch, reach)]
    may_be_long = {CHAT_SEARCH, FILES} & set(switches)
    return (
        (*found, read_result_tool(reach.result, n_characters=reach.n_shown * CHARACTERS_A_TOKEN // 2))
        if may_be_long
        else tuple(found)
    )


def n_tokens_of(tool: Tool[Any]) -> int:
    """Return about how many tokens of each prompt a tool takes."""
    told = tool.definition
    words = (told.name, told.description, told.parameters)
    return sum(map(len, words)) // CHARACTERS_A_TOKEN + 20


def within_budget(tools: Sequence[Tool[Any]], *, n_ctx: int) -> tuple[Tool[Any], ...]:
    """Return those that a context has room for: the first of them, in their order."""
    left, kept = n_ctx * CONTEXT_SHARE, list[Tool[Any]]()
    for tool in tools[:MOST_TOOLS]:
        left -= n_tokens_of(tool)
        if left < 0:
            break
        kept.append(tool)
    return tuple(kept)
