"""The built-in tools, in the order in which they are advertised."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from pathlib import Path
from typing import Any

import msgspec

from fireside.core.facts import FactScope
from fireside.core.tools import SearchProvider
from fireside.settings.definitions_tools import (
    CALCULATOR,
    CHANGES,
    CHAT_SEARCH,
    DATE_TIME,
    DOCUMENTS,
    FILES,
    MEMORY,
    PYTHON,
    SWITCHES,
    WEB_PAGES,
    WEB_SEARCH,
)
from fireside.tools.calculator import calculator_tool
from fireside.tools.chat_search import Find, chat_search_tool
from fireside.tools.date_time import date_time_tool
from fireside.tools.documents import DocumentAccess, document_tools
from fireside.tools.file_changes import change_tools
from fireside.tools.folder_files import folder_tools
from fireside.tools.memory import Remember, memory_tool
from fireside.tools.python import PythonAccess, PythonTool
from fireside.tools.read_result import read_result_tool
from fireside.tools.tool import CHARS_PER_TOKEN, RunnableTool
from fireside.tools.web_fetcher import WebFetcher
from fireside.tools.web_page import ReadPage, web_page_tool
from fireside.tools.web_search import web_search_tool


class WebTools(msgspec.Struct, frozen=True, kw_only=True):
    """What web tools of a chat need."""

    fetcher: WebFetcher
    read: ReadPage
    key: Callable[[], Awaitable[str]]
    """Returns the API key of the search provider, or an empty text."""
    provider: SearchProvider = SearchProvider.SEARXNG
    searxng: str = ""
    allowed_addresses: frozenset[str] | None = None
    """If not ``None``, the only addresses that may be fetched; see ``web_page_tool``."""

    def search_tools(self) -> tuple[RunnableTool[Any], ...]:
        """Return the tools that search the web."""
        return (web_search_tool(self.fetcher, provider=self.provider, searxng=self.searxng, key=self.key),)

    def page_tools(self) -> tuple[RunnableTool[Any], ...]:
        """Return the tools that read web pages."""
        return (web_page_tool(self.fetcher, read=self.read, allowed_addresses=self.allowed_addresses),)


class ToolResources(msgspec.Struct, frozen=True, kw_only=True):
    """What the tools of a chat have access to."""

    now: Callable[[], float]
    """Seconds since the epoch."""
    find: Find
    """Searches the chats."""
    folders: Sequence[Path]
    web: WebTools
    remember: Remember
    usual_scope: FactScope = FactScope.EVERYWHERE
    """Where a fact holds if the model does not say."""
    result: Callable[[str], str | None]
    """Returns the complete result of a call in the chat by the call's id."""
    max_result_tokens: int
    """Tokens of a result that the model gets."""
    documents: DocumentAccess | None = None
    """The collections of the chat, if any."""
    python: PythonAccess | None = None
    """Runs code for the chat, where that is possible."""


def tools_of_switch(switch: str, resources: ToolResources) -> tuple[RunnableTool[Any], ...]:
    """Return the tools that one of ``SWITCHES`` enables."""
    make: dict[str, Callable[[], tuple[RunnableTool[Any], ...]]] = {
        CALCULATOR: lambda: (calculator_tool(),),
        DATE_TIME: lambda: (date_time_tool(resources.now),),
        CHAT_SEARCH: lambda: (chat_search_tool(resources.find),),
        FILES: lambda: folder_tools(resources.folders),
        CHANGES: lambda: change_tools(resources.folders),
        DOCUMENTS: lambda: () if resources.documents is None else document_tools(resources.documents),
        WEB_SEARCH: resources.web.search_tools,
        WEB_PAGES: resources.web.page_tools,
        MEMORY: lambda: (memory_tool(resources.remember, usual=resources.usual_scope),),
        PYTHON: lambda: () if resources.python is None else (PythonTool(resources.python),),
    }
    return make[switch]()


def built_in_tools(switches: Collection[str], resources: ToolResources) -> tuple[RunnableTool[Any], ...]:
    """Return the tools that are enabled."""
    return tuple(
        tool for switch in SWITCHES if switch in switches for tool in tools_of_switch(switch, resources)
    )


def reading_tools(
    switches: Collection[str], resources: ToolResources, *, with_servers: bool = False
) -> tuple[RunnableTool[Any], ...]:
    """Return the tool that reads on in long results, if other tools or MCP servers may return some."""
    if not with_servers and not {CHAT_SEARCH, DOCUMENTS, FILES, PYTHON, WEB_PAGES} & set(switches):
        return ()
    return (
        read_result_tool(resources.result, n_characters=resources.max_result_tokens * CHARS_PER_TOKEN // 2),
    )
