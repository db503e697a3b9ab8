"""The tools of one request, and what the chat has touched before it."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from fireside.core.chat import StoredMessage
from fireside.core.ids import ConversationId
from fireside.core.message import Role, TextPart, ToolCallPart, ToolResultPart
from fireside.core.prompt_input import ToolDefinition
from fireside.core.tools import (
    FACT_CHARACTERS,
    MEMORY_NAME,
    WEB_SEARCH_NAME,
    CallToolArguments,
    Sources,
    Taint,
)
from fireside.services.web_access import WebAccess
from fireside.settings.typed_tools import ToolOptions
from fireside.storage.store import Store
from fireside.tools.built_in import ToolResources, WebTools, built_in_tools, reading_tools
from fireside.tools.consent import sources_of, taints_of
from fireside.tools.documents import SEARCH_DOCUMENTS, DocumentAccess
from fireside.tools.result_text import MAX_RESULT_TOKENS
from fireside.tools.tool import InvalidArguments, Tool, ToolFailed
from fireside.tools.tool_search import advertised_tools
from fireside.tools.web_fetcher import WebFetcher

_ADDRESS: Final = re.compile(r"https://[^\s<>\"]+")
_BEHIND: Final = ".,;:!?)]}'"
"""What ends a sentence rather than an address."""
_RESULT_SHARE: Final = 4
"""A result takes at most this part of the context."""


class Toolbox(msgspec.Struct, frozen=True, kw_only=True):
    """What may be called in one step of an answer."""

    conversation_id: ConversationId | None
    """``None`` where it is only counted what a new chat would begin with."""
    tools: tuple[Tool[Any], ...]
    told: tuple[Tool[Any], ...]
    """Those that the model is told of unasked."""
    options: ToolOptions
    sources: Sources
    """What the branch has touched."""
    n_shown: int
    """Tokens of a result that the model is shown at most."""

    @property
    def has_documents(self) -> bool:
        """Whether the model looks into the collections of the chat itself."""
        return any(tool.name == SEARCH_DOCUMENTS for tool in self.told)

    @property
    def definitions(self) -> tuple[ToolDefinition, ...]:
        """What the model is told."""
        return tuple(tool.definition for tool in self.told)

    def read(self, call: ToolCallPart) -> tuple[Tool[Any], Any]:
        """Return the tool that is called, also by ``CALL_TOOL``, and its arguments. Raises
        ``InvalidArguments``."""
        tool = self._tool(call.name)
        arguments = tool.read(call.arguments)
        if isinstance(arguments, CallToolArguments):
            tool = self._tool(arguments.name)
            arguments = tool.read(msgspec.json.encode(arguments.arguments).decode())
        return tool, arguments

    def _tool(self, name: str) -> Tool[Any]:
        found = next((tool for tool in (*self.tools, *self.told) if tool.name == name), None)
        if found is None:
            names = ", ".join(tool.name for tool in self.tools)
            raise InvalidArguments(f"There is no tool “{name}”. There are: {names}.")
        return found


def make_toolbox(
    options: ToolOptions,
    path: Sequence[StoredMessage],
    *,
    n_ctx: int,
    store: Store,
    web: WebAccess,
    of_servers: Sequence[Tool[Any]] = (),
    documents: DocumentAccess | None = None,
    remembers: bool = False,
) -> Toolbox:
    """Return the tools for an answer that ends ``path``, the messages of its branch; those of MCP servers
    come behind the built-in ones. ``documents`` are the collections of the chat, if it has any;
    ``remembers`` is whether it is told what the user had remembered."""
    n_shown = min(MAX_RESULT_TOKENS, max(1, n_ctx // _RESULT_SHARE))

    def result(call_id: str) -> str | None:
        parts = (part for stored in path for part in stored.message.parts)
        return next(
            (part.text for part in parts if isinstance(part, ToolResultPart) and part.call_id == call_id),
            None,
        )

    conversation_id = path[-1].conversation_id if path else None
    sources = sources_of(stored.message for stored in path)
    if remembers:
        sources = ((Taint.PRIVATE, MEMORY_NAME), *sources)

    async def remember(fact: str) -> None:
        assert conversation_id is not None  # where nothing was said yet, tools are only counted
        if not await store.facts.add(fact, conversation_id=conversation_id, most=FACT_CHARACTERS):
            raise ToolFailed("The memory is full. The user can delete facts in Settings, Tools.")

    reach = ToolResources(
        now=time.time,
        find=store.search.find,
        folders=options.folders,
        web=web_of(web, options, given=addresses_in(path) if Taint.PRIVATE in taints_of(sources) else None),
        remember=remember,
        result=result,
        n_shown=n_shown,
        documents=documents,
    )
    tools = (*built_in_tools(options.switches, reach), *of_servers)
    reading = reading_tools(options.switches, reach, with_servers=bool(of_servers))
    return Toolbox(
        conversation_id=conversation_id,
        tools=(*tools, *reading),
        told=advertised_tools(tools, n_ctx=n_ctx, always=reading),
        options=options,
        sources=sources,
        n_shown=n_shown,
    )


def web_of(web: WebAccess, options: ToolOptions, *, given: frozenset[str] | None) -> WebTools:
    """Return how the tools of a chat reach the web; ``given`` are the addresses that alone may be read."""
    return WebTools(
        fetcher=WebFetcher(route=web.route, log=web.log),
        read=web.page_text,
        key=web.key,
        provider=options.provider,
        searxng=options.searxng,
        allowed_addresses=given,
    )


def addresses_in(path: Sequence[StoredMessage]) -> frozenset[str]:
    """Return the addresses that the user wrote or a search returned: a model composed none of them."""
    texts = [
        part.text
        for stored in path
        for part in stored.message.parts
        if (isinstance(part, TextPart) and stored.message.role is Role.USER)
        or (isinstance(part, ToolResultPart) and part.name == WEB_SEARCH_NAME)
    ]
    return frozenset(found.rstrip(_BEHIND) for text in texts for found in _ADDRESS.findall(text))
